#!/usr/bin/env python3
"""How time grows with the documents of one topic: CPU at n, 4n and 16n, and the exponent between the last two.

usage: bench/growth.py [--axio PATH] [--smallest 2000] [--above 1.2] [WORK ...]

works: plain ties ranges binary-ranges joint explain organize; all by default. Every measure is asked, each alone; the table has those whose exponent is
above the bound and that take long enough to be measured, and how many were measured in all.
"""

import argparse
import json
import math
import pathlib
import random
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = ROOT / "target" / "bench" / "growth"
# Starting the program is taken off; what is left must be worth measuring.
MEASURABLE = 0.1
LONGEST = 120


def generate(n, top, tied):
    """One topic of n documents, half of them judged, in two orders; and two organizations of them, with and without overlap."""
    name = f"{n}-{top}{'-tied' if tied else ''}"
    files = {kind: DATA / f"{name}.{kind}" for kind in ("qrels", "run", "other", "gold", "system")}
    if all(file.exists() for file in files.values()):
        return files
    DATA.mkdir(parents=True, exist_ok=True)
    dice = random.Random(n)
    order = list(range(n))
    dice.shuffle(order)
    with files["qrels"].open("w") as qrels:
        for i in range(n):
            if dice.random() < 0.5:
                qrels.write(f"1 0 d{i} {dice.choice([0, *range(1, top + 1)])}\n")
        qrels.write("1 0 elsewhere 1\n")
    for kind, documents in (("run", range(n)), ("other", order)):
        with files[kind].open("w") as run:
            for rank, i in enumerate(documents, 1):
                run.write(f"1 Q0 d{i} {rank} {1 if tied else n - rank} x\n")
    for kind in ("gold", "system"):
        with files[kind].open("w") as out:
            out.write("topic\tdoc\tlevel\tcluster\n")
            for i in range(n):
                clusters = {dice.randrange(max(2, n // 20)) for _ in range(1 + i % 3)}
                out.write(f"1\td{i}\t{dice.randrange(3)}\t{' '.join(f'c{c}' for c in sorted(clusters))}\n")
    return files


def cpu(command):
    """The CPU of a command; None where it fails or does not end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return math.inf
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime if done.returncode in (0, 1) else None


def measures(axio):
    """Every measure, and those that need a cutoff at one."""
    listed = json.loads(subprocess.run([axio, "measures", "--format", "json"], capture_output=True, text=True, check=True).stdout)
    rows = listed if isinstance(listed, list) else next(v for v in listed.values() if isinstance(v, list))
    return [row["name"] for row in rows]


def commands(work, axio, name, files):
    evaluate = [axio, "eval", files["qrels"], files["run"], "--quiet", "--threads", 1, "-m", name]
    return {
        "plain": evaluate,
        "ties": [*evaluate, "--ties", "average"],
        "ranges": [*evaluate, "--ranges", "retrieved"],
        "binary-ranges": [*evaluate, "--ranges", "retrieved"],
        "joint": [axio, "compare", files["qrels"], files["run"], files["other"], "--ranges", "retrieved", "--quiet", "-m", name],
        "explain": [axio, "explain", name, files["qrels"], files["run"], "--topic", 1],
    }[work]


def grow(axio, work, name, smallest, start):
    """The times at n, 4n and 16n, less that of starting."""
    times = []
    for n in (smallest, 4 * smallest, 16 * smallest):
        files = generate(n, 1 if work == "binary-ranges" else 3, work == "ties")
        command = [axio, "organize", files["gold"], files["system"], "--quiet"] if work == "organize" else commands(work, axio, name, files)
        time = cpu(command)
        if time is None:
            return None
        times.append(max(time - start, 1e-4))
        if time > LONGEST / 4:
            break
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--axio", default=str(ROOT / "target" / "release" / "axio"))
    parser.add_argument("--smallest", type=int, default=2000, help="n")
    parser.add_argument("--above", type=float, default=1.2, help="exponents above this are told")
    parser.add_argument("--only", nargs="*", help="these measures alone")
    works = ["plain", "ties", "ranges", "binary-ranges", "joint", "explain", "organize"]
    parser.add_argument("works", nargs="*", default=works, metavar="WORK")
    options = parser.parse_args()
    start = min(cpu([options.axio, "--version"]) for _ in range(5))
    print("| work | measure | CPU at n, 4n, 16n (s) | exponent |\n|---|---|---|---|")
    for work in options.works:
        names = ["all"] if work == "organize" else options.only or measures(options.axio)
        measured, told = 0, 0
        for name in names:
            # Some measures are none without a cutoff.
            times = grow(options.axio, work, name, options.smallest, start) or grow(options.axio, work, f"{name}@1000", options.smallest, start)
            if times is None:
                continue
            measured += 1
            exponent = math.log(times[-1] / times[-2], 4) if len(times) > 1 else math.inf
            if times[-1] >= MEASURABLE and exponent > options.above:
                told += 1
                print(f"| {work} | {name} | {', '.join(f'{t:.3f}' for t in times)} | {exponent:.2f} |", flush=True)
        print(f"| {work} | of {measured} measured, {told} grow with an exponent above {options.above} | | |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
