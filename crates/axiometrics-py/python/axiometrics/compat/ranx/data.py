"""Judgements and runs that can be changed, as ranx has them."""

from __future__ import annotations

import json
import os
from collections import defaultdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, KeysView, Mapping
    from typing import Any, TypeVar

    Own = TypeVar("Own", bound="Table")

Topics = dict[str, dict[str, float]]


class Table:
    """Numbers by topic and document; topics are sorted, documents stand by descending number."""

    _number: type = float

    def __init__(
        self, topics: Mapping[str, Mapping[str, float]] | None = None, name: str | None = None
    ) -> None:
        self.name = name
        self._topics: Topics = {}
        self._sorted = True
        for topic, documents in (topics or {}).items():
            self._topics[topic] = {doc: self._number(x) for doc, x in documents.items()}
            self._sorted = False

    def sort(self) -> None:
        """Sorts topics by id and documents by number."""
        self._topics = {
            topic: dict(sorted(documents.items(), key=lambda pair: -pair[1]))
            for topic, documents in sorted(self._topics.items())
        }
        self._sorted = True

    def _in_order(self) -> Topics:
        if not self._sorted:
            self.sort()
        return self._topics

    def keys(self) -> KeysView[str]:
        """The topics."""
        return self._in_order().keys()

    def get_query_ids(self) -> list[str]:
        """The topics as a list."""
        return list(self._in_order())

    def get_doc_ids_and_scores(self) -> list[dict[str, float]]:
        """The documents of each topic."""
        return list(self._in_order().values())

    def add_score(self, q_id: str, doc_id: str, score: float) -> None:
        """Adds a document to a topic, or changes its number."""
        self._topics.setdefault(q_id, {})[doc_id] = self._number(score)
        self._sorted = False

    def add(self, q_id: str, doc_ids: Iterable[str], scores: Iterable[float]) -> None:
        """Adds a topic."""
        self.add_multi([q_id], [doc_ids], [scores])

    def add_multi(
        self,
        q_ids: Iterable[str],
        doc_ids: Iterable[Iterable[str]],
        scores: Iterable[Iterable[float]],
    ) -> None:
        """Adds topics."""
        for topic, docs, numbers in zip(q_ids, doc_ids, scores):
            self._topics[topic] = {doc: self._number(x) for doc, x in zip(docs, numbers)}
        self._sorted = False

    def to_dict(self) -> Topics:
        """The numbers as a dict of dicts."""
        found: Topics = defaultdict(dict)
        for topic, documents in self._in_order().items():
            found[topic] = dict(documents)
        return found

    def to_dataframe(self) -> Any:
        """The rows as a data frame of pandas."""
        import pandas  # type: ignore[import-untyped, unused-ignore]

        rows = [(t, d, x) for t, docs in self._in_order().items() for d, x in docs.items()]
        return pandas.DataFrame(rows, columns=["q_id", "doc_id", "score"])

    @property
    def size(self) -> int:
        """The number of topics."""
        return len(self._topics)

    def __len__(self) -> int:
        return len(self._topics)

    def __getitem__(self, q_id: str) -> dict[str, float]:
        return dict(self._in_order()[q_id])

    def __repr__(self) -> str:
        return repr(self._in_order())

    @classmethod
    def from_dict(cls: type[Own], d: Mapping[str, Mapping[str, float]], name: str | None = None) -> Own:
        """Numbers in a dict of dicts."""
        return cls(d, name)

    @classmethod
    def from_df(
        cls: type[Own],
        df: Any,
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        name: str | None = None,
    ) -> Own:
        """Rows of a data frame."""
        for column in (q_id_col, doc_id_col):
            first = df[column].iloc[0] if len(df) else ""
            assert isinstance(first, str), f"the column {column} must hold texts"
        topics: Topics = {}
        for topic, doc, x in zip(df[q_id_col], df[doc_id_col], df[score_col]):
            topics.setdefault(topic, {})[doc] = x
        return cls(topics, name)

    @classmethod
    def from_parquet(
        cls: type[Own],
        path: str | os.PathLike[str],
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        pd_kwargs: dict[str, Any] | None = None,
        name: str | None = None,
    ) -> Own:
        """Rows of a Parquet file."""
        import pandas

        frame = pandas.read_parquet(path, **(pd_kwargs or {}))
        return cls.from_df(frame, q_id_col, doc_id_col, score_col, name)

    @classmethod
    def _read(cls, path: str | os.PathLike[str], kind: str | None) -> tuple[str, Any]:
        kind = kind_of(path, kind)
        if kind == "json":
            with open(path, encoding="utf-8") as file:
                return kind, json.load(file)
        if kind in ("gz", "gz_trec"):
            import gzip

            with gzip.open(path, "rt", encoding="utf-8") as file:
                return ("json", json.load(file)) if kind == "gz" else ("trec", list(file))
        if kind == "lz4":
            import lz4.frame  # type: ignore[import-not-found, import-untyped, unused-ignore]

            with lz4.frame.open(path, "rb") as file:
                return "json", json.loads(file.read())
        if kind == "parquet":
            return kind, cls.from_parquet(path)
        with open(path, encoding="utf-8") as file:
            return kind, list(file)

    def _write(self, path: str | os.PathLike[str], kind: str | None, lines: Iterable[str]) -> None:
        kind = kind_of(path, kind)
        if kind == "json":
            with open(path, "w", encoding="utf-8") as file:
                json.dump(self.to_dict(), file)
        elif kind == "lz4":
            import lz4.frame

            with lz4.frame.open(path, "wb") as packed:
                packed.write(json.dumps(self.to_dict()).encode())
        elif kind == "parquet":
            self.to_dataframe().to_parquet(path)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(lines))


