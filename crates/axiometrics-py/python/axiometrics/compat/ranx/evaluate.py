"""Scores by the names of ranx's metrics, and comparisons of runs by them."""

from __future__ import annotations

import math

from ... import _native
from .data import Qrels, Run
from .report import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

#: No ranking is deeper.
DEEPEST = 2**32 - 1

#: The measures behind ranx's names: with a cutoff, and without one.
MEASURES = {
    "hits": ("NumRet(rel={l})@{k}", "NumRet(rel={l})"),
    "hit_rate": ("Success(rel={l})@{k}", f"Success(rel={{l}})@{DEEPEST}"),
    "precision": ("P(rel={l})@{k}", "SetP(rel={l})"),
    "recall": ("R(rel={l})@{k}", "SetR(rel={l})"),
    "f1": ("F(rel={l})@{k}", "SetF(rel={l})"),
    "r_precision": ("RPrec(rel={l})", "RPrec(rel={l})"),
    "r-precision": ("RPrec(rel={l})", "RPrec(rel={l})"),
    "bpref": ("Bpref(rel={l})", "Bpref(rel={l})"),
    "mrr": ("RR(rel={l})@{k}", "RR(rel={l})"),
    "map": ("AP(rel={l})@{k}", "AP(rel={l})"),
    "dcg": ("DCG@{k}", "DCG"),
    "dcg_burges": ("DCG(dcg=exp-log2)@{k}", "DCG(dcg=exp-log2)"),
    "ndcg": ("nDCG@{k}", "nDCG"),
    "ndcg_burges": ("nDCG(dcg=exp-log2)@{k}", "nDCG(dcg=exp-log2)"),
}


def measure_of(metric: str) -> tuple[str, int]:
    """The measure behind a metric, and the lowest grade that counts.

    >>> measure_of("map@10-l2")
    ('AP(rel=2)@10', 2)
    >>> measure_of("rbp.95")
    ('RBP(p=0.95)', 1)
    """
    name, _, level = metric.partition("-l")
    least = int(level) if level else 1
    if name.startswith("rbp"):
        _, dot, digits = name.partition("." if "." in name else "@")
        if not dot:
            raise ValueError(f"{metric}: found no persistence, expected one as in rbp.95")
        return f"RBP(p={float('0.' + digits)})", least
    name, _, cutoff = name.partition("@")
    if name not in MEASURES:
        raise ValueError(f"Metric {name} not supported. Supported are {', '.join(MEASURES)}.")
    k = int(cutoff) if cutoff else 0
    assert k >= 0, "k must be greater or equal to 0"
    deep, whole = MEASURES[name]
    return (deep if k else whole).format(l=least, k=k), least


def _plain(data: object) -> Mapping[str, Mapping[str, float]]:
    if isinstance(data, (Qrels, Run)):
        return data._in_order()
    if isinstance(data, dict):
        return data
    kind = type(data).__name__
    raise TypeError(f"found an object of type {kind}, expected Qrels, a Run or a dict")


def by_topic(qrels: object, run: object, metrics: list[str]) -> dict[str, list[float]]:
    """The scores of each metric, by the sorted topics of the judgements."""
    judged, ranked = _plain(qrels), _plain(run)
    topics = sorted(judged)
    wanted = {metric: measure_of(metric) for metric in metrics}
    filled = {topic: documents for topic, documents in ranked.items() if documents}
    found: dict[str, list[float]] = {}
    for least in sorted({least for _, least in wanted.values()}):
        # Grades below the level gain nothing, but they are judgements; negative ones too.
        grades = {
            topic: {doc: g if g >= least else 0 for doc, g in documents.items()}
            for topic, documents in judged.items()
        }
        ours = [metric for metric in metrics if wanted[metric][1] == least]
        rows = _scored(grades, filled, [wanted[metric][0] for metric in ours])
        # ranx takes grades for gains in RBP too, which may then exceed 1.
        highest = max((g for documents in grades.values() for g in documents.values()), default=0)
        for at, metric in enumerate(ours):
            factor = max(highest, 0) if metric.startswith("rbp") else 1
            found[metric] = [rows[at].get(topic, 0.0) * factor for topic in topics]
    return {metric: found[metric] for metric in metrics}


def _scored(
    grades: Mapping[str, Mapping[str, float]],
    run: Mapping[str, Mapping[str, float]],
    measures: list[str],
) -> list[dict[str, float]]:
    import warnings

    judged = {topic: documents for topic, documents in grades.items() if documents}
    if not any(topic in run for topic in judged):
        return [{} for _ in measures]
    names = list(dict.fromkeys(measures))
    with warnings.catch_warnings():
        # ranx has no warnings.
        warnings.simplefilter("ignore")
        scores = _native.evaluate(
            judged, [run], ["run"], [*names],
            missing="zero", undefined="zero", ties="docid-desc", scores="f64", order="desc",
            duplicates="error", map=None, pool="max", max_grade=None, depth=None, lenient=False,
            prune=False, ranges=None, threads=None, per_topic=True, progress=None,
        )  # fmt: skip
    topics = scores.topics(0)
    columns = {
        name: {t: 0.0 if x is None else x for t, x in zip(topics, scores.values(0, at))}
        for at, name in enumerate(names)
    }
    return [columns[measure] for measure in measures]


def _as_array(values: list[float]) -> Any:
    try:
        import numpy
    except ImportError:
        return values
    return numpy.array(values)


def mean(values: list[float]) -> float:
    """The mean, 0/0 if there is nothing."""
    return math.fsum(values) / len(values) if values else math.nan


