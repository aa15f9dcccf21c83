"""`axio eval` against ir_measures and pytrec_eval on random data, where the definitions agree.

The data have ties, negative grades, unjudged documents, topics that only one side has, and topics without a relevant document. Scores are multiples of 1/8, so that pytrec_eval,
which rounds them to 32 bits, sees the same ties.
"""

import random

import ir_measures
import pytest
import pytrec_eval


def collection(seed):
    rng = random.Random(seed)
    topics = [f"q{i}" for i in range(rng.randint(3, 12))]
    documents = [f"d{i}" for i in range(rng.randint(20, 120))]
    qrels, run = {}, {}
    for topic in topics:
        judged = rng.sample(documents, rng.randint(1, len(documents) // 2))
        grades = [0] if rng.random() < 0.1 else [-1, 0, 0, 0, 1, 1, 2, 3]
        if rng.random() < 0.95:
            qrels[topic] = {d: rng.choice(grades) for d in judged}
        if rng.random() < 0.9:
            retrieved = rng.sample(documents, rng.randint(1, len(documents)))
            run[topic] = {d: rng.randint(-20, 60) / 8 for d in retrieved}
    # Something in common, or there is nothing to compare.
    qrels.setdefault(topics[0], {documents[0]: 1})
    run.setdefault(topics[0], {documents[0]: 1.0})
    return qrels, run


def write(folder, qrels, run, rng):
    lines = [f"{t} 0 {d} {g}\n" for t, docs in qrels.items() for d, g in docs.items()]
    rng.shuffle(lines)
    (folder / "qrels").write_text("".join(lines))
    lines = [f"{t} Q0 {d} {i} {s} tag\n" for t, docs in run.items() for i, (d, s) in enumerate(docs.items())]
    rng.shuffle(lines)
    (folder / "run").write_text("".join(lines))
    return folder / "qrels", folder / "run"


TREC_EVAL = {
    "map": "AP", "map_cut_5": "AP@5", "ndcg": "nDCG", "ndcg_cut_10": "nDCG@10", "recip_rank": "RR", "P_5": "P@5", "P_10": "P@10", "recall_10": "R@10",
    "Rprec": "RPrec", "bpref": "Bpref", "infAP": "infAP", "success_5": "Success@5", "set_P": "SetP", "set_recall": "SetR", "set_F": "SetF", "set_map": "SetAP",
    "Rndcg": "Rndcg", "ndcg_rel": "ndcg_rel", "G": "G", "binG": "binG", "num_ret": "NumRet", "num_rel": "NumRel", "num_rel_ret": "NumRelRet",
    "relative_P_10": "RelP@10", "utility": "Utility",
}


@pytest.mark.parametrize("seed", range(40))
def test_pytrec_eval(seed, tmp_path, evaluate):
    qrels, run = collection(seed)
    files = write(tmp_path, qrels, run, random.Random(seed))
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(TREC_EVAL)).evaluate(run)
    ours, _ = evaluate(*files, TREC_EVAL.keys())
    assert len(ours) == len(TREC_EVAL)
    compared = 0
    for name, scores in zip(TREC_EVAL, ours.values()):
        for topic, score in scores.items():
            if topic not in theirs:
                continue  # a topic that the run lacks: pytrec_eval leaves it out
            # If there is nothing relevant, a score is undefined here and 0 there.
            assert (score or 0.0) == pytest.approx(theirs[topic][name], abs=1e-9), (name, topic)
            compared += 1
    assert compared >= len(TREC_EVAL)


IR_MEASURES = "AP AP@10 AP(rel=2) nDCG nDCG@10 P@5 P(rel=2)@10 R@20 RR Rprec Bpref Success@3 SetP SetR infAP NumRet NumRel IPrec@0.0".split()


# Their providers break ties in ways of their own.
WITHOUT_TIES = "Compat(p=0.8) RR@10 Judged@10".split()


@pytest.mark.parametrize("names", [IR_MEASURES, IR_MEASURES + WITHOUT_TIES], ids=["ties", "no ties"])
@pytest.mark.parametrize("seed", range(100, 120))
def test_ir_measures(seed, names, tmp_path, evaluate):
    qrels, run = collection(seed)
    if names is not IR_MEASURES:
        run = {t: {d: s + i / 1024 for i, (d, s) in enumerate(docs.items())} for t, docs in run.items()}
    # ir_measures counts a grade below zero as judged in Judged@k, where we follow trec_eval.
    qrels = {t: {d: max(g, 0) for d, g in docs.items()} for t, docs in qrels.items()}
    files = write(tmp_path, qrels, run, random.Random(seed))
    measures = [ir_measures.parse_measure(m) for m in names]
    theirs = {}
    for metric in ir_measures.iter_calc(measures, qrels, run):
        theirs[str(metric.measure), metric.query_id] = metric.value
    ours, _ = evaluate(*files, names)
    assert len(ours) == len(names)
    compared = 0
    for measure, scores in zip(measures, ours.values()):
        for topic, score in scores.items():
            if topic in run and (str(measure), topic) in theirs:
                assert (score or 0.0) == pytest.approx(theirs[str(measure), topic], abs=1e-9), (measure, topic)
                compared += 1
    assert compared >= len(names)


def test_means_count_missing_topics_as_empty_rankings(tmp_path, evaluate):
    qrels = {"a": {"x": 1}, "b": {"y": 1}, "c": {"z": 0}}
    files = write(tmp_path, qrels, {"a": {"x": 1.0}}, random.Random(1))
    topics, means = evaluate(*files, ["AP"])
    assert topics["AP"] == {"a": 1.0, "b": 0.0, "c": None}
    assert means["AP"] == pytest.approx(1 / 3)
    _, means = evaluate(*files, ["AP"], "--missing", "skip")
    assert means["AP"] == 1.0
    _, means = evaluate(*files, ["AP"], "--undefined", "skip")
    assert means["AP"] == 0.5
