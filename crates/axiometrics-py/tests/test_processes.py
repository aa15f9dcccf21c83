"""Processes that are made by fork, forkserver and spawn, after the parent has done parallel work.

Each scenario is a program of its own, which is ended if it hangs: a forked child may only hang for
what this package did, not for the threads of others in the process of the tests.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading

import pytest
from conftest import collection

import axiometrics as ax
from axiometrics.compat import ranx

# The calls take less than a second. A child that waits for a thread that it does not have never ends.
PATIENCE = 60

JUDGED, FIRST = collection(1)
RUNS = {"one": FIRST, "two": collection(2)[1], "three": collection(3)[1]}


def compare() -> object:
    return ax.compare(JUDGED, RUNS, "AP")["measures"][0]["pairs"][0]["p"]


def by_ranx() -> object:
    runs = [ranx.Run(run, name=name) for name, run in RUNS.items()]
    return str(ranx.compare(ranx.Qrels(JUDGED), runs, ["map"], make_comparable=True))


WORK = {
    "compare": compare,
    "evaluate": lambda: ax.evaluate(JUDGED, RUNS, "AP nDCG@10").to_dict(),
    "held": lambda: ax.evaluate(ax.Qrels(JUDGED), [ax.Run(run) for run in RUNS.values()], "AP")["run"],
    "notebook": lambda: ax.evaluate(JUDGED, RUNS, "AP")._repr_html_(),
    "check": lambda: ax.check("P@5")["monotonic"].verdict,
    "choose": lambda: len(ax.choose(["convergent", "monotonic"])["fits"]),
    "meta": lambda: ax.meta(JUDGED, RUNS, ["AP", "RR"], resamples=100)["measures"][0]["means"],
    "report": lambda: len(str(ax.report(JUDGED, RUNS, "AP"))) > 1000,
    "gate": lambda: ax.gate(JUDGED, RUNS["two"], RUNS["one"], max_drop={"AP": 0.1})["verdict"],
    "organize": lambda: ax.organize({"q": {"a": 1, "b": 2}}, {"x": {"q": {"a": 1, "b": 1}}})["systems"],
    "ranx": by_ranx,
}


def answer(name: str) -> object:
    return WORK[name]()


def forked(name: str) -> None:
    """A forked child answers as its parent."""
    expected = repr(answer(name))
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, repr(answer(name)).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as found:
        assert found.read().decode() == expected
    os.waitpid(child, 0)


def pool(method: str) -> None:
    """A pool of processes answers."""
    expected = compare()
    with multiprocessing.get_context(method).Pool(2) as workers:
        assert workers.map(answer, ["compare"] * 4) == [expected] * 4


def joblib(backend: str) -> None:
    """A loop of joblib answers."""
    from joblib import Parallel, delayed

    expected = compare()
    found = Parallel(n_jobs=2, backend=backend)(delayed(answer)("compare") for _ in range(4))
    assert found == [expected] * 4


def threads(name: str) -> None:
    """Calls on several threads answer, and so does a child that is forked while they work."""
    expected, stop = repr(answer(name)), threading.Event()
    answers: list[str] = []

    def work() -> None:
        while not stop.is_set():
            answers.append(repr(answer(name)))

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for _ in range(5):
        forked(name)
    stop.set()
    for worker in workers:
        worker.join()
    assert set(answers) == {expected}


SCENARIOS = [
    *(f"forked {name}" for name in WORK),
    *(f"pool {method}" for method in multiprocessing.get_all_start_methods()),
    *(f"joblib {backend}" for backend in ("loky", "multiprocessing", "threading")),
    "threads compare",
]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_processes_answer(scenario):
    program = subprocess.Popen(
        [sys.executable, __file__, *scenario.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # Python warns of any fork in a process with threads, which is the point here.
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        start_new_session=True,
    )
    try:
        output, _ = program.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(program.pid, signal.SIGKILL)
        pytest.fail(f"{scenario} did not end")
    assert (program.returncode, output) == (0, "")


if __name__ == "__main__":
    globals()[sys.argv[1]](sys.argv[2])
