"""A cluster of Spark on this machine: a master and two workers on loopback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Cluster:
    """Started when it is entered, stopped when it is left: ``with Cluster(folder) as cluster``."""

    def __init__(self, folder: Path, memory: str = "1g", patience: float = 900) -> None:
        self.folder, self.memory, self.patience = folder, memory, patience
        self.processes: list[subprocess.Popen[bytes]] = []
        self.log = folder / "log"

    def _start(self, role: str, *arguments: str) -> subprocess.Popen[bytes]:
        import pyspark

        home = os.path.dirname(pyspark.__file__)
        environment = {
            **os.environ,
            "SPARK_HOME": home,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_WORKER_DIR": str(self.folder / "work"),
            "PYSPARK_PYTHON": sys.executable,
        }
        command = [os.path.join(home, "bin", "spark-class"), f"org.apache.spark.deploy.{role}"]
        with open(self.log, "ab") as log:
            # A group of its own, so that what it starts can be stopped with it.
            process = subprocess.Popen(
                [*command, "--host", "127.0.0.1", "--webui-port", str(free_port()), *arguments],
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def _wait(self, ready, what: str) -> None:
        end = time.monotonic() + self.patience
        while not ready():
            if time.monotonic() > end:
                said = self.log.read_text(errors="replace")[-2000:]
                raise TimeoutError(f"{what} within {self.patience:g} s; the log ends with {said}")
            time.sleep(0.2)

    def __enter__(self) -> Cluster:
        port = free_port()
        self.master = f"spark://127.0.0.1:{port}"
        self._start("master.Master", "--port", str(port))

        def listening() -> bool:
            with socket.socket() as found:
                return found.connect_ex(("127.0.0.1", port)) == 0

        try:
            self._wait(listening, "no master")
            self.workers = [
                self._start("worker.Worker", "--cores", "1", "--memory", self.memory, self.master)
                for _ in range(2)
            ]
            registered = "Registering worker"
            said = lambda: self.log.read_text(errors="replace").count(registered)
            self._wait(lambda: said() >= 2, "no two workers")
            os.environ["PYSPARK_PYTHON"] = sys.executable
            os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
            from pyspark.sql import SparkSession

            self.session = (
                SparkSession.builder.master(self.master)
                .appName("axiometrics")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.ui.enabled", "false")
                .config("spark.executor.memory", self.memory)
                .config("spark.sql.shuffle.partitions", "5")
                .config("spark.sql.warehouse.dir", str(self.folder / "warehouse"))
                .getOrCreate()
            )
            self.session.sparkContext.setLogLevel("ERROR")
        except BaseException:
            self.__exit__()
            raise
        return self

    def workers_alive(self) -> int:
        return sum(worker.poll() is None for worker in self.workers)

    def kill_a_worker(self) -> None:
        """Kills a worker and its executors, as a machine that fails would."""
        self._kill(self.workers[0])

    @staticmethod
    def _kill(process: subprocess.Popen[bytes]) -> None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait(60)

    def __exit__(self, *_: object) -> None:
        if hasattr(self, "session"):
            self.session.stop()
        for process in reversed(self.processes):
            self._kill(process)
