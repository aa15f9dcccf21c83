"""Clustering measures against scikit-learn, and Reliability and Sensitivity by size: processor time, as ratios.

    python3 bench/organization.py [--labels 1000000 10000000] [--repeat 9] [--dir DIR]

Two comparisons, since "against scikit-learn" can mean either:

- memory: scikit-learn's functions on integer arrays in memory, against our kernel on the same labels in memory
  (the example `organization_kernel`). Neither reads a file.
- file: from two files `doc<TAB>cluster` to printed numbers. scikit-learn's side is a Python program that reads both
  with pandas, joins them by document and calls the functions; ours is `axio organize`.

Both sides compute the same eight measures (adjusted mutual information is left out: its expectation, not the labels,
takes the time on both sides). Times are user + system of one process with one thread, interleaved, the
median of the repetitions. Needs numpy, pandas and scikit-learn; AXIO and AXIO_KERNEL name other binaries than those
of target/release (`cargo build --release -p axio -p axiometrics --example organization_kernel --bin axio`).
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AXIO = os.environ.get("AXIO", str(ROOT / "target/release/axio"))
KERNEL = os.environ.get("AXIO_KERNEL", str(ROOT / "target/release/examples/organization_kernel"))
MEASURES = "mutual_information nmi homogeneity completeness v_measure rand adjusted_rand fowlkes_mallows"
CLASSES = 1000

# Run as a program of its own, so that its processor time can be told from ours.
SKLEARN_FUNCTIONS = """
import resource, sys
import numpy as np
from sklearn import metrics
functions = [metrics.mutual_info_score, metrics.normalized_mutual_info_score,
    metrics.homogeneity_score, metrics.completeness_score, metrics.v_measure_score, metrics.rand_score,
    metrics.adjusted_rand_score, metrics.fowlkes_mallows_score]
def spent():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
"""
SKLEARN_MEMORY = SKLEARN_FUNCTIONS + """
gold, system = (np.fromfile(path, dtype="<u4").astype(np.int64) for path in sys.argv[1:3])
start = spent()
values = [function(gold, system) for function in functions]
print(spent() - start)
"""
SKLEARN_FILE = SKLEARN_FUNCTIONS + """
import pandas as pd
gold, system = (pd.read_csv(path, sep="\\t", dtype=str) for path in sys.argv[1:3])
both = gold.merge(system, on="doc")
gold, system = (pd.factorize(both[column])[0] for column in ("cluster_x", "cluster_y"))
print([function(gold, system) for function in functions])
"""


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cost(command):
    """The processor time of a command, and what it printed."""
    single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    before = children()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True, env=os.environ | single)
    return children() - before, done.stdout


def generate(folder, n):
    import numpy as np

    rng = np.random.default_rng(n)
    gold = rng.integers(0, CLASSES, n, dtype=np.uint32)
    # Seven of ten documents follow the gold standard, so that there is something to find.
    system = np.where(rng.random(n) < 0.7, gold, rng.integers(0, CLASSES, n, dtype=np.uint32)).astype(np.uint32)
    for name, labels in (("gold", gold), ("system", system)):
        labels.tofile(folder / f"{name}.u32")
        with open(folder / f"{name}.tsv", "w") as out:
            out.write("doc\tcluster\n")
            out.writelines(f"doc-{i:09d}\tc{label}\n" for i, label in enumerate(labels.tolist()))
    return [str(folder / f"{name}.{suffix}") for suffix in ("u32", "tsv") for name in ("gold", "system")]


def compare(n, repeat, folder):
    gold, system, gold_tsv, system_tsv = generate(folder, n)
    times = {"sklearn memory": [], "axio memory": [], "sklearn file": [], "axio file": []}
    for _ in range(repeat):
        times["sklearn memory"].append(float(cost([sys.executable, "-c", SKLEARN_MEMORY, gold, system])[1]))
        times["axio memory"].append(float(cost([KERNEL, gold, system])[1]))
        times["sklearn file"].append(cost([sys.executable, "-c", SKLEARN_FILE, gold_tsv, system_tsv])[0])
        times["axio file"].append(cost([AXIO, "organize", gold_tsv, system_tsv, "-q", "-m", MEASURES])[0])
    median = {name: statistics.median(values) for name, values in times.items()}
    for place in ("memory", "file"):
        theirs, ours = median[f"sklearn {place}"], median[f"axio {place}"]
        print(f"{n:>10} labels, {place:<6}  sklearn {theirs:8.3f} s  axio {ours:8.3f} s  ratio 1/{theirs / ours:.1f}", flush=True)


def reliability(n, repeat, folder):
    """R and S of n documents on n levels, against 50 levels of gold: no overlap."""
    import numpy as np

    rng = np.random.default_rng(n)
    for name, levels in (("gold", rng.integers(1, 51, n)), ("ranking", rng.permutation(n) + 1)):
        with open(folder / f"{name}.tsv", "w") as out:
            out.write("doc\tlevel\n")
            out.writelines(f"doc-{i:09d}\t{level}\n" for i, level in enumerate(levels.tolist()))
    command = [AXIO, "organize", str(folder / "gold.tsv"), str(folder / "ranking.tsv"), "-q", "-m", "R S F"]
    used = statistics.median(cost(command)[0] for _ in range(repeat))
    print(f"{n:>10} documents, R and S from file: {used:.2f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--labels", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--dir")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.dir) as folder:
        for n in args.labels:
            compare(n, args.repeat, Path(folder))
        reliability(args.documents, args.repeat, Path(folder))


if __name__ == "__main__":
    main()
