#!/usr/bin/env python3
"""Fisher's randomisation test of all pairs of 50 systems on 250 topics with 10,000 resamples: the CPU time of scipy, times ours.

usage: bench/randomisation.py [PAIRS]     how many of the 1,225 pairs scipy tests; its time is scaled up to all [default: 49]

Ours is `axio compare`, from 50 run files to printed p-values; scipy's is permutation_test alone, on scores that lie in memory. Needs numpy and scipy,
and a release binary of axio, which the variable AXIO may name.
"""

import itertools
import os
import pathlib
import random
import resource
import subprocess
import sys
import time

import numpy
import scipy.stats

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = ROOT / "target" / "bench" / "randomisation"
AXIO = os.environ.get("AXIO", str(ROOT / "target" / "release" / "axio"))
SYSTEMS, TOPICS, DEPTH, RESAMPLES = 50, 250, 10, 10_000


def make():
    chance = random.Random(1)
    DATA.mkdir(parents=True, exist_ok=True)
    with open(DATA / "qrels", "w") as out:
        for topic in range(TOPICS):
            out.writelines(f"{topic} 0 d{doc} {int(chance.random() < 0.3)}\n" for doc in range(40))
            out.write(f"{topic} 0 always 1\n")
    for system in range(SYSTEMS):
        with open(DATA / f"{system:02}.run", "w") as out:
            for topic in range(TOPICS):
                docs = chance.sample(range(40), DEPTH)
                out.writelines(f"{topic} Q0 d{doc} {rank} {DEPTH - rank} s{system}\n" for rank, doc in enumerate(docs))
    return [str(DATA / f"{system:02}.run") for system in range(SYSTEMS)]


def ours(runs):
    command = [AXIO, "compare", str(DATA / "qrels"), *runs, "-m", "AP", "--test", "randomisation", "--resamples", str(RESAMPLES)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*command, "--format", "csv", "--quiet", "--threads", "1"], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def scipys(runs, pairs):
    text = subprocess.run([AXIO, "eval", str(DATA / "qrels"), *runs, "-m", "AP", "--per-topic", "--format", "tsv", "-q"], capture_output=True, text=True, check=True)
    scores = {}
    for line in text.stdout.splitlines()[1:]:
        run, _, topic, value = line.split("\t")
        if topic != "all":
            scores.setdefault(run, []).append(float(value))
    rows = [numpy.array(row) for row in scores.values()]
    all_pairs = list(itertools.combinations(range(SYSTEMS), 2))
    chosen = random.Random(2).sample(all_pairs, min(pairs, len(all_pairs)))
    mean = lambda x, y, axis: numpy.mean(x - y, axis=axis)
    start = time.process_time()
    for a, b in chosen:
        scipy.stats.permutation_test((rows[a], rows[b]), mean, permutation_type="samples", n_resamples=RESAMPLES, vectorized=True, rng=1)
    return (time.process_time() - start) * len(all_pairs) / len(chosen)


def main():
    runs = make()
    mine = min(ours(runs) for _ in range(3))
    theirs = scipys(runs, int(sys.argv[1]) if len(sys.argv) > 1 else 49)
    print(f"scipy {theirs:.1f} s, axio {mine:.2f} s: {theirs / mine:.0f} times ours (must be at least 300)")


main()
