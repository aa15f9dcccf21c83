"""What the Python package costs, beside pytrec_eval and the command, in one run.

    .venv/bin/python -m pip install target/wheels/axiometrics-*.whl pytrec-eval-terrier pandas polars pyarrow
    .venv/bin/python bench/python.py [topics] [depth]

Times are CPU seconds, the best of three; each bound is printed beside what was found. Memory is
measured in a process of its own, as the growth of the peak during the call.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time

MEASURES = ["nDCG@10", "AP", "RR", "P@10", "R@1000"]
TREC = {"ndcg_cut_10", "map", "recip_rank", "P_10", "recall_1000"}


def data(topics: int, depth: int, shared: bool):
    """Judgements of ten documents a topic, and a run; ids shared between topics, or fresh ones."""
    rng = random.Random(1)
    pool = [f"D{n:07d}" for n in range(20_000)]
    qrels, run = {}, {}
    for t in range(topics):
        picked = rng.sample(pool, depth)
        ids = picked if shared else ["".join(list(doc)) for doc in picked]
        judged = rng.sample(picked, 6) + rng.sample(pool, 4)
        qrels[str(t)] = {doc: rng.choice([0, 1, 1, 2]) for doc in judged}
        run[str(t)] = {doc: float(depth - r) + rng.random() for r, doc in enumerate(ids)}
    return qrels, run


def best(task, times: int = 3) -> float:
    found = []
    for _ in range(times):
        started = time.process_time()
        task()
        found.append(time.process_time() - started)
    return min(found)


def command(*arguments: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def tell(what: str, found: float, bound: float, unit: str = "") -> None:
    sign = "ok  " if found <= bound else "MISS"
    print(f"{sign} {what:58} {found:8.3f}{unit} (at most {bound:g}{unit})")


def memory(which: str, topics: int, depth: int) -> float:
    code = f"""
import sys
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
import python as bench
qrels, run = bench.data({topics}, {depth}, True)
import axiometrics as ax
from axiometrics import _native
_native.visit(run)
def status(name):
    return next(int(x.split()[1]) for x in open("/proc/self/status") if x.startswith(name)) / 1024
# The peak starts again from what is held now.
open("/proc/self/clear_refs", "w").write("5")
before = status("VmRSS")
{which}
print(status("VmHWM") - before)
"""
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


def main() -> None:
    topics, depth = (int(x) for x in (sys.argv[1:] + ["6980", "1000"])[:2])
    import axiometrics as ax
    import pytrec_eval
    from axiometrics import _native
    from axiometrics.compat import pytrec_eval as drop_in

    for shared, bound in ((True, 1 / 2.5), (False, 1 / 7)):
        qrels, run = data(topics, depth, shared)
        words = "ids shared between topics" if shared else "fresh ids"
        ours = best(lambda: ax.evaluate(qrels, run, MEASURES))
        visit = best(lambda: _native.visit(run))
        theirs = best(lambda: pytrec_eval.RelevanceEvaluator(qrels, TREC).evaluate(run))
        dropped = best(lambda: drop_in.RelevanceEvaluator(qrels, TREC).evaluate(run))
        print(f"dict, {words}: {ours:.3f} s; pytrec_eval {theirs:.3f} s; the drop-in {dropped:.3f} s; a visit {visit:.3f} s")
        tell(f"dict with {words}, of pytrec_eval", ours / theirs, bound)
        tell(f"dict with {words}, of a visit", ours / visit, 1.8)

    with tempfile.TemporaryDirectory() as folder:
        q, r = os.path.join(folder, "qrels.txt"), os.path.join(folder, "run.txt")
        with open(q, "wb") as file:
            file.write(ax.Qrels(qrels).to_text())
        with open(r, "wb") as file:
            file.write(ax.Run(run).to_text())
        axio = os.environ.get("AXIO") or os.path.join(os.path.dirname(sys.executable), "axio")
        flags = [x for m in MEASURES for x in ("-m", m)]
        by_command = min(command(axio, "eval", q, r, "-q", *flags) for _ in range(3))
        tell("files, of the command", best(lambda: ax.evaluate(q, r, MEASURES)) / by_command, 1.3)
        import pandas
        import polars
        import pyarrow

        rows = [(t, d, s) for t, ds in run.items() for d, s in ds.items()]
        columns = dict(zip(("query_id", "doc_id", "score"), map(list, zip(*rows))))
        for name, make in (("Arrow", pyarrow.table), ("pandas", pandas.DataFrame), ("polars", polars.DataFrame)):
            table = make(columns)
            tell(f"{name} strings, of the command", best(lambda: ax.evaluate(q, table, MEASURES)) / by_command, 2)
    tell("memory of a dict call", memory(f"ax.evaluate(qrels, run, {MEASURES})", topics, depth), 20, " MB")
    started = min(command(sys.executable, "-c", "pass") for _ in range(5))
    imported = min(command(sys.executable, "-c", "import axiometrics") for _ in range(5))
    tell("import", imported - started, 0.02, " s")


if __name__ == "__main__":
    main()
