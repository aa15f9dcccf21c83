"""The provider that asks ranx in the original: its measures, by the drop-in for ranx."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..ranx.evaluate import by_topic
from .measures import Measure
from .providers import _GRADED, _NONE, REQUIRED, Accepts, Evaluator, NativeProvider, Way
from .util import Metric, qrels_dict, run_dict

#: ranx's names of measures: with a cutoff, and without one.
NAMES = {
    "P": ("precision@{k}", "precision"),
    "SetP": ("precision", "precision"),
    "R": ("recall@{k}", "recall"),
    "SetR": ("recall", "recall"),
    "RR": ("mrr", "mrr"),
    "AP": ("map@{k}", "map"),
    "Success": ("hit_rate@{k}", "hit_rate"),
    "NumRet": ("hits", "hits"),
    "Rprec": ("r-precision", "r-precision"),
}
_ALL: dict[str, tuple[Any, ...] | None] = {"judged_only": (False,)}
_ACCEPTS: Accepts = {
    "P": _ALL,
    "SetP": _ALL,
    "RR": {"cutoff": _NONE, **_ALL},
    "Rprec": _ALL,
    "AP": _ALL,
    "nDCG": {"gains": _NONE, **_ALL},
    "R": _ALL,
    "SetR": _GRADED,
    "NumRet": {"rel": REQUIRED},
    "Success": {"cutoff": REQUIRED, **_ALL},
}


class RanxProvider(NativeProvider):
    """Computes measures as ranx does; run and judgements must have the same topics."""

    def __init__(self) -> None:
        super().__init__("ranx", Way("docid-desc"), _ACCEPTS)

    def _evaluator(self, measures: Iterable[Measure], qrels: object) -> Evaluator:
        measures = list(measures)
        for measure in measures:
            if not self.supports(measure):
                raise ValueError(f"unsupported measure {measure}")
        return RanxEvaluator(measures, qrels)


class RanxEvaluator(Evaluator):
    """Scores runs by the names of ranx's metrics."""

    def __init__(self, measures: list[Measure], qrels: object) -> None:
        grades = qrels_dict(qrels)
        self.qrels = {topic: docs for topic, docs in grades.items() if docs}
        super().__init__(measures, set(self.qrels))

    def _iter_calc(self, run: object) -> Iterator[Any]:
        rankings = {topic: docs for topic, docs in run_dict(run).items() if docs}
        assert rankings.keys() == self.qrels.keys(), "Qrels and Run query ids do not match"
        for measure in self.measures:
            metric, rel = _metric(measure)
            grades: dict[str, dict[str, int]] = self.qrels
            if rel is not None:
                # Measures of sets see two grades alone.
                grades = {
                    topic: {doc: int(grade >= rel) for doc, grade in docs.items()}
                    for topic, docs in grades.items()
                }
            values = by_topic(grades, rankings, [metric])[metric]
            for topic, value in zip(sorted(grades), values):
                yield Metric(query_id=topic, measure=measure, value=value)


def _metric(measure: Measure) -> tuple[str, int | None]:
    """ranx's name of a measure, and the lowest relevant grade if grades beyond it do not matter."""
    cutoff = measure.params.get("cutoff")
    if measure.NAME == "nDCG":
        name = "ndcg_burges" if measure["dcg"] == "exp-log2" else "ndcg"
        return (f"{name}@{cutoff}" if cutoff is not None else name), None
    deep, whole = NAMES[measure.NAME or ""]
    rel: int = measure["rel"]
    return (deep.format(k=cutoff) if cutoff is not None else whole), rel


ranx = RanxProvider()
