"""What the command does, from Python; and the command that the wheel brings."""

from __future__ import annotations

import json
import math
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import collection

import axiometrics as ax

pytestmark = pytest.mark.filterwarnings("ignore::axiometrics.AxiometricsWarning")


@pytest.fixture
def runs():
    return {name: collection(seed)[1] for name, seed in (("one", 1), ("two", 2), ("three", 3))}


@pytest.fixture
def judged():
    return collection(1)[0]


def test_compare(judged, runs):
    found = ax.compare(judged, runs, ["AP", "RR"], baseline="one", test="randomisation")
    assert found["baseline"] == "one"
    assert [m["measure"] for m in found["measures"]] == ["AP", "RR"]
    means = ax.evaluate(judged, runs, "AP")
    for system in found["measures"][0]["systems"]:
        assert system["name"] in runs
    assert "tabular" in found.to_latex() and "one" in str(found)
    assert means.runs == ["one", "two", "three"]
    with pytest.raises(ax.UsageError, match="test="):
        ax.compare(judged, runs, "AP", test="no")  # type: ignore[arg-type]


def test_each_subcommand_answers(judged, runs, tmp_path):
    run = runs["one"]
    assert ax.explain("AP", judged, run, topic=next(iter(run)))
    assert ax.meta(judged, runs, ["AP", "RR"], resamples=100)
    assert ax.risk(judged, run, {"two": runs["two"]}, "AP")
    assert ax.standardize(judged, runs, "AP")
    assert ax.plan("judge", runs, judged, budget=5)
    assert ax.plan("topics", delta=0.05, sd=0.2)
    assert ax.choose(["monotonic"], graded=True)
    assert len(ax.measures()["measures"]) > 50
    path = tmp_path / "run.txt"
    path.write_bytes(ax.Run(run).to_text())
    assert ax.validate(path)["files"]
    page = ax.report(judged, runs, "AP RR")
    page.save(tmp_path / "page.html")
    assert "<svg" in (tmp_path / "page.html").read_text()
    assert ax.gate(judged, run, run, max_drop={"AP": 0.1}).passed


def test_every_subcommand_has_a_function():
    listed = axio("--help").stdout.partition("Commands:\n")[2].partition("\n\n")[0]
    names = {line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "}
    assert {"eval", "session", "convert"} <= names
    # A page to be served, and texts for a terminal.
    names -= {"lab", "completions", "man", "help"}
    ours = {"eval": "evaluate", "score": "score_vector"}
    assert [name for name in names if ours.get(name, name) not in ax.__all__] == []


def test_utilities_are_scored_whatever_they_are():
    dice = random.Random(1)
    rankings = [[dice.random() for _ in range(n % 12 + 1)] for n in range(50)]
    for grades in [*rankings, [1e-05, 0.123456789012345], [12]]:
        found = ax.score_vector(grades, measures="DCG")["rankings"][0]
        assert found["grades"] == grades
        dcg = sum(gain / math.log2(rank + 2) for rank, gain in enumerate(grades))
        assert math.isclose(found["measures"][0]["value"], dcg, rel_tol=1e-12)
    # A list of documents has no scores that could be grades.
    found = ax.evaluate({"q": {"a": 0.7, "b": 0.3, "c": 0.9}}, {"q": ["a", "b"]}, "DCG")
    assert math.isclose(found["DCG"], 0.7 + 0.3 / math.log2(3))


def test_sessions(tmp_path):
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    run = {"q1": {"x": 2.0, "a": 1.0}, "q2": {"b": 1.0}}
    path = tmp_path / "sessions.txt"
    path.write_text("s q1\ns q2\n")
    here = ax.session({"s": ["q1", "q2"]}, qrels, run, ["nsDCG@2", "sRBP"], per_session=True)
    assert here["runs"] == ax.session(path, qrels, run, ["nsDCG@2", "sRBP"], per_session=True)["runs"]
    # The second query's gain counts 1 / (1 + log4 2), the first one's found at rank 2.
    expected = (1 / math.log2(3) + 2 / 3) / (1 + 2 / 3)
    assert here["runs"][0]["measures"][0]["mean"] == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ax.UsageError, match="no tab"):
        ax.session({"s\t": ["q1"]}, qrels, run)


def test_files_are_converted(tmp_path):
    qrels = {"q": {"a": 2, "b": 0}}
    for name in ("q.parquet", "q.csv", "q.json.gz"):
        ax.convert(ax.Qrels(qrels), tmp_path / name)
        assert ax.Qrels(tmp_path / name).to_dict() == qrels
    ax.convert(tmp_path / "q.parquet", tmp_path / "q.tsv", to="beir", as_="qrels")
    assert (tmp_path / "q.tsv").read_text().splitlines()[1].split() == ["q", "a", "2"]
    with pytest.raises(ax.FileError):
        ax.convert(tmp_path / "none", tmp_path / "q.csv")


def test_organize(tmp_path):
    gold, system = tmp_path / "gold.csv", tmp_path / "system.csv"
    gold.write_text("topic,doc,cluster\n1,a,x\n1,b,x\n1,c,y\n")
    system.write_text("topic,doc,cluster\n1,a,p\n1,b,q\n1,c,q\n")
    assert "bcubed_f" in ax.organize(gold, [system], "bcubed_f").to_json()


def test_ids_with_blanks_are_passed_on():
    qrels = {"a b": {"d 1": 1}}
    run = {"a b": {"d 1": 1.0, "d 2": 2.0}}
    found = ax.compare(qrels, {"x": run, "y": run}, "RR")
    assert found["measures"][0]["systems"][0]["mean"] == 0.5


def axio(*arguments, **options):
    program = shutil.which("axio", path=str(Path(sys.executable).parent))
    assert program, "the wheel brings the command"
    return subprocess.run([program, *arguments], capture_output=True, text=True, **options)


def test_the_wheel_brings_the_command(tmp_path):
    assert axio("--version").stdout == f"axio {ax.__version__}\n"
    qrels, run = tmp_path / "q", tmp_path / "r"
    qrels.write_text("1 0 a 1\n")
    run.write_text("1 Q0 a 1 2.0 t\n")
    told = axio("eval", qrels, run, "-m", "RR", "--format", "json")
    assert told.returncode == 0
    assert json.loads(told.stdout)["runs"][0]["measures"][0]["mean"] == 1.0
    assert axio("eval", qrels, tmp_path / "none").returncode == 2
    assert axio("nonsense").returncode == 2
    assert axio("--help").returncode == 0
    trec = axio("trec_eval", "-m", "map", qrels, run)
    assert trec.stdout.split() == ["map", "all", "1.0000"]


def test_a_pipe_that_closes_is_no_failure(tmp_path):
    program = shutil.which("axio", path=str(Path(sys.executable).parent))
    done = subprocess.run(
        f"{program} measures | head -1; echo ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "0", done
