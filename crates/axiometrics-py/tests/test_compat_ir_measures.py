"""`axiometrics.compat.ir_measures` against ir_measures itself, side by side on random data.

The data have ties everywhere, grades below 0, unjudged documents, topics that only one side has and
judgements without rows. Where the original divides by zero there is nothing to compare.
"""

import logging
import math
import random

import pytest

theirs = pytest.importorskip("ir_measures")
from axiometrics.compat import ir_measures as ours  # noqa: E402

NAMES = """
    AP AP@10 AP(rel=2) AP(judged_only=True) nDCG nDCG@10 nDCG(judged_only=True)@5
    nDCG(gains={0:1,1:5,2:3})@5 P@5 P(rel=2)@10 P(judged_only=True)@3 R@20 R(rel=2)@5 RR RR(rel=2)
    RR@10 RR(rel=2)@3 Rprec Bpref Success@3 SetP SetRelP SetP(judged_only=True) SetR SetF
    SetF(beta=2.0) SetAP infAP NumRet NumRelRet NumRel NumQ IPrec@0.0 IPrec@0.5 Compat Compat(p=0.8)
    Compat(normalize=False) Judged Judged@10 Accuracy Accuracy@5
""".split()
CWL = """
    RBP(rel=1) RBP(rel=2,p=0.5) BPM(max_rel=3)@10 SDCG(max_rel=3)@10 NERR8(max_rel=3)@10
    NERR9(max_rel=3)@5 NERR10(max_rel=3) NERR11(max_rel=3) INST(max_rel=3) INSQ(max_rel=3,T=2.0)
""".split()


def collection(seed):
    rng = random.Random(seed)
    topics = [str(i + 1) for i in range(rng.randint(1, 5))]
    documents = [f"d{i}" for i in range(rng.choice([3, 12, 40]))]
    rng.shuffle(documents)
    qrels, run = {}, {}
    for topic in topics:
        grades = rng.choice([[0], [0, 1], [0, 0, 1, 2, 3], [-1, 0, 1, 2]])
        if rng.random() < 0.9:
            judged = rng.sample(documents, rng.randint(0, len(documents)))
            qrels[topic] = {d: rng.choice(grades) for d in judged}
        if rng.random() < 0.9:
            retrieved = rng.sample(documents, rng.randint(1, len(documents)))
            run[topic] = {d: rng.randint(-3, 9) / 8 for d in retrieved}
    return qrels, run


def same(a, b):
    return math.isclose(a, b, abs_tol=1e-6) or (math.isnan(a) and math.isnan(b))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(40))
def test_values_and_means(seed):
    logging.disable(logging.WARNING)
    qrels, run = collection(seed)
    names = list(NAMES)
    if theirs.cwl_eval.is_available():
        names += CWL
    compared = 0
    for name in names:
        measure, own = theirs.parse_measure(name), ours.parse_measure(name)
        assert str(measure) == str(own)
        try:
            expected = theirs.calc([measure], qrels, run)
        except ZeroDivisionError:
            continue
        found = ours.calc([own], qrels, run)
        assert same(found.aggregated[own], expected.aggregated[measure]), name
        by_topic = {metric.query_id: metric.value for metric in expected.per_query}
        assert {metric.query_id for metric in found.per_query} == set(by_topic), name
        for metric in found.per_query:
            assert same(metric.value, by_topic[metric.query_id]), (name, metric.query_id)
        compared += 1
    assert compared >= len(names) - 2


def test_names_parameters_and_defaults():
    for name, measure in theirs.measures.registry.items():
        own = ours.measures.registry[name]
        assert (own.__name__, own.AT_PARAM, own.DEFAULT) == (
            measure.__name__,
            measure.AT_PARAM,
            measure.DEFAULT,
        )
        assert type(own.aggregator()).__name__ == type(measure.aggregator()).__name__
        assert own.SUPPORTED_PARAMS.keys() == measure.SUPPORTED_PARAMS.keys()
        for param, info in measure.SUPPORTED_PARAMS.items():
            mine = own.SUPPORTED_PARAMS[param]
            assert (mine.dtype, mine.required) == (info.dtype, info.required), (name, param)


@pytest.mark.parametrize("text", ["official", "P_10", "ndcg_cut.5,10", "set_F", "recall_5", "map"])
def test_names_of_trec_eval(text, capsys):
    expected = [str(measure) for measure in theirs.parse_trec_measure(text)]
    assert sorted(str(measure) for measure in ours.parse_trec_measure(text)) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "error"),
    [("nope", NameError), ("P@", ValueError), ("P(5)", ValueError), ("1+1", ValueError)],
)
def test_texts_that_are_no_measure(text, error):
    with pytest.raises(error):
        theirs.parse_measure(text)
    with pytest.raises(error):
        ours.parse_measure(text)


def test_records_and_generators():
    qrels = [ours.Qrel("1", "a", 1), ours.Qrel("1", "b", 0)]
    run = [ours.ScoredDoc("1", "b", 2.0), ours.ScoredDoc("1", "a", 1.0)]
    measures = [ours.RR, ours.RR @ 10, ours.Judged @ 1]
    values = ours.calc_aggregate(measures, iter(qrels), iter(run))
    assert values == {ours.RR: 0.5, ours.RR @ 10: 0.5, ours.Judged @ 1: 1.0}
    with pytest.raises(ValueError, match="unknown run format"):
        ours.calc_aggregate([ours.RR], qrels, [("1", "a", 1.0)])
    with pytest.raises(AssertionError):
        ours.calc_aggregate([ours.P], qrels, run)
