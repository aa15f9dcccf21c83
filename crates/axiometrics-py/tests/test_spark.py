"""Scores by Spark are those of one machine, on a cluster of a master and two workers."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import time

import pytest

import axiometrics as ax

pyspark = pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("there is no Java", allow_module_level=True)

from axiometrics import spark as axs  # noqa: E402

MEASURES = ["AP", "nDCG@10", "RR", "P@5", "R@20", "RBP(p=0.8)", "ERR", "Bpref"]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def listening(port: int, patience: float = 120) -> None:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        with socket.socket() as found:
            if found.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise TimeoutError(f"nothing listens on port {port}")


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spark")
    home = os.path.dirname(pyspark.__file__)
    environment = {
        **os.environ,
        "SPARK_HOME": home,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(folder),
        "PYSPARK_PYTHON": sys.executable,
    }
    port = free_port()
    classes = os.path.join(home, "bin", "spark-class")
    package = "org.apache.spark.deploy"
    master = [classes, f"{package}.master.Master", "--host", "127.0.0.1", "--port", str(port)]
    worker = [classes, f"{package}.worker.Worker", "--cores", "1", "--memory", "1g"]
    started = []
    with open(folder / "log", "w") as log:

        def start(*command: str) -> None:
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
            started.append(process)

        start(*master, "--webui-port", str(free_port()))
        listening(port)
        for _ in range(2):
            start(*worker, "--webui-port", str(free_port()), f"spark://127.0.0.1:{port}")
        os.environ["PYSPARK_PYTHON"] = sys.executable
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        from pyspark.sql import SparkSession

        spark = (
            SparkSession.builder.master(f"spark://127.0.0.1:{port}")
            .appName("axiometrics")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.executor.memory", "700m")
            .config("spark.sql.shuffle.partitions", "5")
            .getOrCreate()
        )
        spark.sparkContext.setLogLevel("ERROR")
        yield spark
        spark.stop()
        for process in reversed(started):
            process.terminate()
            process.wait(60)


def collection(users: int, items: int):
    rng = random.Random(3)
    docs = [f"d{n}" for n in range(items * 4)]
    qrels, run = [], []
    for user in range(users):
        if user % 11:
            qrels += [(f"u{user}", d, rng.choice([0, 1, 1, 2, 3])) for d in rng.sample(docs, 8)]
        if user % 7:
            run += [(f"u{user}", d, rng.choice([0.5, rng.random()])) for d in rng.sample(docs, items)]
    return qrels, run


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("missing", ["zero", "skip"])
def test_values_are_those_of_one_machine(session, missing):
    qrels, run = collection(600, 20)
    qf = session.createDataFrame(qrels, "topic string, doc string, grade double")
    rf = session.createDataFrame(run, "topic string, doc string, score double")
    here = ax.evaluate(qrels, run, MEASURES, missing=missing)
    for partitions in (1, 6):
        there = axs.evaluate(qf, rf, MEASURES, partitions=partitions, missing=missing)
        assert there.summary() == here.to_dict()
        found = {(r["topic"], r["measure"]): r["value"] for r in there.collect()}
        expected = {(t, m): x for t, row in here.topics.items() for m, x in row.items()}
        assert found == expected


@pytest.mark.filterwarnings("ignore")
def test_several_runs_are_compared(session):
    qrels, run = collection(120, 10)
    both = [(t, d, s, "one") for t, d, s in run] + [(t, d, -s, "two") for t, d, s in run]
    qf = session.createDataFrame(qrels, "topic string, doc string, grade double")
    rf = session.createDataFrame(both, "topic string, doc string, score double, system string")
    there = axs.evaluate(qf, rf, ["AP", "RR"], runs="system")
    here = ax.evaluate(qrels, {"one": run, "two": [(t, d, -s) for t, d, s in run]}, ["AP", "RR"])
    assert there.summary() == here.to_dict()
    assert len(there.compare()["measures"]) == 2


@pytest.mark.filterwarnings("ignore")
def test_bad_rows_are_named(session):
    qf = session.createDataFrame([("q", "d", 1.0)], "topic string, doc string, grade double")
    rf = session.createDataFrame(
        [("q", "d", 1.0), ("q", "d", 2.0)], "topic string, doc string, score double"
    )
    with pytest.raises(Exception, match='document "d" is in topic "q" twice'):
        axs.evaluate(qf, rf, ["AP"]).collect()
