#!/usr/bin/env python3
"""The drop-in against trec_eval on random files and options: the same bytes, and the same exit code.

usage: fuzz/trec_eval.py [--seconds 20] [--seed 1]

TREC_EVAL names the binary of trec_eval 10; without it there is nothing to compare with. The differences that docs/trec_eval.md lists are kept out of the
files: every topic is in both, no grade is below 0, nothing is malformed.
"""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
AXIO = os.environ.get("AXIO", str(ROOT / "target" / "debug" / "axio"))
MEASURES = "map gm_map Rprec bpref recip_rank iprec_at_recall P relstring recall infAP gm_bpref Rprec_mult utility 11pt_avg binG G ndcg ndcg_rel Rndcg ndcg_cut map_cut relative_P success set_P set_recall set_map set_relative_P set_F num_nonrel_judged_ret num_q num_ret num_rel num_rel_ret official all_trec set P.1,3 ndcg_cut.2,7 ndcg.1=2,2=7 iprec_at_recall.0.25,0.5 set_F.0.5".split()


def files(folder, dice):
    """Judgements and a run of the same topics, with ties."""
    topics = [f"{dice.choice('abq')}{i}" for i in range(dice.randint(1, 6))]
    documents = [f"d{i}" for i in range(dice.randint(2, 40))]
    qrels, run = [], []
    for topic in topics:
        for doc in dice.sample(documents, dice.randint(1, len(documents))):
            qrels.append(f"{topic} 0 {doc} {dice.choice([0, 0, 1, 1, 2, 3])}\n")
        for doc in dice.sample(documents, dice.randint(1, len(documents))):
            run.append(f"{topic} Q0 {doc} 1 {dice.randint(-9, 30) / 4} tag\n")
    (folder / "qrels").write_text("".join(qrels))
    (folder / "run").write_text("".join(run))


def options(dice):
    chosen = [o for m in dice.sample(MEASURES, dice.randint(1, 4)) for o in ("-m", m)]
    for flag, values in (("-q", None), ("-c", None), ("-n", None), ("-J", None), ("-l", [1, 2, 3]), ("-M", [1, 5, 100]), ("-N", [10, 1000])):
        if dice.random() < 0.25:
            chosen += [flag] if values is None else [flag, str(dice.choice(values))]
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    theirs = os.environ.get("TREC_EVAL")
    if not theirs:
        print("skipped the comparison with trec_eval: TREC_EVAL names no binary")
        return 0
    dice, began, compared = random.Random(asked.seed), time.monotonic(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        while time.monotonic() - began < asked.seconds:
            files(folder, dice)
            arguments = [*options(dice), "qrels", "run"]
            a, b = (subprocess.run([*c, *arguments], cwd=folder, capture_output=True) for c in ([theirs], [AXIO, "trec_eval"]))
            if (a.returncode, a.stdout) != (b.returncode, b.stdout):
                print(f"differs after {compared} alike, seed {asked.seed}: {' '.join(arguments)}")
                for kind in ("qrels", "run"):
                    print(f"--- {kind}\n{(folder / kind).read_text()}")
                print(f"--- trec_eval {a.returncode}\n{a.stdout.decode()}--- axio {b.returncode}\n{b.stdout.decode()}")
                return 1
            compared += 1
    print(f"the drop-in and trec_eval agree on {compared} calls, seed {asked.seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