def kind_of(path: str | os.PathLike[str], kind: str | None) -> str:
    """What a file holds, by its suffix unless it is said."""
    if kind is None:
        kind = os.path.splitext(os.fspath(path))[1][1:]
        kind = {"txt": "trec", "run": "trec", "qrels": "trec", "pq": "parquet"}.get(kind, kind)
    kinds = {"json", "trec", "lz4", "gz", "gz_trec", "parquet"}
    assert kind in kinds, f"found the kind {kind!r}, expected one of {sorted(kinds)}"
    return kind


class Qrels(Table):
    """Judgements.

    >>> Qrels({"q1": {"d1": 2}})["q1"]
    {'d1': 2}
    """

    _number = int

    @property
    def qrels(self) -> Topics:
        """The grades by topic and document."""
        return self._in_order()

    def set_relevance_level(self, rel_lvl: int = 1) -> None:
        """Grades below this one become 0, the others count from 1."""
        self._topics = {
            topic: {doc: max(0, grade - (rel_lvl - 1)) for doc, grade in documents.items()}
            for topic, documents in self._topics.items()
        }

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], kind: str | None = None) -> Qrels:
        """Judgements in a file: JSON, TREC, or either of them compressed."""
        kind, content = cls._read(path, kind)
        if kind != "trec":
            return content if isinstance(content, Qrels) else cls(content)
        topics: Topics = {}
        for line in content:
            topic, _, doc, grade = line.split()
            topics.setdefault(topic, {})[doc] = int(grade)
        return cls(topics)

    @classmethod
    def from_ir_datasets(cls, dataset_id: str) -> Qrels:
        """Judgements of a dataset of ir_datasets, which must be installed."""
        import ir_datasets  # type: ignore[import-not-found, import-untyped, unused-ignore]

        topics: Topics = {}
        for row in ir_datasets.load(dataset_id).qrels_iter():
            topics.setdefault(row.query_id, {})[row.doc_id] = row.relevance
        return cls(topics, dataset_id)

    def save(self, path: str | os.PathLike[str] = "qrels.json", kind: str | None = None) -> None:
        """Writes the judgements to a file of a kind that its suffix names."""
        lines = (f"{t} 0 {d} {g}" for t, docs in self._in_order().items() for d, g in docs.items())
        self._write(path, kind, lines)


class Run(Table):
    """A run.

    >>> Run({"q1": {"d1": 0.5, "d2": 0.9}}, name="mine")["q1"]
    {'d2': 0.9, 'd1': 0.5}
    """

    def __init__(
        self, run: Mapping[str, Mapping[str, float]] | None = None, name: str | None = None
    ) -> None:
        super().__init__(run, name)
        self.metadata: dict[str, Any] = {}
        self.scores: dict[str, dict[str, float]] = defaultdict(dict)
        self.mean_scores: dict[str, float] = {}
        self.std_scores: dict[str, float] = {}

    @property
    def run(self) -> Topics:
        """The scores by topic and document."""
        return self._in_order()

    def make_comparable(self, qrels: Qrels) -> Run:
        """Adds the topics that only the judgements have, as empty ones, and drops the others."""
        self._topics = {topic: self._topics.get(topic, {}) for topic in qrels.keys()}
        self.sort()
        return self

    @classmethod
    def from_file(
        cls, path: str | os.PathLike[str], kind: str | None = None, name: str | None = None
    ) -> Run:
        """A run in a file: JSON, TREC, or either of them compressed."""
        kind, content = cls._read(path, kind)
        if kind != "trec":
            run = content if isinstance(content, Run) else cls(content)
            run.name = name
            return run
        topics: Topics = {}
        for line in content:
            topic, _, doc, _, score, tag = line.split()
            topics.setdefault(topic, {})[doc] = float(score)
            name = name or tag
        return cls(topics, name)

    def save(self, path: str | os.PathLike[str] = "run.json", kind: str | None = None) -> None:
        """Writes the run to a file of a kind that its suffix names."""
        lines = (
            f"{topic} Q0 {doc} {rank} {score} {self.name}"
            for topic, docs in self._in_order().items()
            for rank, (doc, score) in enumerate(docs.items(), 1)
        )
        self._write(path, kind, lines)
