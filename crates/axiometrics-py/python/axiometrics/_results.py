"""What an evaluation found, and how it becomes tables of other libraries."""

from __future__ import annotations

from collections.abc import Mapping

from ._errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ._native import Scores

# Tables in notebooks have marks of significance if that takes no time to speak of.
FEW_RUNS, FEW_TOPICS = 8, 1000


class Evaluation(Mapping[str, "Any"]):
    """The scores of one run, or of several, by some measures.

    With one run it maps measures to means: ``result["AP"]``; with several, runs to such mappings:
    ``result["bm25"]["AP"]``. With one run and one measure, ``float(result)`` is the mean.

    >>> import axiometrics as ax
    >>> qrels = {"1": {"a": 1}, "2": {"b": 1}}
    >>> runs = {"one": {"1": {"a": 2.0}}, "two": {"1": {"x": 2.0, "a": 1.0}, "2": {"b": 1.0}}}
    >>> result = ax.evaluate(qrels, runs, ["RR"], missing="skip")
    >>> result["two"]["RR"]
    0.75
    >>> result.to_dict()
    {'one': {'RR': 1.0}, 'two': {'RR': 0.75}}
    """

    def __init__(self, native: Scores) -> None:
        self._native = native

    @property
    def runs(self) -> list[str]:
        """The names of the runs."""
        return self._native.runs

    @property
    def measures(self) -> list[str]:
        """The names of the measures."""
        return self._native.measures

    @property
    def settings(self) -> str:
        """How the runs were scored, in a sentence."""
        return self._native.settings

    @property
    def warnings(self) -> list[str]:
        """What was not as it should be, each with what to do about it."""
        return [f"{message}\n  help: {help}" for _, _, message, help in self._native.warnings]

    def _summaries(self, run: int) -> dict[str, float | None]:
        return dict(zip(self.measures, self._native.summary(run)))

    def __getitem__(self, name: object) -> Any:
        runs = self.runs
        if name in runs:
            return self._summaries(runs.index(str(name)))
        if len(runs) == 1:
            return self._summaries(0)[self.measures[self._measure(name)]]
        raise KeyError(name)

    def _measure(self, name: object) -> int:
        from . import _native

        names = self.measures
        text = str(name)
        if text not in names:
            try:
                text = _native.canonical(text)[0]
            except ValueError:
                pass
        if text not in names:
            raise KeyError(name)
        return names.index(text)

    def __iter__(self) -> Iterator[str]:
        return iter(self.runs if len(self.runs) > 1 else self.measures)

    def __len__(self) -> int:
        return len(self.runs) if len(self.runs) > 1 else len(self.measures)

    def __float__(self) -> float:
        if len(self.runs) != 1 or len(self.measures) != 1:
            raise TypeError(
                f"found {len(self.runs)} runs and {len(self.measures)} measures, expected one of each"
            )
        value = self._native.summary(0)[0]
        return float("nan") if value is None else value

    @property
    def topics(self) -> dict[str, Any]:
        """The scores of each topic: by topic and measure, below the run if there are several."""
        every = {run: self._by_topic(at) for at, run in enumerate(self.runs)}
        return every[self.runs[0]] if len(every) == 1 else every

    def _by_topic(self, run: int) -> dict[str, dict[str, float | None]]:
        topics = self._native.topics(run)
        rows: dict[str, dict[str, float | None]] = {topic: {} for topic in topics}
        for at, measure in enumerate(self.measures):
            for topic, value in zip(topics, self._native.values(run, at)):
                rows[topic][measure] = value
        return rows

    def undefined(self, measure: object, run: str | None = None) -> dict[str, str]:
        """Why a measure is undefined, by topic."""
        at = 0 if run is None else self.runs.index(run)
        return dict(self._native.reasons(at, self._measure(measure)))

    def range(self, measure: object, run: str | None = None) -> tuple[float, float] | None:
        """The lowest and the highest mean that any judgement of unjudged documents could give."""
        if not self._native.has_ranges:
            raise UsageError("no ranges were asked for, expected ranges=True in evaluate")
        at = 0 if run is None else self.runs.index(run)
        return self._native.summary_ranges(at)[self._measure(measure)]

    def to_dict(self) -> dict[str, Any]:
        """Means by run and measure; of one run by measure alone; by topic too if it was asked for."""
        if not self._native.per_topic:
            every: dict[str, Any] = {run: self._summaries(at) for at, run in enumerate(self.runs)}
        else:
            every = {run: self._by_topic(at) for at, run in enumerate(self.runs)}
        return every[self.runs[0]] if len(every) == 1 else every

    def _columns(self) -> dict[str, list[Any]]:
        native = self._native
        ranged = native.has_ranges
        columns: dict[str, list[Any]] = {"run": [], "measure": []}
        columns |= {"topic": []} if native.per_topic else {}
        columns |= {"value": []}
        columns |= {"low": [], "high": []} if ranged else {}
        for at, run in enumerate(self.runs):
            means, spans = native.summary(at), native.summary_ranges(at) if ranged else []
            for m, measure in enumerate(self.measures):
                if native.per_topic:
                    topics = native.topics(at)
                    values = native.values(at, m)
                    columns["topic"] += topics
                    found = native.ranges(at, m) if ranged else []
                else:
                    values, found = [means[m]], spans[m : m + 1]
                columns["run"] += [run] * len(values)
                columns["measure"] += [measure] * len(values)
                columns["value"] += values
                if ranged:
                    columns["low"] += [None if span is None else span[0] for span in found]
                    columns["high"] += [None if span is None else span[1] for span in found]
        return columns

    def to_pandas(self) -> Any:
        """A data frame: run, measure, topic if topics were asked for, value, and its range."""
        import pandas  # type: ignore[import-untyped, unused-ignore]

        columns = self._columns()
        numbers = {name: "float64" for name in ("value", "low", "high") if name in columns}
        return pandas.DataFrame(columns).astype(numbers)

    def to_polars(self) -> Any:
        """The same for polars."""
        import polars

        columns = self._columns()
        numbers: dict[str, Any] = {
            n: polars.Float64 for n in ("value", "low", "high") if n in columns
        }
        return polars.DataFrame(columns, schema_overrides=numbers)

    def to_arrow(self) -> Any:
        """The same for pyarrow."""
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        columns = self._columns()
        fields = [
            (name, pyarrow.float64() if name in ("value", "low", "high") else pyarrow.string())
            for name in columns
        ]
        return pyarrow.table(columns, schema=pyarrow.schema(fields))

    def to_latex(self, places: int | None = None) -> str:
        """A table for a paper (booktabs), the best values bold."""
        return self._native.render("latex", self._native.per_topic, places)

    def to_markdown(self, places: int | None = None) -> str:
        """A table in Markdown."""
        return self._native.render("markdown", self._native.per_topic, places)

    def to_csv(self, places: int | None = None) -> str:
        """A line for each value."""
        return self._native.render("csv", self._native.per_topic, places)

    def to_json(self) -> str:
        """The document of ``axio eval --format json``."""
        return self._native.render("json", self._native.per_topic)

    def __str__(self) -> str:
        return self._native.render("table", self._native.per_topic).rstrip("\n")

    __repr__ = __str__

    def plot(self, measure: object = None) -> SVG:
        """How the scores of topics are spread, run by run."""
        return SVG(self._native.plot(0 if measure is None else self._measure(measure)))

    def _repr_html_(self) -> str:
        from ._html import evaluation

        return evaluation(self)

    def marks(self, baseline: str | None = None) -> dict[str, dict[str, bool]]:
        """By measure and run, whether it differs significantly from the baseline.

        The baseline is the first run unless another is named. The test is that of
        :func:`axiometrics.compare`, with its correction.
        """
        import json

        at = 0 if baseline is None else self.runs.index(baseline)
        compared = json.loads(self._native.compared(at))
        found: dict[str, dict[str, bool]] = {}
        for measure in compared["measures"]:
            found[measure["measure"]] = {
                pair["b"] if pair["a"] == self.runs[at] else pair["a"]: bool(pair["significant"])
                for pair in measure["pairs"]
            }
        return found


class SVG:
    """A picture that notebooks show and that can be saved."""

    def __init__(self, text: str) -> None:
        self._text = text

    def _repr_svg_(self) -> str:
        return self._text

    def __str__(self) -> str:
        return self._text

    def save(self, path: str) -> None:
        """Writes the picture to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._text)
