"""The drop-in says what pytrec_eval says, on thousands of random cases and on odd ones."""

from __future__ import annotations

import os
import random

import pytest
from pytrec_eval_apart import Apart

from axiometrics.compat import pytrec_eval as ours

theirs = pytest.importorskip("pytrec_eval")
np = pytest.importorskip("numpy")


def case(rng: random.Random):
    docs = [f"d{n}" for n in range(rng.choice([3, 8, 40]))]
    grades = [0, 1] if rng.random() < 0.5 else [-1, 0, 0, 1, 2, 3]
    scores = [0.5, 1.0, 1.0 + 1e-9, -3.0] if rng.random() < 0.4 else None
    topics = [f"q{n}" for n in range(rng.randint(1, 5))]

    def some(least: int):
        return rng.sample(docs, rng.randint(least, len(docs)))

    qrels = {t: {d: rng.choice(grades) for d in some(0)} for t in topics if rng.random() < 0.9}
    # Of a topic with nothing but negative grades trec_eval 9 reads memory that it never wrote: the
    # answers of pytrec_eval differ from call to call.
    for graded in qrels.values():
        if graded and max(graded.values()) < 0:
            graded[next(iter(graded))] = 0
    # Empty rankings end pytrec_eval.
    run = {
        t: {d: rng.choice(scores) if scores else rng.uniform(-5, 5) for d in some(1)}
        for t in rng.sample(topics, len(topics))
        if rng.random() < 0.9
    }
    return qrels, run


def measures_of(rng: random.Random):
    pool = sorted(theirs.supported_measures) + ["P_3", "ndcg_cut.2,7", "map_cut_4", "recall_5", "success_1", "set_F_2.0", "set_F_0.3"]
    return {"official"} if rng.random() < 0.1 else {*rng.sample(pool, rng.randint(0, 6))}


@pytest.fixture(scope="module")
def apart():
    process = Apart()
    yield process
    process.close()


def test_topics_with_only_negative_grades_have_nothing_relevant():
    found = ours.RelevanceEvaluator({"q": {"d": -1}}, {"map", "num_ret", "num_rel", "gm_map"}).evaluate({"q": {"d": 1.0, "e": 0.5}})
    assert found["q"]["num_ret"] == 2 and found["q"]["num_rel"] == 0 and found["q"]["map"] == 0
    assert found["q"]["gm_map"] == pytest.approx(np.log(1e-5))


