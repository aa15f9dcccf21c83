"""Checks every method and scale of `axio fuse` against ranx, side by side on random runs.

    pip install -r bench/requirements.txt
    AXIO=target/release/axio python bench/fuse.py [cases]

Scores are distinct, because ranx leaves the order of equal ones to its sorting. The order of
Condorcet fusion depends on the hash seed of Python there, so it is compared only if majorities make
no circle and no tie. ranx compiles each method when it is first called, which takes minutes; that
is why this is no part of ./test.
"""

import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy as np
import ranx
from ranx import Qrels, Run, fusion

AXIO = os.environ.get("AXIO", "target/release/axio")
SEED = 20261116
NORMS = {"min-max": "min-max", "min-max-inverted": "min-max-inverted", "max": "max", "sum": "sum",
         "zmuv": "zmuv", "rank": "rank", "borda": "borda", "none": None}
# Ours, theirs, parameters.
PLAIN = [
    ("sum", "sum", {}), ("mnz", "mnz", {}), ("gmnz", "gmnz", {"gamma": 0.7}), ("max", "max", {}),
    ("min", "min", {}), ("med", "med", {}), ("anz", "anz", {}), ("rrf", "rrf", {"k": 20}),
    ("isr", "isr", {}), ("log_isr", "log_isr", {}), ("logn_isr", "logn_isr", {"sigma": 0.3}),
    ("rbc", "rbc", {"phi": 0.6}), ("bordafuse", "bordafuse", {}), ("condorcet", "condorcet", {}),
]
WEIGHTED = ["wsum", "wmnz", "mixed", "w_bordafuse", "w_condorcet"]
TRAINED = [("mapfuse", {}, "map_scores", {}), ("posfuse", {}, "probs", {}),
           ("slidefuse", {"w": 2}, "probs", {"w": 2}), ("probfuse", {"segments": 3}, "probs", {}),
           ("segfuse", {}, "probs", {}), ("bayesfuse", {}, "log_odds", {})]


def random_run(rng, topics, pool):
    run = {}
    for topic in topics:
        docs = rng.sample(pool, rng.randint(1, len(pool)))
        # The highest is above 0: else the scale `max` leads below -1e9, which ranx takes for missing.
        scores = [1000, *rng.sample(range(-300, 1000), len(docs) - 1)]
        run[topic] = {doc: score / 7 for doc, score in zip(docs, scores)}
    return run


def write_run(path, run):
    with open(path, "w") as out:
        for topic, docs in run.items():
            for doc, score in docs.items():
                out.write(f"{topic} Q0 {doc} 0 {score!r} x\n")


def ours(paths, method, params, norm, more=()):
    text = ",".join(f"{key}={value}" for key, value in params.items())
    call = [AXIO, "fuse", *paths, "--norm", norm, "--method", f"{method}({text})", "--to", "json",
            *more]
    return json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


def compare(label, found, expected):
    assert found.keys() == expected.keys(), label
    for topic in expected:
        assert found[topic].keys() == expected[topic].keys(), (label, topic)
        for doc, score in expected[topic].items():
            near = np.isclose(found[topic][doc], score, rtol=1e-9, atol=1e-9)
            assert near, (label, topic, doc, found[topic][doc], score)


def has_order(runs, topic, weights):
    """True if majorities order all documents, each pair by more than half."""
    ranks = [{d: i for i, d in enumerate(sorted(r[topic], key=lambda d: -r[topic][d]))} for r in runs]
    docs = sorted({doc for run in runs for doc in run[topic]})
    wins = dict.fromkeys(docs, 0)
    for a, b in itertools.combinations(docs, 2):
        above = below = 0.0
        for rank, weight in zip(ranks, weights):
            if a not in rank and b not in rank:
                return False
            if rank.get(a, 10**9) < rank.get(b, 10**9):
                above += weight
            else:
                below += weight
        if above == below:
            return False
        wins[a if above > below else b] += 1
    return sorted(wins.values()) == list(range(len(docs)))


def main():
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    rng = random.Random(SEED)
    checked = orders = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in range(cases):
            count = rng.randint(2, 4)
            topics = [f"q{i}" for i in range(rng.randint(1, 4))]
            pool = [f"d{i}" for i in range(rng.choice([3, 8, 40]))]
            runs = [random_run(rng, topics, pool) for _ in range(count)]
            judged = [random_run(rng, topics, pool) for _ in range(count)]
            qrels = {t: {d: rng.randint(0, 2) for d in pool} | {pool[0]: 1} for t in topics}
            weights = [rng.randint(1, 9) / 10 for _ in range(count)]
            paths = [os.path.join(folder, f"run{i}") for i in range(count)]
            training = [os.path.join(folder, f"judged{i}") for i in range(count)]
            for path, run in zip(paths + training, runs + judged):
                write_run(path, run)
            judgements = os.path.join(folder, "qrels")
            with open(judgements, "w") as out:
                for topic, docs in qrels.items():
                    for doc, grade in docs.items():
                        out.write(f"{topic} 0 {doc} {grade}\n")
            theirs = [Run(run) for run in runs]
            fused = lambda norm, method, params: ranx.fuse(
                theirs, norm=NORMS[norm], method=method, params=params).to_dict()
            for norm in NORMS:
                # ranx does not sort after borda, so that ranks mean nothing behind it.
                by_rank = norm != "borda"
                for name, method, params in PLAIN:
                    if name == "condorcet" or (not by_rank and name in
                                               ("rrf", "isr", "log_isr", "logn_isr", "rbc",
                                                "bordafuse")):
                        continue
                    label = (case, norm, name)
                    compare(label, ours(paths, name, params, norm), fused(norm, method, params))
                    checked += 1
                for name in WEIGHTED[:4]:
                    if name == "w_bordafuse" and not by_rank:
                        continue
                    more = ["--weights", ",".join(map(str, weights))]
                    compare((case, norm, name), ours(paths, name, {}, norm, more),
                            fused(norm, name, {"weights": weights}))
                    checked += 1
            for name, more, by in (("condorcet", [], [1.0] * count),
                                   ("w_condorcet", ["--weights", ",".join(map(str, weights))],
                                    weights)):
                found = ours(paths, name, {}, "none", more)
                expected = fused("none", name, {"weights": weights} if more else {})
                for topic in topics:
                    if has_order(runs, topic, by):
                        compare((case, name), {topic: found[topic]}, {topic: expected[topic]})
                        orders += 1
            learned_from = [Run(run) for run in judged]
            for name, params, key, extra in TRAINED:
                train = getattr(fusion, f"{name}_train")
                settings = {"n_segments": 3} if name == "probfuse" else {}
                learned = train(Qrels(qrels), learned_from, **settings)
                more = ["--qrels", judgements, "--training", *training]
                compare((case, name), ours(paths, name, params, "min-max", more),
                        fused("min-max", name, {key: learned, **extra}))
                checked += 1
    print(f"{checked} fusions of {cases} random cases equal ranx {ranx.__version__ if hasattr(ranx, '__version__') else ''}"
          f" within 1e-9; {orders} orders by majority too")


if __name__ == "__main__":
    main()
