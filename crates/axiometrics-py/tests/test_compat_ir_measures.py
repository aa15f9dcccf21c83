"""`axiometrics.compat.ir_measures` against ir_measures itself, side by side on random data.

The data have ties everywhere, grades below 0, unjudged documents, topics that only one side has and
judgements without rows. Where the original divides by zero there is nothing to compare.
"""

import logging
import math
import os
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


PROVIDERS = {
    "pytrec_eval": "P@5 RR AP AP@3 nDCG@10 SetF(beta=0.3) SetF(beta=2.0,rel=2) IPrec@0.3 infAP",
    "cwl_eval": "P@5 P(rel=2)@3 RR AP RBP(rel=1) SDCG(max_rel=3)@5",
    "compat": "Compat Compat(p=0.5)",
    "judged": "Judged Judged@3",
    "msmarco": "RR RR@3 RR(rel=2)@10",
    "accuracy": "Accuracy Accuracy@4 Accuracy(rel=2)",
    "ranx": "P@5 SetP RR RR(rel=2) Rprec AP AP@7 nDCG nDCG@5 nDCG(dcg='exp-log2')@5 R@5 SetR "
    "NumRet(rel=1) Success@3 Success(rel=2)@5",
}
#: Thousands are asked for by this variable.
SEEDS = range(int(os.environ.get("AXIOMETRICS_SEEDS", "40")))


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


def side_by_side(names, qrels, run, provider=None):
    """Compares the values of these measures, of all providers or of one by its name."""
    compared = 0
    asked, answering = (getattr(library, provider) if provider else library for library in (theirs, ours))
    for name in names:
        measure, own = theirs.parse_measure(name), ours.parse_measure(name)
        assert str(measure) == str(own)
        try:
            expected = asked.calc([measure], qrels, run)
        except ZeroDivisionError:
            continue
        found = answering.calc([own], qrels, run)
        assert same(found.aggregated[own], expected.aggregated[measure]), name
        by_topic = {metric.query_id: metric.value for metric in expected.per_query}
        assert {metric.query_id for metric in found.per_query} == set(by_topic), name
        for metric in found.per_query:
            assert same(metric.value, by_topic[metric.query_id]), (name, metric.query_id)
        compared += 1
    return compared


@pytest.mark.parametrize("seed", SEEDS)
def test_values_and_means(seed):
    logging.disable(logging.WARNING)
    names = NAMES + (CWL if theirs.cwl_eval.is_available() else [])
    assert side_by_side(names, *collection(seed)) >= len(names) - 2


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_providers_by_their_names(provider, seed):
    """Each breaks ties in its own way, also in measures that the default order never asks it for."""
    if not getattr(theirs, provider).is_available():
        pytest.skip(f"needs the package behind {provider}")
    qrels, run = collection(seed)
    if provider == "ranx":
        # It wants the same topics on both sides, and leaves the order of equal scores to a sort that
        # does not keep it.
        qrels = {topic: grades for topic, grades in qrels.items() if grades and topic in run}
        run = {t: {d: x + n / 1e6 for n, (d, x) in enumerate(run[t].items())} for t in qrels}
        if not qrels:
            return
    side_by_side(PROVIDERS[provider].split(), qrels, run, provider)


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
