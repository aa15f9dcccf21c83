"""Scores of runs that live in Spark, as data frames larger than one machine.

Spark distributes, the library scores: judgements and runs are brought together by topic, and each
topic is scored where its rows are, by ``mapInArrow``. The package must be installed on the workers.
The means are those of ``axio eval``, bit for bit, however the rows are partitioned: every partition
sends exact sums, which round once when all are added.
"""

from __future__ import annotations

from . import _native
from ._batches import batch_scorer, scored_tables
from ._errors import UsageError
from ._measures import measures_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from ._measures import MeasureLike

__all__ = ["SparkScores", "evaluate"]


class SparkScores:
    """The scores of topics in a data frame, ``df``, and what can be made of them.

    The columns are topic, run if there are several, measure, value, reason if there is no value, and
    low, high and may_be_undefined if ranges were asked for. Whatever a data frame has is here too:
    ``scores.filter(...)``, ``scores.write.parquet(...)``.
    """

    def __init__(
        self,
        frame: Any,
        totals: Any,
        measures: list[str],
        runs: list[str] | None,
        undefined: str,
        missing: str,
    ) -> None:
        #: Scores, and rows without a topic that count warnings.
        self._frame = frame
        #: What the partitions add to the summaries.
        self._totals = totals
        self._found: list[list[tuple[float | None, tuple[float, float] | None]]] | None = None
        self.df = frame.filter("topic is not null")
        self.measures = measures
        self.runs = runs
        self.undefined = undefined
        self.missing = missing

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.df, name)

    def cache(self) -> SparkScores:
        """Keeps the scores, so that a second look at them does not score again."""
        self._frame = self._frame.cache()
        self.df = self._frame.filter("topic is not null")
        names, undefined, missing = self.measures, self.undefined, self.missing
        runs = self.runs or [""]

        def summed(batches: Iterator[Any]) -> Iterator[Any]:
            totals = _native.BatchTotals([*names], undefined, missing, runs)
            for batch in batches:
                totals.push(_as_table(batch))
            yield _one_cell(totals.packed())

        self._totals = self._frame.mapInArrow(summed, "part binary")
        return self

    def unpersist(self) -> SparkScores:
        """Lets the scores go that were kept."""
        self._frame.unpersist()
        return self

    def _summaries(self) -> list[list[tuple[float | None, tuple[float, float] | None]]]:
        if self._found is None:
            whole = _native.BatchTotals(
                [*self.measures], self.undefined, self.missing, self.runs or [""]
            )
            # A small part of each partition; an iterator would score them one after the other.
            for row in self._totals.collect():
                whole.merge(bytes(row["part"]))
            self._found = whole.finish()
        return self._found

    def summary(self) -> dict[str, Any]:
        """The mean of each measure, or what else its summary is; by run, if there are several.

        What was odd about the data is told by ``warnings.warn``, counted over all partitions.
        """
        means = [
            {measure: mean for measure, (mean, _) in zip(self.measures, found, strict=True)}
            for found in self._summaries()
        ]
        return means[0] if self.runs is None else dict(zip(self.runs, means, strict=True))

    def ranges(self) -> dict[str, Any]:
        """The lowest and the highest mean that unjudged documents could give, by the same keys."""
        spans = [
            {measure: span for measure, (_, span) in zip(self.measures, found, strict=True)}
            for found in self._summaries()
        ]
        return spans[0] if self.runs is None else dict(zip(self.runs, spans, strict=True))

    def compare(self, **options: object) -> Any:
        """Compares the runs as :func:`axiometrics.compare` does, with its options.

        The scores of all topics are collected: a row for each topic, run and measure.
        """
        import io

        import pyarrow  # type: ignore[import-untyped, unused-ignore]
        from pyarrow import csv  # type: ignore[import-untyped, unused-ignore]

        from ._document import Call, Document

        if self.runs is None:
            raise UsageError("found one run, expected several: runs= names their column")
        table = self.df.select("run", "topic", "measure", "value").toArrow()
        table = table.sort_by([(name, "ascending") for name in ("run", "topic", "measure")])
        # The shortest text that reads back as the same number.
        values = [None if x is None else repr(x) for x in table.column("value").to_pylist()]
        table = table.set_column(3, "value", pyarrow.array(values, pyarrow.string()))
        text = io.BytesIO()
        csv.write_csv(table, text)
        call = Call("compare")
        call.options({"table": call.hold("scores", text.getvalue())})
        return Document(call.options(options))


