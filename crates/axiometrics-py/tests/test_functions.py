"""A Python function as a measure, in evaluations and in the laboratory."""

from __future__ import annotations

import gc
import time

import pytest
from conftest import collection

import axiometrics as ax


def average_precision(gains, k, R):
    if R == 0:
        return None
    found, total = 0, 0.0
    for rank, gain in enumerate(gains, 1):
        if gain > 0:
            found += 1
            total += found / rank
    return total / R


@pytest.mark.filterwarnings("ignore::axiometrics.AxiometricsWarning")
@pytest.mark.parametrize("seed", range(3))
def test_functions_score_as_measures_do(seed):
    qrels, run = collection(seed)
    result = ax.evaluate(qrels, run, ["AP", "AP@5", average_precision, ax.metric(average_precision) @ 5])
    assert result.measures == ["AP", "AP@5", "average_precision", "average_precision@5"]
    assert result["average_precision"] == pytest.approx(result["AP"], abs=1e-12)
    assert result["average_precision@5"] == pytest.approx(result["AP@5"], abs=1e-12)


def test_verdicts_are_those_of_the_measure_and_quick():
    started = time.perf_counter()
    ours = ax.check(average_precision, gains="binary")
    took = time.perf_counter() - started
    theirs = ax.check("AP")
    for verdict in ours:
        # What is proved of a formula cannot be proved of code, only searched for.
        if verdict.data.get("scope") in (None, "general") and verdict.verdict != "not decided":
            violated = theirs[verdict.name].verdict == "violated"
            assert (verdict.verdict == "violated") == violated, verdict
            if violated:
                assert verdict.witness
    assert took < 5, f"{took} s"  # under a second when the machine is free


def test_exceptions_of_a_function_arrive(qrels, run):
    def fails(gains):
        raise ZeroDivisionError("mine")

    for use in (lambda: ax.evaluate(qrels, run, fails), lambda: ax.check(fails), lambda: ax.score(["a"], ["a"], fails)):
        with pytest.raises(ZeroDivisionError, match="mine"):
            use()

    with pytest.raises(TypeError):
        ax.evaluate(qrels, run, lambda gains: "text")
    assert ax.evaluate(qrels, run, "RR")["RR"] == 0.75


def test_functions_say_what_they_need(qrels, run):
    with pytest.raises(ax.UsageError, match="asks for \"x\", expected some of gains"):
        ax.metric(lambda x: 1.0)
    seen = {}

    def looks(gains, k, R, ideal, max_grade, retrieved, extra=3):
        seen[tuple(gains)] = (k, R, ideal, max_grade, retrieved)
        return 1

    ax.evaluate(qrels, run, ax.metric(looks) @ 2)
    assert seen == {(1.0, 0.0): (2, 2, [2.0, 1.0], 2.0, 3), (0.0, 1.0): (2, 1, [1.0], 2.0, 2)}


def test_functions_do_not_leak():
    import tracemalloc

    def one():
        def p(gains, k):
            return sum(gains) / k

        ax.score(["a"], ["a"], p)

    for _ in range(200):
        one()
    gc.collect()
    before = len(gc.get_objects())
    tracemalloc.start()
    for _ in range(10_000):
        one()
    gc.collect()
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(gc.get_objects()) - before < 200
    assert grown < 500_000
