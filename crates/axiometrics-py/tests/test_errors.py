"""Bad input: an exception that names topic, document and place; never a crash or a wrong number."""

from __future__ import annotations

import math
import pickle
import signal
import subprocess
import sys
import threading
import time

import pytest

import axiometrics as ax
from axiometrics import _native


def test_exceptions_have_kinds_and_places(tmp_path):
    bad = tmp_path / "bad.run"
    bad.write_text("q1 Q0 d1 1 0.9 x\nq1 Q0 d2 2 abc x\n")
    with pytest.raises(ax.InputError) as caught:
        ax.evaluate({"q1": {"d1": 1}}, bad, "AP")
    error = caught.value
    assert (error.file, error.line, error.column) == (str(bad), 2, 12)
    assert isinstance(error, ValueError) and 'found "abc"' in str(error)
    assert pickle.loads(pickle.dumps(error)).line == 2
    with pytest.raises(ax.FileError) as missing:
        ax.evaluate({"q1": {"d1": 1}}, tmp_path / "none", "AP")
    assert isinstance(missing.value, OSError)
    with pytest.raises(ax.UsageError, match="nDGC"):
        ax.evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 1}}, "nDGC@10")
    with pytest.raises(ax.UsageError, match="docid-desc"):
        ax.evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 1}}, "AP", ties="no")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("qrels", "run", "told"),
    [
        ({"q": {"d": 1}}, {"q": {"d": math.nan}}, ["d", "q", "NaN"]),
        ({"q": {"d": 1}}, {"q": {"d": "high"}}, ["'d'", '"q"', "'high'", "score"]),
        ({"q": {"d": 1}}, {"q": {"d": None}}, ["'d'", '"q"', "None"]),
        ({"q": {"d": 1}}, {"q": {None: 1.0}}, ['"q"', "None", "id"]),
        ({"q": {"d": 1}}, {3.5: {"d": 1.0}}, ["3.5", "topic"]),
        ({"q": {"d": 1}}, {"q": {"": 1.0}}, ["empty"]),
        ({"q": {"d": 1}}, {"q": [], "r": 7}, ["int", '"r"']),
        ({"q": {"d": "one"}}, {"q": {"d": 1.0}}, ["'one'", "grade"]),
        ({"q": {"d": math.inf}}, {"q": {"d": 1.0}}, ["inf", "grade"]),
        ({"q": {"d": 1}}, {"other": {"d": 1.0}}, ["no topic in common"]),
        ({"q": {"d": 1}}, {}, ["empty"]),
        ({"q": {"d": 1}}, [("q", "d", 1.0), ("q", "d", 2.0)], ["twice", '"d"']),
        ({"q": {"d": 1}}, [("q", "d")], ["row 1", "expected topic"]),
        ({"q": {"d": 1}}, {"q": {"\ud800": 1.0}}, ["id"]),
    ],
)
def test_what_is_wrong_is_named(qrels, run, told):
    with pytest.raises(ax.Error) as caught:
        ax.evaluate(qrels, run, "AP")
    for text in told:
        assert text in str(caught.value)


def test_lenient_counts_what_it_leaves_out():
    with pytest.warns(ax.AxiometricsWarning, match="not a number left out"):
        found = ax.evaluate({"q": {"d": 1}}, {"q": {"e": math.nan, "d": 1.0}}, "RR", lenient=True)
    assert found["RR"] == 1.0


def test_measures_that_need_subtopics_are_refused(tmp_path):
    with pytest.raises(ax.UsageError, match="subtopic"):
        ax.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, "alpha_nDCG@10")
    with pytest.raises(ax.UsageError, match="max_grade|maximum grade"):
        ax.evaluate({"q": {"d": 3}}, {"q": {"d": 1.0}}, "AP", max_grade=1)


@pytest.mark.filterwarnings("ignore")
def test_a_panic_is_an_exception_and_the_interpreter_goes_on(qrels, run):
    for on_a_thread in (False, True):
        with pytest.raises(BaseException, match="asked to panic"):
            _native.panic_for_tests(on_a_thread)
        assert ax.evaluate(qrels, run, "RR")["RR"] == 0.75


def test_threads_go_on_while_files_are_scored(tmp_path):
    q, r = tmp_path / "q", tmp_path / "r"
    q.write_text("".join(f"t{t} 0 d{d} 1\n" for t in range(300) for d in range(5)))
    r.write_text("".join(f"t{t} Q0 d{d} 1 {d} x\n" for t in range(300) for d in range(300)))
    counted = 0

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0)

    done = threading.Event()
    thread = threading.Thread(target=count)
    thread.start()
    ax.evaluate(q, r, ["AP", "nDCG@10"])
    done.set()
    thread.join()
    assert counted > 0


def test_ctrl_c_stops_a_long_check():
    code = (
        "import axiometrics as ax, time\n"
        "def slow(gains, k, R):\n    time.sleep(0.01); return 0.0\n"
        "print('ready', flush=True)\n"
        "try:\n    ax.check(slow)\nexcept KeyboardInterrupt:\n    print('stopped', flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    assert process.stdout.readline() == "stopped\n"
    assert time.monotonic() - started < 5
    process.communicate(timeout=20)