def evaluate(
    qrels: Any,
    run: Any,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    topic: str = "topic",
    doc: str = "doc",
    score: str = "score",
    grade: str = "grade",
    runs: str | None = None,
    max_grade: float | None = None,
    partitions: int | None = None,
    ranges: bool | int = False,
    **policies: Any,
) -> SparkScores:
    """Scores the run in one data frame by the judgements in another.

    ``topic``, ``doc``, ``score`` and ``grade`` name the columns; ``runs`` is the column with the
    names of systems, if the data frame has several. ``max_grade`` is the highest grade that judges
    could give; it is looked up in the judgements if it is left out. ``partitions`` is how many parts
    the topics are dealt out to; Spark's own setting if it is left out. The policies are those of
    :func:`axiometrics.evaluate`: ``missing``, ``undefined``, ``ties``, ``scores``, ``order``,
    ``depth``, ``prune``, ``lenient``.

    Nothing is scored before somebody looks: ``.summary()``, ``.compare()``, or any action on the
    data frame. ``.cache()`` keeps the scores of topics for a second look.
    """
    from pyspark.sql import functions as F  # type: ignore[import-not-found, import-untyped, unused-ignore]

    for frame, wanted in ((qrels, (topic, doc, grade)), (run, (topic, doc, score, *_listed(runs)))):
        for name in wanted:
            if name not in frame.columns:
                found = ", ".join(frame.columns)
                raise UsageError(f'found no column "{name}", expected it among {found}')
    if policies.get("ties") == "file":
        raise UsageError('found ties="file", expected an order by document id: rows have no order')

    def column(name: str, kind: str, alias: str) -> Any:
        # What is no number becomes null, and the scorer names its topic and document.
        found = F.col(f"`{name}`")
        return (found.cast(kind) if kind == "string" else found.try_cast(kind)).alias(alias)

    if max_grade is None:
        grades = qrels.select(column(grade, "double", "grade"))
        found = grades.filter("grade < double('infinity')").agg(F.max("grade")).collect()[0][0]
        max_grade = max(found, 1.0) if found is not None else 1.0
    systems: list[str] | None = None
    if runs is not None:
        distinct = run.select(column(runs, "string", "run")).distinct().collect()
        systems = sorted(row["run"] for row in distinct if row["run"] is not None)
        if not systems:
            raise UsageError(f'found no run in column "{runs}", expected the names of systems')
    nothing = F.lit(None).cast("double")
    judged = [column(topic, "string", "topic"), column(doc, "string", "doc")]
    judged += [column(grade, "double", "grade"), nothing.alias("score"), F.lit(True).alias("judged")]
    ranked = [column(topic, "string", "topic"), column(doc, "string", "doc")]
    ranked += [nothing.alias("grade"), column(score, "double", "score"), F.lit(False).alias("judged")]
    if runs is not None:
        judged.append(F.lit(None).cast("string").alias("run"))
        ranked.append(column(runs, "string", "run"))
    rows = qrels.select(*judged).unionAll(run.select(*ranked))
    dealt = rows.repartition("topic") if partitions is None else rows.repartition(partitions, "topic")
    dealt = dealt.sortWithinPartitions("topic")
    names, highest = [str(measure) for measure in measures_of(measures)], float(max_grade)
    columns = {"run": systems} if systems is not None else None

    def new_scorer() -> _native.BatchScorer:
        return batch_scorer(names, highest, columns, ranges=ranges, **policies)

    # What is wrong with measures and policies is told here and not by a worker.
    new_scorer()
    frame = dealt.mapInArrow(_scored(new_scorer), _shape(systems is not None, ranges, policies))
    totals = dealt.mapInArrow(_summed(new_scorer), "part binary")
    undefined = str(policies.get("undefined", "zero"))
    missing = str(policies.get("missing", "zero"))
    # Two spellings of one measure are scored once.
    known = list(dict.fromkeys(_native.canonical(",".join(names))))
    return SparkScores(frame, totals, known, systems, undefined, missing)


def _listed(name: str | None) -> tuple[str, ...]:
    return () if name is None else (name,)


def _shape(has_runs: bool, ranges: bool | int, policies: dict[str, Any]) -> str:
    """The columns of the scores, as Spark writes them."""
    columns = ["topic string", "measure string", "value double", "reason string"]
    if has_runs:
        columns.insert(1, "run string")
    if ranges is not False or policies.get("ties") == "range":
        columns[-1:-1] = ["low double", "high double", "may_be_undefined boolean"]
    return ", ".join(columns)


def _scored(
    new_scorer: Callable[[], _native.BatchScorer],
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """The scores of the topics of a partition."""

    def scored(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        scorer = new_scorer()
        for table in scored_tables(scorer, map(_as_table, batches)):
            yield from pyarrow.table(table).to_batches()
        yield from pyarrow.table(scorer.warning_rows()).to_batches()

    return scored


def _summed(
    new_scorer: Callable[[], _native.BatchScorer],
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What the topics of a partition add to the summaries."""

    def summed(batches: Iterator[Any]) -> Iterator[Any]:
        yield _one_cell(new_scorer().totals(map(_as_table, batches)))

    return summed


def _as_table(batch: Any) -> Any:
    """A record batch as something that can be handed over as a stream."""
    import pyarrow

    return batch if hasattr(batch, "__arrow_c_stream__") else pyarrow.Table.from_batches([batch])


def _one_cell(part: bytes) -> Any:
    import pyarrow

    return pyarrow.RecordBatch.from_arrays([pyarrow.array([part], pyarrow.binary())], ["part"])
