"""Scores by Spark are those of the command, on a cluster of a master and two workers."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest
from spark_cluster import Cluster

import axiometrics as ax

pyspark = pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("there is no Java", allow_module_level=True)

from axiometrics import spark as axs  # noqa: E402

QRELS = "topic string, doc string, grade double"
RUN = "topic string, doc string, score double"
REAL = Path(__file__).resolve().parents[4] / "shared" / "data"
quiet = pytest.mark.filterwarnings("ignore")


def every_measure() -> list[str]:
    """Every measure that needs nothing but grades, with the parameters that it must have."""
    found = []
    for name in ax.measures()["measures"]:
        for text in (name["name"], f"{name['name']}@10"):
            try:
                ax.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, text)
            except ax.Error:
                continue
            found.append(text)
            break
    return found


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("spark")) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def session(cluster):
    return cluster.session


def collection(users: int, items: int, seed: int = 3):
    """Judgements and a run with ties, and topics of one side alone."""
    rng = random.Random(seed)
    docs = [f"d{n}" for n in range(items * 4)]
    qrels, run = [], []
    for user in range(users):
        if user % 11:
            qrels += [(f"u{user}", d, float(rng.choice([0, 0, 1, 1, 2, 3]))) for d in rng.sample(docs, 8)]
        if user % 7:
            run += [(f"u{user}", d, rng.choice([0.5, rng.random()])) for d in rng.sample(docs, items)]
    return qrels, run


def frames(session, qrels, run):
    return session.createDataFrame(qrels, QRELS), session.createDataFrame(run, RUN)


def by_command(folder: Path, qrels, run, measures, *flags: str):
    """What ``axio eval`` says, as its JSON."""
    judged, retrieved = folder / "qrels.txt", folder / "run.txt"
    judged.write_text("".join(f"{t} 0 {d} {g:g}\n" for t, d, g in qrels))
    retrieved.write_text("".join(f"{t} Q0 {d} 1 {s!r} r\n" for t, d, s in run))
    return command(judged, retrieved, measures, *flags)


def command(judged: Path, retrieved: Path, measures, *flags: str):
    axio = Path(sys.executable).parent / "axio"
    asked = [x for m in measures for x in ("-m", m)]
    call = [str(axio), "eval", str(judged), str(retrieved), *asked, "-q", "--per-topic", *flags]
    call += ["--format", "json"]
    document = json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)
    return document["runs"][0]


def finite(value: float | None) -> float | None:
    """JSON has no infinite numbers."""
    return value if value is not None and math.isfinite(value) else None


def same_as_command(there, document) -> None:
    means = {m["measure"]: m["mean"] for m in document["measures"]}
    assert {measure: finite(x) for measure, x in there.summary().items()} == means
    found = {(r["topic"], r["measure"]): finite(r["value"]) for r in there.collect()}
    expected = {
        (topic, m["measure"]): x for m in document["measures"] for topic, x in m["topics"].items()
    }
    assert found == expected


@quiet
@pytest.mark.parametrize("flags", [{}, {"missing": "skip"}, {"undefined": "skip"}, {"ties": "docid-asc"}, {"undefined": "one", "depth": 7}, {"ties": "average"}, {"prune": True}])
def test_values_are_those_of_the_command(session, tmp_path, flags):
    qrels, run = collection(300, 20)
    measures = every_measure()
    assert len(measures) > 40
    words = [f"--{k}" if v is True else f"--{k}={v}" for k, v in flags.items()]
    document = by_command(tmp_path, qrels, run, measures, *words)
    judged, retrieved = frames(session, qrels, run)
    for partitions in (1, 6):
        there = axs.evaluate(judged, retrieved, measures, partitions=partitions, **flags)
        same_as_command(there, document)


@quiet
def test_two_spellings_of_a_measure_are_one(session):
    qrels, run = collection(40, 10)
    there = axs.evaluate(*frames(session, qrels, run), ["AP", "MAP", "RR", "P@5", "RR"])
    assert there.measures == ["AP", "RR", "P@5"]
    assert there.summary() == ax.evaluate(qrels, run, ["AP", "RR", "P@5"]).to_dict()


@quiet
def test_scores_that_are_kept_have_the_same_summary(session):
    qrels, run = collection(200, 10)
    there = axs.evaluate(*frames(session, qrels, run), ["AP", "GMAP", "nDCG(avg=median)"])
    first = there.summary()
    kept = axs.evaluate(*frames(session, qrels, run), ["AP", "GMAP", "nDCG(avg=median)"]).cache()
    assert kept.summary() == first == ax.evaluate(qrels, run, there.measures).to_dict()
    assert kept.count() == 3 * len({t for t, _, _ in qrels})
    kept.unpersist()


@quiet
def test_ranges_are_those_of_one_machine(session):
    qrels, run = collection(60, 6)
    for undefined in ("zero", "skip"):
        here = ax.evaluate(qrels, run, ["AP", "P@5", "nDCG@5"], ranges=True, undefined=undefined)
        there = axs.evaluate(
            *frames(session, qrels, run), ["AP", "P@5", "nDCG@5"], ranges=True, undefined=undefined
        )
        assert there.ranges() == {measure: here.range(measure) for measure in here.measures}
        for row in there.collect():
            assert row["low"] is None or row["low"] <= row["high"]


@quiet
def test_several_runs_are_compared_as_on_one_machine(session):
    qrels, run = collection(120, 10)
    other = [(t, d, -s) for t, d, s in run]
    both = [(*row, "one") for row in run] + [(*row, "two, again") for row in other]
    judged = session.createDataFrame(qrels, QRELS)
    retrieved = session.createDataFrame(both, f"{RUN}, system string")
    there = axs.evaluate(judged, retrieved, ["AP", "RR"], runs="system")
    here = ax.evaluate(qrels, {"one": run, "two, again": other}, ["AP", "RR"])
    assert there.summary() == here.to_dict()
    found = there.compare()["measures"][0]["pairs"][0]
    expected = ax.compare(qrels, {"one": run, "two, again": other}, ["AP", "RR"], missing="zero")
    assert found["p"] == pytest.approx(expected["measures"][0]["pairs"][0]["p"], abs=1e-12)
    with pytest.raises(ax.UsageError, match="found one run"):
        axs.evaluate(judged, retrieved, "AP").compare()


WRONG = [
    (("q", "d", 2.0), 'document "d" is in topic "q" twice'),
    (("q", "x", float("nan")), 'topic "q", document "x": found NaN in column "score"'),
    (("q", "x", None), 'topic "q", document "x": found null in column "score"'),
    (("q", None, 1.0), 'topic "q", document null: found null in column "doc"'),
    ((None, "x", 1.0), 'topic null, document "x": found null in column "topic"'),
]


@pytest.mark.parametrize("row, said", WRONG)
def test_wrong_rows_are_named_or_counted(session, row, said):
    qrels = [("q", "d", 1.0), ("p", "d", 1.0)]
    judged, retrieved = frames(session, qrels, [("q", "d", 1.0), ("p", "d", 1.0), row])
    for look in (lambda s: s.summary(), lambda s: s.collect()):
        with pytest.raises(Exception, match="(?s).*" + said.replace(".", r"\.")):
            look(axs.evaluate(judged, retrieved, ["RR"]))
    for keep in (False, True):
        there = axs.evaluate(judged, retrieved, ["RR"], lenient=True)
        there = there.cache() if keep else there
        with pytest.warns(ax.AxiometricsWarning, match=": 1 "):
            assert there.summary() == {"RR": 1.0}


def test_wrong_grades_are_named(session):
    retrieved = session.createDataFrame([("q", "d", 1.0)], RUN)
    for grade, said in ((None, "null"), ("good", "null"), ("NaN", "NaN")):
        judged = session.createDataFrame([("q", "d", grade)], "topic string, doc string, grade string")
        with pytest.raises(Exception, match=f'topic "q", document "d": found {said} in column "grade"'):
            axs.evaluate(judged, retrieved, ["RR"]).summary()


def test_what_is_wrong_with_the_call_is_said_at_once(session):
    judged, retrieved = frames(session, [("q", "d", 1.0)], [("q", "d", 1.0)])
    with pytest.raises(ax.UsageError, match='no column "docno", expected it among topic, doc, grade'):
        axs.evaluate(judged, retrieved, "RR", doc="docno")
    with pytest.raises(ax.Error, match="nDGC"):
        axs.evaluate(judged, retrieved, "nDGC@10")
    with pytest.raises(ax.UsageError, match='ties="file"'):
        axs.evaluate(judged, retrieved, "RR", ties="file")
    with pytest.raises(ax.InputError, match="no topic in common"):
        elsewhere = session.createDataFrame([("z", "d", 1.0)], RUN)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            axs.evaluate(judged, elsewhere, "RR").summary()


def test_missing_topics_follow_the_policy(session):
    judged, retrieved = frames(session, [("p", "d", 1.0), ("q", "d", 1.0)], [("p", "d", 1.0)])
    with pytest.warns(ax.AxiometricsWarning, match="1 judged topic is missing"):
        assert axs.evaluate(judged, retrieved, "RR").summary() == {"RR": 0.5}
    with pytest.warns(ax.AxiometricsWarning, match="1 judged topic is missing"):
        assert axs.evaluate(judged, retrieved, "RR", missing="skip").summary() == {"RR": 1.0}
    with pytest.raises(Exception, match="missing from the run, among them topic q"):
        axs.evaluate(judged, retrieved, "RR", missing="error").summary()


@quiet
def test_a_topic_of_very_many_documents_survives(session):
    size = int(os.environ.get("AXIOMETRICS_SKEW", 300_000))
    spread = session.range(size).selectExpr("'big' topic", "concat('d', id) doc", "double(-id) score")
    small = session.range(1000).selectExpr("concat('s', id % 50) topic", "concat('d', id) doc", "double(id) score")
    qrels = [("big", f"d{n}", 1.0) for n in (0, 9, 99_999)] + [(f"s{n}", f"d{n}", 1.0) for n in range(50)]
    judged = session.createDataFrame(qrels, QRELS)
    there = axs.evaluate(judged, spread.unionAll(small), ["AP"], partitions=4)
    found = {r["topic"]: r["value"] for r in there.collect()}
    assert found["big"] == pytest.approx((1 + 2 / 10 + 3 / 100_000) / 3, abs=1e-15)
    assert len(found) == 51


@quiet
def test_other_names_of_columns_and_ids_that_are_numbers(session):
    judged = session.createDataFrame([(1, 10, 2), (2, 10, 1)], "`user id` long, item long, stars int")
    retrieved = session.createDataFrame([(1, 11, 0.3), (1, 10, 0.1), (2, 10, 0.2)], "`user id` long, item long, s float")
    there = axs.evaluate(judged, retrieved, ["RR"], topic="user id", doc="item", score="s", grade="stars")
    assert there.summary() == {"RR": 0.75}
    assert axs.evaluate(judged, retrieved, ["RR"], topic="user id", doc="item", score="s", grade="stars", order="asc").summary() == {"RR": 1.0}


@quiet
@pytest.mark.skipif(not (REAL / "dl21").is_dir(), reason="needs ../shared/data: runs of TREC DL 2021")
def test_real_runs(session):
    judged = REAL / "dl21" / "qrels-pass.txt"
    runs = sorted((REAL / "dl21" / "runs").iterdir())[:2]
    held = ax.Qrels(str(judged)).to_dict()
    qrels = [(t, d, float(g)) for t, ds in held.items() for d, g in ds.items()]
    for path in runs:
        rows = [(t, d, s) for t, ds in ax.Run(str(path)).to_dict().items() for d, s in ds.items()]
        measures = every_measure()
        there = axs.evaluate(*frames(session, qrels, rows), measures, partitions=5)
        same_as_command(there, command(judged, path, measures))


def test_mllib_ignores_grades(session):
    """What docs/spark.md says of it."""
    from pyspark.ml.evaluation import RankingEvaluator
    from pyspark.mllib.evaluation import RankingMetrics

    # Documents 1 and 3 are relevant with the grades 1 and 3; the worse one comes first.
    rdd = session.sparkContext.parallelize([([1.0, 3.0], [1.0, 3.0], [1.0, 3.0])])
    assert RankingMetrics(rdd).ndcgAt(2) == 1.0
    frame = session.createDataFrame([([1.0, 3.0], [1.0, 3.0])], "prediction array<double>, label array<double>")
    evaluator = RankingEvaluator(metricName="ndcgAtK", k=2)
    assert evaluator.evaluate(frame) == 1.0
    judged, retrieved = frames(session, [("q", "1", 1.0), ("q", "3", 3.0)], [("q", "1", 2.0), ("q", "3", 1.0)])
    ours = axs.evaluate(judged, retrieved, "nDCG(dcg=exp-log2)@2").summary()
    assert next(iter(ours.values())) == pytest.approx(0.7098, abs=1e-4)


@quiet
def test_a_worker_that_dies_midway_changes_nothing(cluster):
    """Last of all: the cluster has one worker less afterwards."""
    session = cluster.session
    qrels, run = collection(400, 20)
    measures = ["AP", "nDCG@10", "RR", "ERR"]
    expected = ax.evaluate(qrels, run, measures)
    judged, retrieved = frames(session, qrels, run)

    def slow(batches):
        for batch in batches:
            time.sleep(0.4)
            yield batch

    # Each of twelve tasks takes a while, so that the worker dies with some done and some not.
    delayed = retrieved.repartition(12).mapInArrow(slow, RUN)
    there = axs.evaluate(judged, delayed, measures, partitions=12)
    killed = threading.Timer(2.0, cluster.kill_a_worker)
    killed.start()
    found = {(r["topic"], r["measure"]): r["value"] for r in there.collect()}
    killed.join()
    assert cluster.workers_alive() == 1
    assert found == {(t, m): x for t, row in expected.topics.items() for m, x in row.items()}
    assert there.summary() == expected.to_dict()