#: Thousands more are asked for by this variable.
BLOCKS = range(max(int(os.environ.get("AXIOMETRICS_SEEDS", "3000")) // 150, 1))


@pytest.mark.parametrize("block", BLOCKS)
def test_values_keys_and_order_are_those_of_pytrec_eval(block, apart):
    rng = random.Random(block)
    compared = 0
    for _ in range(150):
        qrels, run = case(rng)
        measures = measures_of(rng)
        level, judged = rng.choice([1, 1, 2]), rng.random() < 0.2
        a = apart.evaluate(qrels, run, measures, level, judged)
        if a is None:
            continue
        compared += 1
        b = ours.RelevanceEvaluator(qrels, measures, level, judged).evaluate(run)
        assert list(a) == list(b), (qrels, run)
        for topic in a:
            assert sorted(a[topic]) == sorted(b[topic]), (measures, qrels, run)
            for name, value in a[topic].items():
                told = (name, topic, measures, level, judged, qrels, run)
                expected = pytest.approx(value, abs=1e-12, rel=1e-12, nan_ok=True)
                assert b[topic][name] == expected, told
    assert compared > 140


@pytest.mark.parametrize(
    "use",
    [
        lambda p: p.RelevanceEvaluator({"q": {"d": 1}}, {"nope"}),
        lambda p: p.RelevanceEvaluator({"q": {"d": 1}}, "map"),
        lambda p: p.RelevanceEvaluator({"q": {"d": 1.5}}, {"map"}),
        lambda p: p.RelevanceEvaluator({"q": {"d": "1"}}, {"map"}),
        lambda p: p.RelevanceEvaluator({"q": {1: 1}}, {"map"}),
        lambda p: p.RelevanceEvaluator({1: {"d": 1}}, {"map"}),
        lambda p: p.RelevanceEvaluator({"q": [1]}, {"map"}),
        lambda p: p.RelevanceEvaluator([1], {"map"}),
        lambda p: p.RelevanceEvaluator({"q": {"d": 1}}, {"map"}).evaluate({"q": {"d": "x"}}),
        lambda p: p.RelevanceEvaluator({"q": {"d": 1}}, {"map"}).evaluate({"q": {"d": None}}),
        lambda p: p.RelevanceEvaluator({"q": {"d": 1}}, {"map"}).evaluate({"q": {1: 1.0}}),
        lambda p: p.RelevanceEvaluator({"q": {"d": 1}}, {"map"}).evaluate({1: {"d": 1.0}}),
        lambda p: p.RelevanceEvaluator({"q": {"d": 1}}, {"map"}).evaluate({"q": [1]}),
        lambda p: p.RelevanceEvaluator({"q": {"d": 1}}, {"map"}).evaluate([1]),
    ],
)
def test_exceptions_are_those_of_pytrec_eval(use):
    with pytest.raises(Exception) as expected:
        use(theirs)
    with pytest.raises(type(expected.value)):
        use(ours)


def test_odd_cases(apart):
    for qrels, run, measures in [
        ({"q": {"d": 1}}, {}, {"map"}),
        ({}, {"q": {"d": 1.0}}, {"map"}),
        ({"q": {}}, {"q": {"d": 1.0}}, {"map"}),
        ({"q": {"d": True}}, {"q": {"d": True}}, {"map"}),
        ({"q": {"d": 1}}, {"q": {"d": float("inf"), "e": float("-inf")}}, {"map"}),
        ({"q": {"d": 1}}, {"q": {"d": np.float64(2)}}, set()),
        ({"q": {"d": -5}}, {"q": {"d": 1.0}}, {"map", "num_rel", "bpref"}),
    ]:
        told = apart.evaluate(qrels, run, measures)
        if told is None:
            continue
        assert ours.RelevanceEvaluator(qrels, measures).evaluate(run) == told


def test_an_empty_ranking_has_scores():
    """pytrec_eval ends the interpreter; trec_eval counts such a topic with -c."""
    evaluator = ours.RelevanceEvaluator({"q": {"d": 1}}, {"map", "num_ret", "num_rel", "P_5"})
    expected = {"map": 0.0, "num_ret": 0.0, "num_rel": 1.0, "P_5": 0.0}
    assert evaluator.evaluate({"q": {}}) == {"q": expected}


def test_what_pytrec_eval_refuses_and_we_accept():
    run = {"q": {"d": np.float32(1), "e": np.int64(2)}}
    assert ours.RelevanceEvaluator({"q": {"d": 1}}, {"recip_rank"}).evaluate(run) == {
        "q": {"recip_rank": 0.5}
    }
    evaluator = ours.RelevanceEvaluator({"q": {"d": 0.5}}, {"ndcg"}, float_grades=True)
    assert evaluator.evaluate({"q": {"d": 1.0}}) == {"q": {"ndcg": 1.0}}
    with pytest.raises(ValueError):
        ours.RelevanceEvaluator({"q": {"d": 1}}, {"ndcg_cut_0"})


def test_names_and_aggregates():
    assert ours.supported_measures == set(theirs.supported_measures)
    assert {n: set(m) for n, m in theirs.supported_nicknames.items()} == ours.supported_nicknames
    for name in ("map", "num_rel", "gm_map"):
        values = [0.25, 0.5, 1.0]
        assert ours.compute_aggregated_measure(name, values) == pytest.approx(
            theirs.compute_aggregated_measure(name, values)
        )
    lines = ["q1 Q0 d1 1 2.5 x", "q1 Q0 d2 2 1.5 x"]
    assert ours.parse_run(lines) == theirs.parse_run(lines)
    assert ours.parse_qrel(["q 0 d 1"]) == theirs.parse_qrel(["q 0 d 1"])
    with pytest.raises(AssertionError):
        ours.parse_run(lines + lines)


def test_beir_calls_it_so():
    """The calls of BEIR's EvaluateRetrieval.evaluate, literally."""
    rng = random.Random(7)
    qrels = {f"q{t}": {f"d{d}": rng.choice([0, 1, 2]) for d in range(20)} for t in range(10)}
    results = {f"q{t}": {f"d{d}": rng.random() for d in range(15, 60)} for t in range(10)}
    k_values = [1, 3, 5, 10, 100]
    text = [f"{name}." + ",".join(str(k) for k in k_values) for name in ("map_cut", "ndcg_cut", "recall", "P")]
    told = []
    for library in (theirs, ours):
        evaluator = library.RelevanceEvaluator(qrels, set(text))
        scores = evaluator.evaluate(results)
        means = {}
        for k in k_values:
            for name in ("ndcg_cut_", "map_cut_", "recall_", "P_"):
                means[name + str(k)] = round(sum(s[name + str(k)] for s in scores.values()) / len(scores), 5)
        told.append(means)
    assert told[0] == told[1]
