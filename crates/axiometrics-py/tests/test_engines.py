"""Engines that sort by topic feed the scorer of batches, as docs/spark.md says."""

from __future__ import annotations

import pytest
from conftest import collection

import axiometrics as ax

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

pytestmark = pytest.mark.filterwarnings("ignore::axiometrics.AxiometricsWarning")
MEASURES = ["nDCG@10", "AP", "RR"]


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """Files of judgements and of a run in the folder at hand, and the scores that they have."""
    monkeypatch.chdir(tmp_path)
    qrels, run = collection(7)
    for data, number, name in ((qrels, "grade", "qrels"), (run, "score", "run")):
        rows = [(t, d, float(x)) for t, ds in data.items() for d, x in ds.items()]
        columns = dict(zip(("topic", "doc", number), map(list, zip(*rows))))
        parquet.write_table(pa.table(columns), f"{name}.parquet")
    return ax.evaluate(qrels, run, MEASURES, max_grade=3).topics


def found(tables) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    for table in tables:
        for row in pa.table(table).to_pylist():
            scores.setdefault(row["topic"], {})[row["measure"]] = row["value"]
    return scores


@pytest.mark.parametrize("size", [3, 100_000])
def test_duckdb(tables, size):
    duckdb = pytest.importorskip("duckdb")
    rows = duckdb.sql("""
        select topic, doc, grade, null::double as score from 'qrels.parquet'
        union all
        select topic, doc, null as grade, score from 'run.parquet'
        order by topic
    """)
    batches = rows.to_arrow_reader(size)
    assert found(ax.evaluate_batches(batches, MEASURES, max_grade=3)) == tables


def test_polars(tables):
    pl = pytest.importorskip("polars")
    judged, ranked = pl.read_parquet("qrels.parquet"), pl.read_parquet("run.parquet")
    rows = pl.concat([judged, ranked], how="diagonal").sort("topic").to_arrow()
    assert found(ax.evaluate_batches(rows.to_batches(), MEASURES, max_grade=3)) == tables


def test_rows_that_are_not_grouped_are_refused(tables):
    rows = pa.table({"topic": ["a", "b", "a"], "doc": ["x", "x", "y"], "grade": [1.0, 1.0, 0.0], "score": [1.0, 2.0, 3.0]})
    with pytest.raises(ax.InputError, match='topic "a" comes again after others'):
        list(ax.evaluate_batches(rows.to_batches(1), "RR", max_grade=1))
