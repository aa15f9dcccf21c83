"""Runs and judgements from tables of other libraries, and scores of Arrow batches."""

from __future__ import annotations

import pytest
from conftest import collection

import axiometrics as ax

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

pytestmark = pytest.mark.filterwarnings("ignore::axiometrics.AxiometricsWarning")
MEASURES = ["nDCG@10", "AP", "RR"]


def columns(data, number):
    rows = [(t, d, x) for t, ds in data.items() for d, x in ds.items()]
    return {
        "query_id": [t for t, _, _ in rows],
        "doc_id": [d for _, d, _ in rows],
        number: [float(x) for _, _, x in rows],
    }


@pytest.mark.parametrize("seed", range(3))
def test_tables_score_as_dicts_do(seed):
    qrels, run = collection(seed)
    expected = ax.evaluate(qrels, run, MEASURES, per_topic=True).to_dict()
    judged, retrieved = columns(qrels, "relevance"), columns(run, "score")
    for make in (
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda c: pa.table(c).to_batches()[0],
        lambda c: pa.table({**c, "doc_id": pa.array(c["doc_id"]).dictionary_encode()}),
        lambda c: pa.table({**c, "query_id": pa.array(c["query_id"], pa.large_string())}),
        lambda c: pa.table({**c, "doc_id": pa.array(c["doc_id"], pa.string_view())}),
    ):
        found = ax.evaluate(make(judged), make(retrieved), MEASURES, per_topic=True).to_dict()
        assert found == expected
    assert ax.Run(pd.DataFrame(retrieved)).to_dict().keys() == run.keys()


def test_whole_numbers_are_ids():
    run = pd.DataFrame({"qid": [1, 1], "docno": [10, 11], "score": [1.0, 2.0]})
    assert ax.evaluate({"1": {"10": 1}}, run, "RR")["RR"] == 0.5


def test_what_is_wrong_names_column_and_row():
    run = pa.table({"qid": ["1", "1"], "docno": ["a", None], "score": [1.0, 2.0]})
    with pytest.raises(ax.InputError, match="docno"):
        ax.evaluate({"1": {"a": 1}}, run, "RR")
    with pytest.raises(ax.Error, match="column"):
        ax.evaluate({"1": {"a": 1}}, pa.table({"x": [1]}), "RR")
    twice = pa.table({"qid": ["1", "1"], "docno": ["a", "a"], "score": [1.0, 2.0]})
    with pytest.raises(ax.DuplicateError, match='"a"'):
        ax.evaluate({"1": {"a": 1}}, twice, "RR")


def test_batches_score_as_dicts_do():
    qrels, run = collection(5)
    run = {t: ds for t, ds in run.items() if t in qrels}
    expected = ax.evaluate(qrels, run, MEASURES, per_topic=True, max_grade=3).topics
    rows = [(t, d, float(g), None) for t, ds in qrels.items() for d, g in ds.items()]
    rows += [(t, d, None, s) for t, ds in run.items() for d, s in ds.items()]
    rows.sort(key=lambda row: row[0])
    names = ("query_id", "doc_id", "relevance", "score")
    types = (pa.string(), pa.string(), pa.float64(), pa.float64())
    table = pa.table({n: pa.array([r[i] for r in rows], types[i]) for i, n in enumerate(names)})
    for size in (1, 7, 1000):
        found = {}
        for part in ax.evaluate_batches(table.to_batches(size), MEASURES, max_grade=3):
            for row in pa.table(part).to_pylist():
                found.setdefault(row["topic"], {})[row["measure"]] = row["value"]
        assert found == expected


def test_organizations_in_memory(tmp_path):
    rows = [("q", "a", "red"), ("q", "b", "red"), ("q", "c", "blue"), ("q", "d d", None), ("r", "a", "x")]
    by_topic: dict[str, dict[str, str | None]] = {}
    for topic, doc, cluster in rows:
        by_topic.setdefault(topic, {})[doc] = cluster
    columns = {"topic": [r[0] for r in rows], "doc": [r[1] for r in rows], "cluster": [r[2] for r in rows]}
    levels = {"q": [[["a"], ["b", "c"]], [["d d"]]], "r": {"levels": [[["a"]]], "tail": ["z"]}}
    path = tmp_path / "gold.tsv"
    lines = ["topic\tdoc\tcluster", *("\t".join((t, d, c or "")) for t, d, c in rows)]
    path.write_text("\n".join(lines) + "\n")
    measures = ["bcubed_f", "R", "S"]
    expected = ax.organize(path, {"one": levels}, measures)["systems"]
    assert expected[0]["name"] == "one" and 0 < expected[0]["mean"]["bcubed_f"] < 1
    for gold in (by_topic, pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
        assert ax.organize(gold, {"one": levels}, measures)["systems"] == expected
        same = ax.organize(path, [gold, levels], measures)["systems"]
        assert [s["mean"]["bcubed_f"] for s in same] == [1.0, expected[0]["mean"]["bcubed_f"]]
    ranked = {"q": {"a": 3.0, "b": 2.0}, "r": {"a": 1.0}}
    found = ax.organize(ax.Qrels({"q": {"a": 2, "b": 1}, "r": {"a": 1}}), ax.Run(ranked), "R")
    assert found["systems"][0]["mean"]["R"] == 1.0
    with pytest.raises(ax.UsageError, match="expected a path, a table"):
        ax.organize(5, levels)
    with pytest.raises(ax.Error, match="cluster"):
        ax.organize({"q": {"a": ["x"]}}, levels)
    with pytest.raises(ax.Error, match="colour"):
        ax.organize(pd.DataFrame({**columns, "colour": ["x"] * 5}), levels)
