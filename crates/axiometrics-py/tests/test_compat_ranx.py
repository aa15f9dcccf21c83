"""The drop-in for ranx against ranx itself, side by side on random data.

ranx sorts documents with equal scores in an order of its own, so that the data have none.
"""

from __future__ import annotations

import json
import math
import os
import random

import pytest

from axiometrics.compat import ranx as ours

METRICS = """
    hits@5 hits@3-l2 hit_rate@3 hit_rate precision precision@5 precision@10-l2 recall recall@5 f1 f1@5
    r-precision mrr mrr@3-l2 map map@5 map@10-l2 dcg@5 dcg ndcg ndcg@5 ndcg@10-l2 dcg_burges@10
    ndcg_burges@10 ndcg_burges-l2 rbp.50 rbp.95-l2 bpref bpref-l2
""".split()
#: Thousands of cases are asked for by this variable.
BLOCKS = range(max(int(os.environ.get("AXIOMETRICS_SEEDS", "300")) // 30, 1))


def collection(seed: int, runs: int = 1):
    rng = random.Random(seed)
    topics = [f"q{n}" for n in range(rng.randint(1, 6))]
    docs = [f"d{n}" for n in range(rng.choice([4, 20, 60]))]

    def some():
        return rng.sample(docs, rng.randint(1, len(docs)))

    qrels = {t: {d: rng.choice([0, 0, 1, 2, 3]) for d in some()} for t in topics}
    ranked = []
    for _ in range(runs):
        run = {}
        for topic in topics:
            retrieved = some()
            run[topic] = dict(zip(retrieved, rng.sample(range(1000), len(retrieved))))
        ranked.append({t: {d: x / 7 for d, x in r.items()} for t, r in run.items()})
    return qrels, ranked


@pytest.mark.parametrize("block", BLOCKS)
def test_scores(block):
    theirs = pytest.importorskip("ranx")
    for seed in range(block * 30, block * 30 + 30):
        qrels, [run] = collection(seed)
        told = theirs.evaluate(theirs.Qrels(qrels), theirs.Run(run), METRICS, return_mean=False)
        found = ours.evaluate(ours.Qrels(qrels), ours.Run(run), METRICS, return_mean=False)
        for metric in METRICS:
            level = 2 if metric.endswith("-l2") else 1
            if metric.startswith("bpref") and not all(
                min(grades.values()) < level <= max(grades.values()) for grades in qrels.values()
            ):
                # It divides by zero there if a topic has nothing relevant or nothing else, and the
                # topics that its thread comes to afterwards are 0.
                continue
            assert list(found[metric]) == pytest.approx(list(told[metric]), abs=1e-12), metric


# Fisher's test draws a thousand permutations at random on each side.
@pytest.mark.parametrize(("test", "apart"), [("student", 1e-9), ("tukey", 1e-9), ("fisher", 0.07)])
def test_comparisons(test, apart):
    theirs = pytest.importorskip("ranx")
    for seed in range(5):
        rng = random.Random(seed)
        topics = [f"q{n}" for n in range(12)]
        docs = [f"d{n}" for n in range(30)]
        qrels = {t: {d: rng.choice([0, 1, 2]) for d in rng.sample(docs, 12)} for t in topics}
        runs = [
            {t: {d: rng.random() for d in rng.sample(docs, 20)} for t in topics} for _ in range(3)
        ]
        reports = []
        for library in (theirs, ours):
            named = [library.Run(run, name=f"m_{n}") for n, run in enumerate(runs)]
            metrics = ["map", "ndcg@5"]
            reports.append(
                library.compare(library.Qrels(qrels), named, metrics, stat_test=test, max_p=0.2)
            )
        told, found = (report.to_dict() for report in reports)
        assert found.keys() == told.keys() and found["model_names"] == told["model_names"]
        for model in told["model_names"]:
            assert found[model]["win_tie_loss"] == told[model]["win_tie_loss"]
            assert found[model]["scores"] == pytest.approx(told[model]["scores"])
            for other, p_values in told[model]["comparisons"].items():
                assert found[model]["comparisons"][other] == pytest.approx(p_values, abs=apart)


METHODS = [
    *((method, None) for method in "sum mnz max min med anz rrf isr log_isr bordafuse".split()),
    ("wsum", {"weights": [0.3, 0.7]}),
    ("rbc", {"phi": 0.8}),
    ("gmnz", {"gamma": 0.5}),
    ("mixed", {"weights": [0.3, 0.7]}),
    ("w_bordafuse", {"weights": [0.3, 0.7]}),
]


#: These look at ranks. Behind "borda" ranx has the documents in the order of a set of strings, which
#: changes from process to process, and takes that order for ranks.
BY_RANK = {"rrf", "isr", "log_isr", "bordafuse", "rbc", "w_bordafuse"}


@pytest.mark.parametrize("norm", ["min-max", "max", "sum", "zmuv", "rank", "borda", None])
def test_fusion(norm):
    theirs = pytest.importorskip("ranx")
    for seed in range(6):
        _, runs = collection(seed, runs=2)
        for method, params in METHODS:
            if norm == "borda" and method in BY_RANK:
                continue
            results = []
            for library in (theirs, ours):
                given = [library.Run(run) for run in runs]
                results.append(library.fuse(given, norm=norm, method=method, params=params).to_dict())
            told, found = results
            assert found.keys() == told.keys()
            for topic, scores in told.items():
                assert found[topic] == pytest.approx(scores, abs=1e-9), (method, norm)


def test_without_the_original(tmp_path):
    qrels = ours.Qrels({"1": {"a": 2, "b": 0}, "2": {"a": 1}})
    run = ours.Run({"1": {"a": 1.0, "x": 2.0}}, name="mine")
    with pytest.raises(AssertionError, match="do not match"):
        ours.evaluate(qrels, run, "map")
    assert ours.evaluate(qrels, run, "mrr", make_comparable=True) == 0.25
    assert run.scores["mrr"] == {"1": 0.5, "2": 0.0} and run.mean_scores == {"mrr": 0.25}
    assert ours.evaluate(qrels, run, ["map-l2", "hits"]) == {"map-l2": 0.25, "hits": 0.5}
    with pytest.raises(ValueError, match="not supported"):
        ours.evaluate(qrels, run, "nope")
    for name in ("run.json", "run.trec"):
        run.save(str(tmp_path / name))
        again = ours.Run.from_file(str(tmp_path / name))
        assert again["1"] == {"x": 2.0, "a": 1.0}
    qrels.save(str(tmp_path / "qrels.trec"))
    assert ours.Qrels.from_file(str(tmp_path / "qrels.trec")).to_dict() == qrels.to_dict()


def test_reports(tmp_path):
    qrels = ours.Qrels({str(n): {"a": 1, "b": 1} for n in range(8)})
    good = ours.Run({str(n): {"a": 2.0, "b": 1.0, "x": 0.1 * n} for n in range(8)}, "good_one")
    poor = ours.Run({str(n): {"x": 2.0, "a": 0.3 * n, "b": 1.0} for n in range(8)}, "poor")
    report = ours.compare(qrels, [good, poor], ["map", "ndcg@10-l2"])
    assert "\\textbf{" in report.to_latex() and "good\\_one" in report.to_latex()
    assert "NDCG@10-l2" in str(report) and "ᵇ" in str(report)
    report.save(tmp_path / "report.json")
    saved = json.loads((tmp_path / "report.json").read_text())
    assert saved["good_one"]["scores"]["map"] > 0.9
    assert math.isclose(saved["poor"]["scores"]["map"], report.results["poor"]["map"])
