"""How to get the numbers of other tools where they order tied documents in another way, as docs/other_tools.md says.

ir_measures hands each measure to another program, and these differ: some order documents of one score by ascending id, some leave them as they come. One call of ours has one order.
"""

import random
import subprocess

import ir_measures
import pytest

from conftest import AXIO
from test_eval import collection, write

# What is asked there, and what here.
BY_ID = {"Judged@10": "Judged@10", "RR@10": "RR@10", "RR@3": "RR@3", "Compat(p=0.8)": "Compat(p=0.8)"}
AS_THEY_COME = {
    "RBP(p=0.8,rel=1)": "RBP(p=0.8,rel=1)@1000",
    "RBP(p=0.5,rel=2)": "RBP(p=0.5,rel=2)@1000",
    "Accuracy@10": "Accuracy@10",
    "Accuracy(rel=2)": "Accuracy(rel=2)",
    "SDCG(max_rel=3)@10": "SDCG@10",
    "SDCG(min_rel=1,max_rel=3)@10": "SDCG(gains={0:0,1:0,2:1,3:2})@10",
    "NERR8(max_rel=3)@5": "NERR8@5",
    "NERR9(max_rel=3)@5": "NERR9@5",
    "NERR10(p=0.9,max_rel=3)": "NERR10(p=0.9,depth=1000)",
    "NERR11(T=1.0,max_rel=3)": "NERR11(T=1,depth=1000)",
    "INST(T=2.0,max_rel=3)": "INST(T=2,depth=1000)",
    "INSQ(T=2.0,max_rel=3)": "INSQ(T=2,depth=1000)",
    "BPM(T=1.0,max_rel=3)@10": "BPM(T=1)@10",
}


def grouped(folder, qrels, run, rng):
    """Lines in any order within a topic: if topics are scattered, it scores the last piece of each."""
    files = write(folder, qrels, run, rng)
    files[1].write_text("".join(sorted(files[1].open(), key=lambda line: line.split()[0])))
    return files


def ranked(path):
    return list(ir_measures.read_trec_run(str(path)))


@pytest.mark.parametrize("order, names", [("docid-asc", BY_ID), ("file", AS_THEY_COME)], ids=["by id", "as they come"])
@pytest.mark.parametrize("seed", range(200, 215))
def test_ties_of_ir_measures(seed, order, names, tmp_path, evaluate):
    qrels, run = collection(seed)
    # Grades below 0 are judged there in Judged@k, and not here.
    qrels = {t: {d: max(g, 0) for d, g in docs.items()} for t, docs in qrels.items()}
    # Compat takes a document that was not retrieved for one with a score of 0.
    run = {t: {d: s + 10 for d, s in docs.items()} for t, docs in run.items()}
    files = grouped(tmp_path, qrels, run, random.Random(seed))
    theirs = {}
    for there, here in names.items():
        for metric in ir_measures.iter_calc([ir_measures.parse_measure(there)], qrels, ranked(files[1])):
            theirs[here, metric.query_id] = metric.value
    ours, _ = evaluate(*files, names.values(), "--ties", order, "--max-grade", "3")
    assert len(ours) == len(names)
    compared = 0
    for here, scores in zip(names.values(), ours.values()):
        for topic, score in scores.items():
            if topic in run and (here, topic) in theirs:
                assert (score or 0.0) == pytest.approx(theirs[here, topic], abs=1e-6), (here, topic)
                compared += 1
    assert compared >= len(names)


def test_rbp_of_ir_measures_ends_at_rank_1000(tmp_path, evaluate):
    """Its users read 1000 documents: a relevant one below adds nothing, and the weights of the first 1000 sum to 1."""
    run = {"1": {f"d{i:04}": 2000 - i for i in range(1500)}}
    qrels = {"1": {"d0000": 1, "d1200": 1}}
    files = grouped(tmp_path, qrels, run, random.Random(1))
    measure = ir_measures.parse_measure("RBP(p=0.999,rel=1)")
    (theirs,) = [m.value for m in ir_measures.iter_calc([measure], qrels, ranked(files[1]))]
    ours, _ = evaluate(*files, ["RBP(p=0.999,rel=1)@1000", "RBP(p=0.999,rel=1)"])
    cut, whole = (scores["1"] for scores in ours.values())
    assert cut / (1 - 0.999**1000) == pytest.approx(theirs, abs=1e-9)
    assert whole == pytest.approx(0.001 * (1 + 0.999**1200), abs=1e-12)


def test_bpref_of_ranx_by_hand(tmp_path, evaluate):
    """ranx counts grades below 0 as judged not relevant; with 0 in their place the numbers are its own: R = 2, N = 2; 1 - 1/2 and 1 - 2/2, over 2."""
    run = {"1": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
    for lowest, expected in ((-1, 0.5), (0, 0.25)):
        files = write(tmp_path, {"1": {"a": lowest, "b": 1, "c": 0, "d": 1}}, run, random.Random(1))
        ours, _ = evaluate(*files, ["Bpref"])
        assert ours["Bpref"]["1"] == pytest.approx(expected)


def test_drop_in_names_no_option_of_ours(tmp_path):
    """What trec_eval mode would refuse, its advice does not name."""
    (tmp_path / "qrels").write_text("1 0 a x\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1 t\n")
    done = subprocess.run([AXIO, "trec_eval", "qrels", "run"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert "lenient" not in done.stderr, done.stderr
