#!/usr/bin/env python3
"""How time grows with the documents of one topic: CPU at n, 4n and 16n, and the exponent between the last two.

usage: bench/growth.py [--axio PATH] [--smallest N] [--above 1.2] [--every FILE] [WORK ...]

works: plain ties ranges binary-ranges joint compare explain organize large-clusters three-clusters cutoffs; all by default. Every measure is asked, each alone. The table has those
whose exponent is above the bound and that take long enough to be measured, and for each work how many were measured and which is the slowest; --every
writes all of them to a file. cutoffs checks every measure with a cutoff at n, 4n and 16n: what it takes should not depend on n. compare is of two runs over n/10 topics, joint of two runs over two; the others are of one topic.
"""

import argparse
import json
import math
import pathlib
import random
import resource
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = ROOT / "target" / "bench" / "growth"
# Starting the program is taken off; what is left must be worth measuring.
MEASURABLE = 0.1
LONGEST = 120
# n, if it is not given: ten thousand orders are sampled of the measures that have no closed form under ties.
SMALLEST = {"ties": 500}
USUAL = 2000
WORKS = ["plain", "ties", "ranges", "binary-ranges", "joint", "compare", "explain", "organize", "large-clusters", "three-clusters", "cutoffs"]
CLUSTERED = ("organize", "large-clusters", "three-clusters")


def generate(work, n):
    """A topic of n documents, two of n/2, or n/10 of ten, half of them judged, in two orders; or two organizations of n documents whose clusters overlap."""
    kinds = ("gold", "system") if work in CLUSTERED else ("qrels", "run", "other")
    shape = {"binary-ranges": "binary", "ties": "tied", "compare": "topics", "joint": "two", "organize": "clusters", "large-clusters": "large", "three-clusters": "three"}.get(work, "graded")
    files = {kind: DATA / f"{n}-{shape}.{kind}" for kind in kinds}
    if all(file.exists() for file in files.values()):
        return files
    DATA.mkdir(parents=True, exist_ok=True)
    dice = random.Random(n)
    if "gold" in files:
        # A cluster lies on one level, and a document in one to three of them.
        clusters = {"large": 12, "three": 200}.get(shape, max(2, n // 20))
        for file in files.values():
            with file.open("w") as out:
                out.write("topic\tdoc\tlevel\tcluster\n")
                for i in range(n):
                    for c in sorted(dice.sample(range(clusters), 3) if shape == "three" else {dice.randrange(clusters) for _ in range(1 + i % 3)}):
                        out.write(f"1\td{i}\t{1 + c % 3}\tc{c}\n")
        return files
    topics = {"topics": n // 10, "two": 2}.get(shape, 1)
    grades = [0, 1] if shape == "binary" else [0, 1, 2, 3]
    with files["qrels"].open("w") as qrels:
        for topic in range(1, topics + 1):
            for i in range(n // topics):
                if dice.random() < 0.5:
                    qrels.write(f"{topic} 0 d{i} {dice.choice(grades)}\n")
            qrels.write(f"{topic} 0 elsewhere 1\n")
    for kind in ("run", "other"):
        with files[kind].open("w") as run:
            for topic in range(1, topics + 1):
                order = list(range(n // topics))
                if kind == "other":
                    dice.shuffle(order)
                for rank, i in enumerate(order, 1):
                    run.write(f"{topic} Q0 d{i} {rank} {1 if shape == 'tied' else n - rank} x\n")
    return files


def limited():
    """The limit is one of CPU: on a busy machine the clock says nothing."""
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST + 1))


def cpu(command):
    """The CPU of a command; None where it fails, infinite where it takes too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limited)
    if done.returncode == -signal.SIGXCPU:
        return math.inf
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime if done.returncode in (0, 1) else None


def measures(axio):
    """Every measure, and those that need a cutoff at one."""
    listed = json.loads(subprocess.run([axio, "measures", "--format", "json"], capture_output=True, text=True, check=True).stdout)
    rows = listed if isinstance(listed, list) else next(v for v in listed.values() if isinstance(v, list))
    return [row["name"] for row in rows]


def command(work, axio, name, files):
    if "gold" in files:
        return [axio, "organize", files["gold"], files["system"], "--quiet", "--threads", 1]
    evaluate = [axio, "eval", files["qrels"], files["run"], "--quiet", "--threads", 1, "-m", name]
    compare = [axio, "compare", files["qrels"], files["run"], files["other"], "--quiet", "-m", name]
    return {
        "plain": evaluate,
        "ties": [*evaluate, "--ties", "average"],
        "ranges": [*evaluate, "--ranges", "retrieved"],
        "binary-ranges": [*evaluate, "--ranges", "retrieved"],
        # With the ranges of differences, which compare tells unasked.
        "joint": compare,
        "compare": compare,
        "explain": [axio, "explain", name, files["qrels"], files["run"], "--topic", 1],
    }[work]


def grow(axio, work, name, smallest, start):
    """The times at n, 4n and 16n, less that of starting; None where the command fails."""
    times = []
    for n in (smallest, 4 * smallest, 16 * smallest):
        checked = [axio, "check", "--only", "axioms", f"{name}@{n}"]
        time = cpu(checked if work == "cutoffs" else command(work, axio, name, generate(work, n)))
        if time is None:
            return None
        times.append(max(time - start, 1e-4))
        if time > LONGEST / 4:
            break
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--axio", default=str(ROOT / "target" / "release" / "axio"))
    parser.add_argument("--smallest", type=int, help=f"n; {USUAL} by default, {SMALLEST['ties']} for ties")
    parser.add_argument("--above", type=float, default=1.2, help="exponents above this are told")
    parser.add_argument("--only", nargs="*", help="these measures alone")
    parser.add_argument("--every", type=pathlib.Path, help="a file for all that is measured")
    parser.add_argument("works", nargs="*", default=WORKS, metavar="WORK")
    options = parser.parse_args()
    every = options.every.open("a") if options.every else None
    start = min(cpu([options.axio, "--version"]) for _ in range(5))
    print("| work | n | measure | CPU at n, 4n, 16n (s) | exponent |\n|---|---:|---|---|---:|")
    for work in options.works:
        n = options.smallest or SMALLEST.get(work, USUAL)
        names = ["all"] if work in CLUSTERED else options.only or measures(options.axio)
        measured, told, slowest = 0, 0, (0, "", "")
        for name in names:
            # Some measures are none without a cutoff.
            times = grow(options.axio, work, name, n, start) or work != "cutoffs" and grow(options.axio, work, f"{name}@1000", n, start)
            if not times:
                continue
            measured += 1
            exponent = math.log(times[-1] / times[-2], 4) if len(times) > 1 else math.inf
            shown = ", ".join(f"{t:.3f}" for t in times)
            slowest = max(slowest, (times[-1], f"the slowest is {name}: {shown}", f"{exponent:.2f}"))
            if every:
                print(work, n, name, shown, f"{exponent:.2f}", sep="\t", file=every, flush=True)
            if times[-1] >= MEASURABLE and exponent > options.above:
                told += 1
                print(f"| {work} | {n} | {name} | {shown} | {exponent:.2f} |", flush=True)
        print(f"| {work} | {n} | {told} of {measured} are above {options.above} | {slowest[1]} | {slowest[2]} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