def deviation(values: list[float]) -> float:
    """The standard deviation of all values."""
    middle = mean(values)
    return math.sqrt(mean([(x - middle) ** 2 for x in values])) if values else math.nan


def _listed(metrics: str | Iterable[str]) -> list[str]:
    listed = [metrics] if isinstance(metrics, str) else list(metrics)
    assert all(isinstance(metric, str) for metric in listed), "Metrics error"
    return listed


def evaluate(
    qrels: object,
    run: object,
    metrics: str | Iterable[str],
    return_mean: bool = True,
    return_std: bool = False,
    threads: int = 0,
    save_results_in_run: bool = True,
    make_comparable: bool = False,
) -> Any:
    """Scores a run: a number for one metric, a dict for several; of each topic if no mean is wanted.

    >>> evaluate({"q": {"a": 1, "b": 1}}, {"q": {"a": 2.0, "x": 1.0}}, ["map", "recall@1"])
    {'map': 0.5, 'recall@1': 0.5}
    """
    del threads
    listed = _listed(metrics)
    if make_comparable and isinstance(qrels, Qrels) and isinstance(run, Run):
        run = Run(run.run, run.name).make_comparable(qrels) if not save_results_in_run else (
            run.make_comparable(qrels)
        )
    assert set(_plain(qrels)) == set(_plain(run)), "Qrels and Run query ids do not match"
    topics = sorted(_plain(qrels))
    found = by_topic(qrels, run, listed)
    if isinstance(run, Run) and save_results_in_run:
        for metric, values in found.items():
            run.mean_scores[metric] = mean(values)
            if return_std:
                run.std_scores[metric] = deviation(values)
            run.scores[metric] = dict(zip(topics, values))
    result: dict[str, Any] = {}
    for metric, values in found.items():
        if not return_mean:
            result[metric] = _as_array(values)
        elif return_std:
            result[metric] = {"mean": mean(values), "std": deviation(values)}
        else:
            result[metric] = mean(values)
    return result[listed[0]] if len(listed) == 1 else result


TESTS = {"student": "t", "fisher": "randomisation", "tukey": "unpaired tukey"}


def compare(
    qrels: Qrels,
    runs: list[Run],
    metrics: str | Iterable[str],
    stat_test: str = "student",
    n_permutations: int = 1000,
    max_p: float = 0.01,
    random_seed: int = 42,
    threads: int = 0,
    rounding_digits: int = 3,
    show_percentages: bool = False,
    make_comparable: bool = False,
) -> Report:
    """Scores runs and tests their differences, pair by pair and without a correction.

    >>> qrels = Qrels({str(n): {"a": 1, "b": 1} for n in range(8)})
    >>> good = Run({str(n): {"a": 2.0, "b": 1.0, "x": 0.1 * n} for n in range(8)}, "good")
    >>> poor = Run({str(n): {"x": 2.0, "a": 0.3 * n, "b": 1.0} for n in range(8)}, "poor")
    >>> compare(qrels, [good, poor], "map").to_dict()["good"]["win_tie_loss"]["poor"]["map"]
    {'W': 8, 'T': 0, 'L': 0}
    """
    del threads
    if stat_test not in TESTS:
        raise ValueError(f"found the test {stat_test!r}, expected one of {sorted(TESTS)}")
    listed = _listed(metrics)
    names = [run.name if run.name is not None else f"run_{at}" for at, run in enumerate(runs, 1)]
    scores: dict[str, dict[str, list[float]]] = {}
    for name, run in zip(names, runs):
        if make_comparable:
            run = run.make_comparable(qrels)
        assert set(qrels.keys()) == set(run.keys()), "Qrels and Run query ids do not match"
        scores[name] = by_topic(qrels, run, listed)
        for metric, values in scores[name].items():
            run.mean_scores[metric] = mean(values)
            run.scores[metric] = dict(zip(sorted(qrels.keys()), values))
    p_values = _p_values(scores, listed, stat_test, n_permutations, random_seed)
    return Report(names, listed, scores, p_values, max_p, rounding_digits, show_percentages, stat_test)


def _p_values(
    scores: dict[str, dict[str, list[float]]],
    metrics: list[str],
    stat_test: str,
    n_permutations: int,
    random_seed: int,
) -> dict[frozenset[str], dict[str, float]]:
    """The p-value of each pair by each metric."""
    import json
    import warnings

    names = list(scores)
    found: dict[frozenset[str], dict[str, float]] = {}
    if len(names) < 2:
        return found
    if stat_test == "tukey":
        for metric in metrics:
            for first, second, p in _native.unpaired_tukey([scores[n][metric] for n in names]):
                both = frozenset((names[first], names[second]))
                found.setdefault(both, {})[metric] = math.nan if p is None else p
        return found
    rows = ["run\ttopic\tmeasure\tvalue"]
    for s, name in enumerate(names):
        for m, metric in enumerate(metrics):
            rows += [f"s{s}\t{t}\tm{m}\t{x!r}" for t, x in enumerate(scores[name][metric])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, text, _ = _native.call(
            [
                "compare", "--table", "scores", f"--test={TESTS[stat_test]}", "--correction=none",
                f"--resamples={n_permutations}", f"--seed={random_seed}", "--format", "json",
            ],
            [("scores", "\n".join(rows).encode())],
            [],
        )  # fmt: skip
    for measure in json.loads(text)["measures"]:
        metric = metrics[int(measure["measure"][1:])]
        for pair in measure["pairs"]:
            a, b = (names[int(pair[side][1:])] for side in ("a", "b"))
            p = pair["p"]
            found.setdefault(frozenset((a, b)), {})[metric] = math.nan if p is None else p
    return found
