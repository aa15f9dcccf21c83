"""Parquet files as others write them: every type, compression and version, read as the same data."""

from __future__ import annotations

import itertools
import random

import pytest
from conftest import collection

import axiometrics as ax

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pl = pytest.importorskip("polars")

pytestmark = pytest.mark.filterwarnings("ignore::axiometrics.AxiometricsWarning")


def rows(run):
    return [(t, d, x) for t, ds in run.items() for d, x in ds.items()]


def table(run, texts=None, numbers=None):
    topics, docs, scores = zip(*rows(run))
    texts, numbers = texts or pa.string(), numbers or pa.float64()
    return pa.table(
        {
            "score": pa.array(scores, numbers),
            "note": pa.array([[1, 2]] * len(docs), pa.list_(pa.int64())),
            "doc_id": pa.array(docs).cast(texts),
            "query_id": pa.array(topics).cast(texts),
        }
    )


COMPRESSIONS = ["none", "snappy", "gzip", "zstd", "lz4"]


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_compressions_and_pages(compression, version, tmp_path):
    path = str(tmp_path / "run.parquet")
    for seed, dictionary, group in itertools.product(range(2), [True, False], [7, 10_000]):
        _, run = collection(seed)
        run = {t: {d: float(x) for d, x in ds.items()} for t, ds in run.items()}
        pq.write_table(
            table(run),
            path,
            compression=compression,
            data_page_version=version,
            use_dictionary=dictionary,
            row_group_size=group,
            data_page_size=64,
        )
        assert ax.Run(path).to_dict() == ax.Run(run).to_dict()


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "PLAIN"])
def test_encodings(encoding, tmp_path):
    path = str(tmp_path / "run.parquet")
    _, run = collection(3)
    run = {t: {d: float(x) for d, x in ds.items()} for t, ds in run.items()}
    encodings = {"doc_id": encoding, "query_id": encoding, "score": "BYTE_STREAM_SPLIT"}
    pq.write_table(table(run), path, use_dictionary=False, column_encoding=encodings)
    assert ax.Run(path).to_dict() == ax.Run(run).to_dict()


def test_types(tmp_path):
    path = str(tmp_path / "run.parquet")
    rng = random.Random(1)
    run = {str(t): {str(d): float(rng.sample(range(100), 1)[0]) for d in range(9)} for t in range(3)}
    expected = ax.Run(run).to_dict()
    dictionary = pa.dictionary(pa.int32(), pa.string())
    texts = [pa.string(), pa.large_string(), pa.binary(), pa.string_view(), dictionary]
    whole = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]
    for kind in [*texts, *whole]:
        pq.write_table(table(run, texts=kind), path)
        assert ax.Run(path).to_dict() == expected, kind
    for kind in [*whole, pa.float16(), pa.float32(), pa.float64()]:
        pq.write_table(table(run, numbers=kind), path)
        assert ax.Run(path).to_dict() == expected, kind


def test_large_whole_numbers(tmp_path):
    path = str(tmp_path / "run.parquet")
    ids = {"uint64": 2**64 - 1, "int64": -(2**63), "uint32": 2**32 - 1, "int32": -(2**31)}
    for kind, number in ids.items():
        docs = pa.array([number, 5], getattr(pa, kind)())
        pq.write_table(pa.table({"qid": ["q", "q"], "docno": docs, "score": [2.0, 1.0]}), path)
        assert list(ax.Run(path).to_dict()["q"]) == [str(number), "5"]


def test_polars_writes_zstd(tmp_path):
    path = str(tmp_path / "run.parquet")
    _, run = collection(4)
    topics, docs, scores = zip(*rows(run))
    frame = pl.DataFrame({"query_id": topics, "doc_id": docs, "score": [float(x) for x in scores]})
    frame.write_parquet(path)
    assert ax.Run(path).to_dict() == ax.Run(run).to_dict()


def test_what_is_wrong_names_column_and_row(tmp_path):
    path = str(tmp_path / "run.parquet")

    def told(**columns):
        pq.write_table(pa.table({"qid": ["1", "1"], "docno": ["a", "b"], "score": [1.0, 2.0]} | columns), path)
        with pytest.raises(ax.InputError) as error:
            ax.Run(path)
        return str(error.value)

    assert '"docno"' in told(docno=["a", None]) and "row 2" in told(docno=["a", None])
    assert "null" in told(score=[None, 1.0]) and "row 1" in told(score=[None, 1.0])
    assert "ids: strings or whole numbers" in told(docno=[0.5, 1.5])
    assert "expected numbers" in told(score=["x", "y"])
    assert "expected numbers" in told(score=[True, False])
    assert "list or group" in told(docno=[["a"], ["b"]])
    dates = pa.array([1, 2], pa.date32())
    assert "Date" in told(docno=dates)
    # Cut off, and changed at one byte: an error or other data, and never the end of the program.
    pq.write_table(table({"q": {f"d{n}": n / 3 for n in range(300)}}), path, compression="zstd")
    with open(path, "rb") as file:
        whole = file.read()
    rng = random.Random(2)
    for _ in range(150):
        broken = bytearray(whole)
        broken[rng.randrange(4, len(whole))] ^= 1 << rng.randrange(8)
        with open(path, "wb") as file:
            file.write(broken)
        try:
            ax.Run(path)
        except ax.Error:
            pass


def test_written_files_are_read_by_others(tmp_path):
    path = str(tmp_path / "run.parquet")
    _, run = collection(6)
    ax.convert(ax.Run(run), path)
    read = pq.read_table(path)
    found: dict[str, dict[str, float]] = {}
    for row in read.to_pylist():
        found.setdefault(row["query_id"], {})[row["doc_id"]] = row["score"]
    assert found == ax.Run(run).to_dict()
    assert pl.read_parquet(path).height == read.num_rows
    assert read.schema.field("doc_id").type == pa.string()
