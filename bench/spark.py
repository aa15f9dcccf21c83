"""What scores on Spark cost, beside MLlib, on a cluster of a master and two workers.

    python3 -m venv target/spark && target/spark/bin/python -m pip install \\
        'pyspark>=4,<5' 'pandas<3' pyarrow numpy target/wheels/axiometrics-*.whl
    target/spark/bin/python bench/spark.py [users] [larger]

CPU seconds are those of all processes of the cluster (executors and Python workers) during the call,
the best of three after one to warm up. The data is made by Spark, written as Parquet first, and read
by all. The scores of the first size are compared with the command, bit for bit.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "crates" / "axiometrics-py" / "tests"))

MEASURES = ["nDCG@10", "AP", "RR", "P@10", "R@20", "RBP(p=0.8)", "ERR", "Success@5", "Rprec", "F@10"]
ITEMS = 50


def children(of: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(of)], capture_output=True, text=True).stdout.split()
    return [int(x) for child in found for x in (int(child), *children(int(child)))]


def cpu(cluster) -> float:
    """Seconds that the cluster and this process' Spark have used, with what has ended of them."""
    ticks = 0
    roots = [process.pid for process in cluster.processes] + [os.getpid()]
    for pid in {p for root in roots for p in (root, *children(root))}:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except FileNotFoundError:
            continue
        # Its own time, and that of children that it waited for.
        ticks += sum(int(x) for x in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def best(cluster, task, times: int = 3) -> float:
    task()
    found = []
    for _ in range(times):
        before = cpu(cluster)
        task()
        found.append(cpu(cluster) - before)
    return min(found)


def make(session, folder: Path, users: int) -> tuple[Path, Path]:
    """Ten judged and fifty retrieved items for each user, four of the judged among the retrieved."""
    judged, ranked = folder / f"judged-{users}", folder / f"ranked-{users}"
    people = session.range(users)
    item = "concat('i', pmod(xxhash64(id, n), 100000))"
    rows = people.selectExpr("id", f"explode(sequence(0, {ITEMS - 1})) n")
    ranked_rows = rows.selectExpr(
        "concat('u', id) topic", f"{item} doc", "double(pmod(xxhash64(id, n, 7), 1000)) / 1000 score"
    )
    rows = people.selectExpr("id", f"explode(sequence({ITEMS - 4}, {ITEMS + 5})) n")
    judged_rows = rows.selectExpr(
        "concat('u', id) topic", f"{item} doc", "double(pmod(xxhash64(id, n, 9), 4)) grade"
    )
    # A user's numbers may meet in one item.
    ranked_rows.dropDuplicates(["topic", "doc"]).write.parquet(str(ranked))
    judged_rows.dropDuplicates(["topic", "doc"]).write.parquet(str(judged))
    return judged, ranked


def by_command(folder: Path, judged: Path, ranked: Path) -> dict[str, float]:
    import pyarrow.dataset
    import pyarrow.parquet

    paths = []
    for source, name in ((judged, "judged.parquet"), (ranked, "ranked.parquet")):
        table = pyarrow.dataset.dataset(str(source), format="parquet").to_table()
        pyarrow.parquet.write_table(table, folder / name)
        paths.append(str(folder / name))
    axio = os.path.join(os.path.dirname(sys.executable), "axio")
    flags = [x for measure in MEASURES for x in ("-m", measure)]
    call = [axio, "eval", *paths, *flags, "-q", "--format", "json"]
    document = json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)
    return {m["measure"]: m["mean"] for m in document["runs"][0]["measures"]}


def main() -> None:
    users, larger = (int(x) for x in (sys.argv[1:] + ["200000", "2000000"])[:2])
    from axiometrics import spark as axs
    from spark_cluster import Cluster

    with tempfile.TemporaryDirectory() as name, Cluster(Path(name), memory="3g") as cluster:
        folder, session = Path(name), cluster.session
        session.conf.set("spark.sql.shuffle.partitions", "8")
        judged, ranked = make(session, folder, users)
        read = lambda path: session.read.parquet(str(path))

        def ours(judged, ranked):
            return axs.evaluate(read(judged), read(ranked), MEASURES, max_grade=3.0).summary()

        assert ours(judged, ranked) == by_command(folder, judged, ranked), "not the command's means"
        print(f"equal to the command on {users} x {ITEMS}, bit for bit")
        own = best(cluster, lambda: ours(judged, ranked))

        from pyspark.ml.evaluation import RankingEvaluator
        from pyspark.mllib.evaluation import RankingMetrics
        from pyspark.sql import functions as F

        def lists():
            lined = F.transform(F.sort_array(F.collect_list(F.struct("score", "doc")), asc=False), lambda x: x["doc"])
            retrieved = read(ranked).groupBy("topic").agg(lined.alias("docs"))
            relevant = read(judged).filter("grade > 0").groupBy("topic").agg(F.collect_list("doc").alias("rel"))
            both = retrieved.join(relevant, "topic")
            # It wants numbers for ids.
            number = lambda name: F.transform(name, lambda x: F.substring(x, 2, 9).cast("double"))
            return both.select(number("docs").alias("prediction"), number("rel").alias("label"))

        def evaluator():
            for metric in ("ndcgAtK", "meanAveragePrecision"):
                RankingEvaluator(metricName=metric, k=10).evaluate(lists())

        def metrics():
            found = RankingMetrics(lists().rdd.map(tuple))
            return found.ndcgAt(10), found.meanAveragePrecision

        theirs = best(cluster, evaluator)
        print(f"ten measures: {own:.1f} s of CPU; RankingEvaluator, two measures: {theirs:.1f} s")
        print(f"{'ok  ' if own <= 0.7 * theirs else 'MISS'} of RankingEvaluator: {own / theirs:.2f} (at most 0.7)")
        old = best(cluster, metrics, 1)
        print(f"RankingMetrics, two measures: {old:.1f} s; ours of it: {own / old:.2f}")
        skewed(session, axs)
        if larger > users:
            paths = make(session, folder, larger)
            before = cpu(cluster)
            ours(*paths)
            grown = cpu(cluster) - before
            print(f"{larger / users:g} times the users: {grown / own:.2f} times the CPU ({grown:.1f} s)")


def skewed(session, axs, size: int = 5_000_000) -> None:
    """One topic with very many documents among small ones."""
    big = session.range(size).selectExpr("'big' topic", "concat('d', id) doc", "double(-id) score")
    small = session.range(50_000).selectExpr(
        "concat('s', id % 1000) topic", "concat('d', id) doc", "double(id) score"
    )
    relevant = [("big", f"d{n}", 1.0) for n in (0, 9, size - 1)] + [("s7", "d7", 1.0)]
    judged = session.createDataFrame(relevant, "topic string, doc string, grade double")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = axs.evaluate(judged, big.unionAll(small), ["AP"], partitions=4)
        found = {row["topic"]: row["value"] for row in scores.collect()}
    assert abs(found["big"] - (1 + 2 / 10 + 3 / size) / 3) < 1e-15 and found["s7"] == 1 / 50
    print(f"one topic with {size} documents among 1,000: AP is right")


if __name__ == "__main__":
    main()
