"""Scores are those of the command, whatever a run is made of."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import warnings
from collections import namedtuple

import pytest
from conftest import collection

import axiometrics as ax

MEASURES = ["nDCG@10", "AP", "RR", "P@5", "bpref", "RBP(p=0.8)", "R@10"]


def quietly(*args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ax.AxiometricsWarning)
        return ax.evaluate(*args, **options)


def trec(qrels, run, folder):
    q, r = folder / "q.txt", folder / "r.txt"
    q.write_text("".join(f"{t} 0 {d} {g}\n" for t, ds in qrels.items() for d, g in ds.items()))
    r.write_text(
        "".join(f"{t} Q0 {d} 1 {s!r} x\n" for t, ds in run.items() for d, s in ds.items())
    )
    return q, r


@pytest.mark.parametrize("seed", range(5))
def test_whatever_a_run_is_made_of_its_scores_are_the_same(seed, tmp_path):
    qrels, run = collection(seed)
    q, r = trec(qrels, run, tmp_path)
    expected = quietly(q, r, MEASURES, per_topic=True).to_dict()
    Row = namedtuple("ScoredDoc", "query_id doc_id score")
    Judged = namedtuple("Qrel", "query_id doc_id relevance iteration")
    rows = [(t, d, s) for t, ds in run.items() for d, s in ds.items()]
    judged = [(t, d, g) for t, ds in qrels.items() for d, g in ds.items()]
    with open(q) as judgements, open(r, "rb") as ranking:
        assert quietly(judgements, ranking, MEASURES, per_topic=True).to_dict() == expected
    for left, right in [
        (qrels, run),
        (str(q), str(r)),
        (ax.Qrels(qrels), ax.Run(run)),
        (ax.Qrels(q), ax.Run(r)),
        (io.StringIO(q.read_text()), io.BytesIO(r.read_bytes())),
        (judged, rows),
        (iter(judged), iter(rows)),
        ((Judged(*j, "0") for j in judged), (Row(*row) for row in rows)),
        (q, run),
        (qrels, r),
    ]:
        assert quietly(left, right, MEASURES, per_topic=True).to_dict() == expected


def test_the_command_says_the_same(tmp_path):
    qrels, run = collection(3)
    q, r = trec(qrels, run, tmp_path)
    command = [sys.executable, "-m", "axiometrics", "eval", q, r, "--format", "json", "-q"]
    command += ["--per-topic"] + [x for m in MEASURES for x in ("-m", m)]
    told = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    ours = json.loads(quietly(q, r, MEASURES, per_topic=True).to_json())
    assert ours["runs"] == told["runs"]
    assert ours["settings"] == told["settings"]


def test_options_reach_the_library(tmp_path):
    qrels, run = collection(1)
    q, r = trec(qrels, run, tmp_path)
    for options in [
        {"ties": "docid-asc"},
        {"ties": "average"},
        {"missing": "skip"},
        {"undefined": "skip"},
        {"depth": 3},
        {"scores": "f32"},
        {"max_grade": 5},
        {"threads": 1},
    ]:
        memory = quietly(qrels, run, MEASURES, **options).to_dict()
        assert memory == quietly(q, r, MEASURES, **options).to_dict()
        usual = quietly(qrels, run, MEASURES).to_dict()
        assert (memory != usual) or "scores" in options or "threads" in options or "undefined" in options


def test_ranges(qrels, run):
    result = quietly(qrels, run, ["RR", "P@2"], ranges=True)
    low, high = result.range("P@2")
    assert low <= result["P@2"] <= high and low < high
    assert "low" in result._columns()
    with pytest.raises(ax.UsageError, match="ranges"):
        ax.evaluate(qrels, run, "RR").range("RR")


def test_many_runs(qrels, run):
    other = {"q1": {"d3": 2.0}, "q2": {"d2": 3.0}}
    for runs in [{"a": run, "b": other}, {"a": ax.Run(run), "b": other}]:
        result = ax.evaluate(qrels, runs, "RR")
        assert result.to_dict() == {"a": {"RR": 0.75}, "b": {"RR": 1.0}}
        assert result["b"] == {"RR": 1.0}
        assert list(result) == ["a", "b"]
    assert ax.evaluate(qrels, [run, other], "RR").runs == ["run", "run#2"]
    with pytest.raises(ax.UsageError):
        ax.evaluate(qrels, [], "RR")


def test_named_runs_of_rows(qrels, run):
    rows = [(topic, doc, score) for topic, docs in run.items() for doc, score in docs.items()]
    found = ax.evaluate(qrels, {"one": rows, "two": rows}, "RR").to_dict()
    assert found == {"one": {"RR": 0.75}, "two": {"RR": 0.75}}


def test_rankings_without_scores(qrels):
    listed = {"q1": ["d1", "d2", "d3"], "q2": ("d9", "d2")}
    assert ax.evaluate(qrels, listed, "RR")["RR"] == 0.75
    relevant = {"q1": {"d1", "d3"}, "q2": ["d2"]}
    assert ax.evaluate(relevant, listed, "AP")["AP"] == pytest.approx(((1 + 2 / 3) / 2 + 1 / 2) / 2)


def test_ids_can_be_numbers():
    assert ax.evaluate({1: {10: 1}}, {1: {10: 1, 11: 2}}, "RR")["RR"] == 0.5
    assert ax.evaluate({"1": {"10": 1}}, {1: {10: 1, 11: 2}}, "RR")["RR"] == 0.5


def test_results_become_tables(qrels, run):
    result = ax.evaluate(qrels, run, ["RR", "AP"], per_topic=True)
    pandas, polars, arrow = (
        pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow")
    )
    frame = result.to_pandas()
    assert list(frame.columns) == ["run", "measure", "topic", "value"]
    assert frame[frame.measure == "RR"].value.tolist() == [1.0, 0.5]
    assert result.to_polars().shape == (4, 4)
    assert result.to_arrow().num_rows == 4
    assert "tabular" in result.to_latex()
    assert "| " in result.to_markdown()
    assert "RR" in str(result) and result.to_csv().startswith("run,measure")
    assert result.plot("RR")._repr_svg_().startswith("<svg")



def test_notebooks_show_a_table():
    qrels = {str(n): {"a": 1} for n in range(20)}
    runs = {
        "bad <b>": {str(n): {"x": 2.0, "a": 1.0} for n in range(20)},
        "good": {str(n): {"a": 2.0 if n else 0.0, "x": 1.0} for n in range(20)},
    }
    html = ax.evaluate(qrels, runs, ["RR"])._repr_html_()
    assert "bad &lt;b&gt;" in html and "<b>0.9750</b><sup>*</sup>" in html


def test_undefined_scores_have_reasons(run):
    with pytest.warns(ax.AxiometricsWarning, match='undefined="skip" leaves them out'):
        result = ax.evaluate({"q1": {"d1": 0}, "q2": {"d2": 1}}, run, "AP")
    assert result.topics["q1"]["AP"] is None
    assert result.undefined("AP") == {"q1": "the topic has no relevant document"}


def test_progress_and_gil(qrels, run):
    seen = []
    ax.evaluate(qrels, run, "AP", progress=seen.append)
    assert ax.evaluate(qrels, run, "AP", progress=True)["AP"]


def test_score_of_one_ranking():
    assert ax.score(["d1", "d2"], ["d2"], "RR") == {"RR": 0.5}
    assert ax.score({"d1": 1.0, "d2": 2.0}, {"d2": 3, "d1": 0}, ["RR", "P@1"]) == {"RR": 1, "P@1": 1}
    assert ax.score([], ["d2"], ["RR", "P@5"]) == {"RR": 0.0, "P@5": 0.0}
    assert ax.score(["d1"], [], ["AP", "P@1"]) == {"AP": None, "P@1": 0.0}
    assert ax.score([], [], ["AP", "P@1"]) == {"AP": None, "P@1": 0.0}
    assert ax.score((d for d in ["a", "b"]), {"b"}, "RR") == {"RR": 0.5}
    with pytest.raises(ax.UsageError, match="set"):
        ax.score({"a"}, {"a"}, "RR")
    with pytest.raises(ax.DuplicateError, match='"a"'):
        ax.score(["a", "a"], ["a"], "RR")
