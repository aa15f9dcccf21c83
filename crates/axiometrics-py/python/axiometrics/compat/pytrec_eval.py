"""In place of pytrec_eval: ``from axiometrics.compat import pytrec_eval``.

The names, the keys and the exceptions are those of pytrec_eval; so are the values, topic by topic.
It differs where pytrec_eval fails: scores may be any numbers, such as ``numpy.float32``; a score
that is NaN is an error instead of an arbitrary order; a cutoff of 0 is an error instead of the end
of the interpreter.
"""

from __future__ import annotations

import re

from .. import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

_names, _nicknames = _native.trec_names()

# What trec_eval 10 added to the release that pytrec_eval has.
_NEWER = {"rbp", "rbp_resid", "unj"}

#: The nicknames, each with the measures that it stands for.
supported_nicknames: dict[str, set[str]] = {
    name: set(names) - _NEWER for name, names in _nicknames
}
#: The measures that can be computed from grades.
supported_measures: set[str] = set(supported_nicknames["all_trec"])


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Reads the lines of a TREC run.

    >>> parse_run(["q1 Q0 d1 1 2.5 mine"])
    {'q1': {'d1': 2.5}}
    """
    run: dict[str, dict[str, float]] = {}
    for line in f_run:
        query_id, _, object_id, _, score, _ = line.strip().split()
        topic = run.setdefault(query_id, {})
        assert object_id not in topic, f"{object_id} is in {query_id} twice"
        topic[object_id] = float(score)
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Reads the lines of TREC judgements.

    >>> parse_qrel(["q1 0 d1 2"])
    {'q1': {'d1': 2}}
    """
    qrel: dict[str, dict[str, int]] = {}
    for line in f_qrel:
        query_id, _, object_id, relevance = line.strip().split()
        topic = qrel.setdefault(query_id, {})
        assert object_id not in topic, f"{object_id} is judged twice in {query_id}"
        topic[object_id] = int(relevance)
    return qrel


def compute_aggregated_measure(measure: str, values: list[float]) -> float:
    """One number of all topics: a sum of counts, a geometric mean, or the mean.

    >>> compute_aggregated_measure("map", [0.5, 1.0])
    0.75
    """
    import math

    total = math.fsum(values)
    if measure.startswith("num_"):
        return total
    mean = total / len(values) if len(values) else math.nan
    return math.exp(mean) if measure.startswith("gm_") else mean


class RelevanceEvaluator:
    """Scores runs by measures of trec_eval.

    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 1}}, {"map", "ndcg_cut_5"})
    >>> evaluator.evaluate({"q1": {"d2": 2.0, "d1": 1.0}})["q1"]["map"]
    0.5

    ``float_grades=True`` accepts grades that are no whole numbers, which pytrec_eval refuses.
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
        *,
        float_grades: bool = False,
    ) -> None:
        measures = set(measures)
        self._made = (query_relevance, measures, relevance_level, judged_docs_only_flag, float_grades)
        combined = _combined(_expanded(measures))
        judged = {topic: grades for topic, grades in query_relevance.items() if len(grades) > 0}
        self._native = _native.TrecEvaluator(
            judged, combined, relevance_level, bool(judged_docs_only_flag), float_grades
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _again, self._made

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """The scores of the topics that the run and the judgements share, in the run's order."""
        if not scores:
            return {}
        if not isinstance(scores, dict):
            raise TypeError("Argument object scores should be of type dictionary.")
        return self._native.evaluate(scores)


def _again(
    query_relevance: Mapping[str, Mapping[str, int]],
    measures: set[str],
    relevance_level: int,
    judged_docs_only: bool,
    float_grades: bool,
) -> RelevanceEvaluator:
    """An evaluator as it was pickled."""
    return RelevanceEvaluator(
        query_relevance, measures, relevance_level, judged_docs_only, float_grades=float_grades
    )


def _expanded(measures: Iterable[str]) -> set[str]:
    """Measures without nicknames."""
    found: set[str] = set()
    for measure in measures:
        found.update(supported_nicknames.get(measure, {measure}))
    return found


def _combined(measures: set[str]) -> list[str]:
    """Each measure once, with all its parameters behind a dot."""
    params: dict[str, set[str]] = {}
    known = sorted(supported_measures, key=len, reverse=True)
    every = supported_measures | {name for names in supported_nicknames.values() for name in names}
    for measure in measures:
        if measure in every:
            params.setdefault(measure, set())
            continue
        numbers = r"[0-9]+(\.[0-9]+)?(,[0-9]+(\.[0-9]+)?)*"
        for name in known:
            match = re.match(rf"{re.escape(name)}[._]({numbers})", measure)
            if match:
                params.setdefault(name, set()).update(match.group(1).split(","))
                break
        else:
            raise ValueError(f"unsupported measure {measure}")
    return [
        f"{name}.{','.join(sorted(given))}" if given else name for name, given in params.items()
    ]
