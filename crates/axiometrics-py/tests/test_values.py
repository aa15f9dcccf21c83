"""Names are the caller's, results are values, and both behave as Python's own do."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from conftest import collection

import axiometrics as ax
from axiometrics.compat import pytrec_eval

pytestmark = pytest.mark.filterwarnings("ignore::axiometrics.AxiometricsWarning")

QRELS = {str(n): {"a": 1} for n in range(12)}
GOOD = {topic: {"a": 2.0, "b": 1.0} for topic in QRELS}
BAD = {topic: {"b": 2.0, "a": 1.0} for topic in QRELS}
NAMES = ["bm25", "--all", "-", "-m", "a/b.gz", "..", "x y", "größe", "bm25#2"]


def trec(run):
    return ax.Run(run).to_text("trec")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_never_a_path_or_an_option(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # A file of the same name holds the opposite.
    if name not in ("-", "..", "a/b.gz"):
        (tmp_path / name).write_bytes(trec(GOOD))
    runs = {name: BAD, "other": GOOD}
    found = ax.compare(QRELS, runs, "RR", baseline=name)
    assert found["baseline"] == name
    assert {s["name"]: s["mean"] for s in found["measures"][0]["systems"]} == {name: 0.5, "other": 1.0}
    measured = {
        "standardize": [run["run"] for run in ax.standardize(QRELS, runs, "RR")["runs"]],
        "evaluate": list(ax.evaluate(QRELS, runs, "RR")),
        "risk": ax.risk(QRELS, {name: BAD}, {"other": GOOD}, "RR")["baseline"],
        "gate": ax.gate(QRELS, {name: BAD}, GOOD, max_drop={"RR": 0.1})["runs"][0]["run"],
        "organize": [s["name"] for s in ax.organize({"q": {"a": 1}}, {name: {"q": {"a": 1}}})["systems"]],
    }
    assert measured == {
        "standardize": [name, "other"],
        "evaluate": [name, "other"],
        "risk": name,
        "gate": name,
        "organize": [name],
    }
    assert "RR" in str(ax.report(QRELS, runs, "RR", baseline=name))
    assert len(ax.fuse({name: BAD, "other": GOOD}).topics()) == len(QRELS)


def test_a_path_is_a_path_whatever_the_names_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").write_bytes(trec(GOOD))
    # A run in memory without a name of its own is called "run", too.
    found = ax.compare(QRELS, ["run", BAD], "RR")["measures"][0]["systems"]
    assert [s["mean"] for s in found] == [1.0, 0.5]
    assert len({s["name"] for s in found}) == 2


def test_an_unknown_baseline_lists_the_runs():
    with pytest.raises(ax.UsageError, match="'goood', expected one of good, bad"):
        ax.compare(QRELS, {"good": GOOD, "bad": BAD}, "RR", baseline="goood")


def test_a_result_does_not_change_with_its_files(tmp_path):
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_bytes(ax.Qrels(QRELS).to_text())
    run.write_bytes(trec(GOOD))
    result = ax.compare(qrels, [run, ax.Run(BAD)], "RR")
    run.unlink()
    qrels.write_text("")
    assert "1.0000" in str(result) and "1.0000" in result._repr_html_()
    assert "tabular" in result.to_latex() and "|" in result.to_markdown()
    assert result.to_csv().count("\n") == 2
    checked = ax.check("P@5", only="properties")
    assert "monotonic" in str(checked) and "<table" in checked._repr_html_()


def test_a_gate_is_true_exactly_if_it_passed():
    assert ax.gate(QRELS, GOOD, BAD, max_drop={"RR": 0.1})
    assert not ax.gate(QRELS, BAD, GOOD, max_drop={"RR": 0.1})
    assert ax.gate(QRELS, GOOD, min={"RR": 0.9}) and not ax.gate(QRELS, BAD, min={"RR": 0.9})
    few = {topic: QRELS[topic] for topic in list(QRELS)[:3]}
    gate = ax.gate(few, GOOD, BAD, max_drop={"RR": 0.1})
    assert gate.verdict == "undecided"
    with pytest.raises(ax.Undecided, match="undecided"):
        bool(gate)
    assert ax.gate(few, GOOD, BAD, max_drop={"RR": 0.1}, undecided="pass")
    assert not ax.gate(few, GOOD, BAD, max_drop={"RR": 0.1}, undecided="fail")


def test_results_are_mappings():
    one = ax.evaluate(QRELS, GOOD, ["AP", "RR"])
    assert dict(one) == {"AP": 1.0, "RR": 1.0} == one and len(one) == 2
    assert one == ax.evaluate(QRELS, GOOD, ["AP", "RR"]) != ax.evaluate(QRELS, BAD, ["AP", "RR"])
    several = ax.evaluate(QRELS, {"good": GOOD, "bad": BAD}, "RR")
    assert dict(several) == {"good": {"RR": 1.0}, "bad": {"RR": 0.5}}
    assert list(several.items())[1] == ("bad", {"RR": 0.5}) and several.get("none") is None
    assert float(ax.evaluate(QRELS, BAD, "RR")) == 0.5
    with pytest.raises(TypeError, match="expected one of each"):
        float(one)
    found = ax.compare(QRELS, {"good": GOOD, "bad": BAD}, "RR")
    assert dict(found) == json.loads(found.to_json()) and found == copy.deepcopy(found)
    assert set(found.keys()) == set(found) and found.get("none") is None


def test_values_can_be_pickled_and_copied():
    qrels, run = collection(1)
    tied = ax.Run({"q": {"b": 1.0, "c": 1.0, "a": 1.0, "d e": 0.1}}, name="tied")
    values = [
        ax.Run(run, name="mine"),
        tied,
        ax.Qrels(qrels),
        ax.Qrels({"q 1": {"d 1": 0.3, "d2": 0}}),
        ax.compare(QRELS, {"good": GOOD, "bad": BAD}, "RR"),
        ax.gate(QRELS, GOOD, BAD, max_drop={"RR": 0.1}),
        ax.report(QRELS, {"good": GOOD}, "RR"),
        ax.check("P@5"),
        ax.nDCG @ 10,
    ]
    for value in values:
        for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert type(again) is type(value) and str(again) == str(value)
            if hasattr(value, "to_dict"):
                assert again.to_dict() == value.to_dict()
    again = pickle.loads(pickle.dumps(tied))
    judged = {"q": {"a": 1}}
    assert ax.evaluate(judged, again, "RR", ties="file") == ax.evaluate(judged, tied, "RR", ties="file")
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut_5"})
    assert pickle.loads(pickle.dumps(evaluator)).evaluate(run) == evaluator.evaluate(run)


def test_judgements_with_subtopics_can_be_pickled(tmp_path):
    path = tmp_path / "qrels"
    path.write_text("1 1 a 1\n1 2 a 1\n1 2 b 1\n")
    qrels = ax.Qrels(path, facet="subtopic")
    run = {"1": ["a", "b"]}
    again = pickle.loads(pickle.dumps(qrels))
    assert ax.evaluate(again, run, "alpha_nDCG@2") == ax.evaluate(qrels, run, "alpha_nDCG@2")


def test_functions_of_one_name_have_columns_of_their_own():
    def made(k):
        def share(gains):
            return sum(g > 0 for g in gains[:k]) / k

        return share

    found = ax.evaluate(QRELS, GOOD, [made(1), made(2), lambda gains: 0.25, lambda gains: 0.75])
    assert dict(found) == {"share": 1.0, "share#2": 0.5, "function": 0.25, "function#2": 0.75}
    twice = made(4)
    assert len(ax.evaluate(QRELS, GOOD, [twice, twice])) == 1
    with pytest.raises(ax.UsageError, match="two functions called mine"):
        ax.evaluate(QRELS, GOOD, [ax.metric(made(1), name="mine"), ax.metric(made(2), name="mine")])


def test_an_empty_run_among_runs_is_a_run():
    with pytest.raises(ax.InputError, match="^empty: the run is empty"):
        ax.evaluate(QRELS, {"empty": {}, "good": GOOD}, "RR")


def test_what_cannot_be_meant_is_refused():
    with pytest.raises(ax.UsageError, match="dict of measures.*ndcg@10"):
        ax.evaluate(QRELS, GOOD, {"ndcg": 10})  # type: ignore[arg-type]
    with pytest.raises(ax.UsageError, match="depth: found 0"):
        ax.evaluate(QRELS, GOOD, "RR", depth=0)


def test_errors_in_a_table_of_judgements_name_the_judgements():
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({"topic": ["1"], "doc": ["a"], "grade": ["high"]})
    with pytest.raises(ax.InputError, match="^qrels"):
        ax.evaluate(table, GOOD, "RR")
    with pytest.raises(ax.InputError, match="^qrels"):
        ax.Qrels(table)


def test_progress_never_shows_more_than_was_done():
    shares = []
    ax.compare(QRELS, {"good": GOOD, "bad": BAD}, "RR", test="randomisation", resamples=200_000, progress=shares.append)
    assert all(share is None or share < 1 for share in shares)
