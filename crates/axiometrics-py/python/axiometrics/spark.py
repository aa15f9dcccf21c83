"""Scores of runs that live in Spark, as data frames larger than one machine.

Spark distributes, the library scores: judgements and runs are brought together by topic, and each
topic is scored where its rows are, by ``mapInArrow``. The package must be installed on the workers.
The means are those of ``axio eval``, bit for bit, however the rows are partitioned: every partition
gives an exact sum.
"""

from __future__ import annotations

import math

from ._batches import evaluate_batches
from ._errors import UsageError
from ._measures import measures_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ._measures import MeasureLike

__all__ = ["SparkScores", "evaluate"]


class SparkScores:
    """The scores of topics as a data frame (topic, run if there are several, measure, value, reason).

    Whatever a data frame has is here too: ``scores.filter(...)``, ``scores.write.parquet(...)``.
    """

    def __init__(self, frame: Any, measures: list[str], runs: list[str] | None, undefined: str) -> None:
        self.df = frame
        self.measures = measures
        self.runs = runs
        self.undefined = undefined

    def __getattr__(self, name: str) -> Any:
        return getattr(self.df, name)

    def summary(self) -> dict[str, Any]:
        """The mean of each measure; by run, if there are several."""
        schema = "run string, measure string, topics long, undefined long, part double"
        rows = self.df.mapInArrow(_exact_sums, schema).collect()
        parts: dict[tuple[str | None, str], list[float]] = {}
        topics: dict[tuple[str | None, str], int] = {}
        lacking: dict[tuple[str | None, str], int] = {}
        for row in rows:
            key = (row["run"], row["measure"])
            parts.setdefault(key, []).append(row["part"])
            topics[key] = topics.get(key, 0) + row["topics"]
            lacking[key] = lacking.get(key, 0) + row["undefined"]
        means: dict[str | None, dict[str, float | None]] = {}
        systems: list[str | None] = [None] if self.runs is None else [*self.runs]
        for run in systems:
            means[run] = {}
            for measure in self.measures:
                key = (run, measure)
                count = topics.get(key, 0)
                if self.undefined == "skip":
                    count -= lacking.get(key, 0)
                extra = lacking.get(key, 0) if self.undefined == "one" else 0
                total = math.fsum([*parts.get(key, []), float(extra)])
                means[run][measure] = total / count if count else None
        return means[None] if self.runs is None else means  # type: ignore[return-value]

    def compare(self, **options: object) -> Any:
        """Compares the runs as :func:`axiometrics.compare` does.

        The scores of all topics are collected: a row for each topic, run and measure.
        """
        from ._command import Document, _Call

        if self.runs is None:
            raise UsageError("found one run, expected several: runs= names their column")
        lines = ["run\ttopic\tmeasure\tvalue"]
        for row in self.df.filter("value is not null").toLocalIterator():
            lines.append(f"{row['run']}\t{row['topic']}\t{row['measure']}\t{row['value']!r}")
        call = _Call("compare", "--table", "scores")
        call.files["scores"] = "\n".join(lines).encode()
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
    ranges: bool = False,
    **policies: Any,
) -> SparkScores:
    """Scores the run in one data frame by the judgements in another.

    ``topic``, ``doc``, ``score`` and ``grade`` name the columns; ``runs`` is the column with the names
    of systems, if the data frame has several. ``partitions`` is how many parts the topics are dealt
    out to; Spark's own setting if it is left out. The policies are those of
    :func:`axiometrics.evaluate`: ``missing``, ``undefined``, ``ties``, ``scores``, ``depth``,
    ``lenient``.
    """
    from pyspark.sql import functions as F  # type: ignore[import-not-found, import-untyped, unused-ignore]

    if ranges:
        raise UsageError("found ranges=True, expected no ranges: batches have none")
    if policies.get("ties") in ("average", "range", "file"):
        raise UsageError(f"found ties={policies['ties']!r}, expected an order by document id")
    names = [str(measure) for measure in measures_of(measures)]

    def column(name: str, kind: str, alias: str) -> Any:
        return F.col(name).cast(kind).alias(alias)

    if max_grade is None:
        found = qrels.agg(F.max(column(grade, "double", "grade"))).collect()[0][0]
        max_grade = max(found, 1.0) if found is not None else 1.0
    systems: list[str] | None = None
    if runs is not None:
        distinct = run.select(column(runs, "string", "run")).distinct().collect()
        systems = sorted(row["run"] for row in distinct if row["run"] is not None)
    nothing = F.lit(None).cast("double")
    judged = [column(topic, "string", "topic"), column(doc, "string", "doc")]
    judged += [column(grade, "double", "grade"), nothing.alias("score")]
    ranked = [column(topic, "string", "topic"), column(doc, "string", "doc")]
    ranked += [nothing.alias("grade"), column(score, "double", "score")]
    if runs is not None:
        judged.append(F.lit(None).cast("string").alias("run"))
        ranked.append(column(runs, "string", "run"))
    rows = qrels.select(*judged).unionAll(run.select(*ranked))
    dealt = rows.repartition("topic") if partitions is None else rows.repartition(partitions, "topic")
    named = {"run": systems} if systems is not None else None
    highest = float(max_grade)

    def scored(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        held = (pyarrow.table(batch) if hasattr(batch, "schema") else batch for batch in batches)
        found = evaluate_batches(held, names, max_grade=highest, runs=named, **policies)
        for table in found:
            yield from pyarrow.table(table).to_batches()

    shape = "topic string, measure string, value double, reason string"
    if systems is not None:
        shape = "topic string, run string, measure string, value double, reason string"
    frame = dealt.sortWithinPartitions("topic").mapInArrow(scored, shape)
    return SparkScores(frame, names, systems, str(policies.get("undefined", "zero")))


def _exact_sums(batches: Iterator[Any]) -> Iterator[Any]:
    """For each run and measure of a partition, numbers whose sum is exactly that of its scores."""
    import pyarrow

    values: dict[tuple[str | None, str], list[float]] = {}
    lacking: dict[tuple[str | None, str], int] = {}
    topics: dict[tuple[str | None, str], int] = {}

    def shortened(key: tuple[str | None, str]) -> None:
        values[key] = expansion(values[key])

    for batch in batches:
        names = batch.schema.names
        runs = batch.column("run").to_pylist() if "run" in names else [None] * batch.num_rows
        rows = zip(runs, batch.column("measure").to_pylist(), batch.column("value").to_pylist())
        for run, measure, value in rows:
            key = (run, measure)
            topics[key] = topics.get(key, 0) + 1
            if value is None:
                lacking[key] = lacking.get(key, 0) + 1
            else:
                values.setdefault(key, []).append(value)
        for key, held in list(values.items()):
            if len(held) > 1 << 16:
                shortened(key)
    out: dict[str, list[Any]] = {"run": [], "measure": [], "topics": [], "undefined": [], "part": []}
    for key, count in topics.items():
        parts = expansion(values.get(key, [])) or [0.0]
        for at, part in enumerate(parts):
            out["run"].append(key[0])
            out["measure"].append(key[1])
            # Counted once, though the sum may need several numbers.
            out["topics"].append(count if at == 0 else 0)
            out["undefined"].append(lacking.get(key, 0) if at == 0 else 0)
            out["part"].append(part)
    kinds = [pyarrow.string(), pyarrow.string(), pyarrow.int64(), pyarrow.int64(), pyarrow.float64()]
    arrays = [pyarrow.array(column, kind) for column, kind in zip(out.values(), kinds)]
    yield pyarrow.RecordBatch.from_arrays(arrays, names=list(out))


def expansion(values: list[float]) -> list[float]:
    """A few numbers with exactly the same sum.

    >>> expansion([1.0, 1e-30, 1.0])
    [2.0, 1e-30]
    """
    parts: list[float] = []
    while True:
        rest = math.fsum([*values, *(-part for part in parts)])
        if rest == 0.0:
            return parts
        parts.append(rest)
