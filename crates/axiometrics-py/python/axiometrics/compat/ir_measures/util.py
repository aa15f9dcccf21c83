"""Records, and what they are read from."""

from __future__ import annotations

import ast
import gzip
import io
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple


class Qrel(NamedTuple):
    """A judgement."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A retrieved document."""

    query_id: str
    doc_id: str
    score: float


class Metric(NamedTuple):
    """The value of a measure for one topic."""

    query_id: str
    measure: Any
    value: float


class CalcResults(NamedTuple):
    """Values over all topics, and for each."""

    aggregated: Any
    per_query: list[Metric]


def _rows(data: object, kind: type, noun: str) -> Iterator[Any]:
    """The records of a dict of dicts, of a data frame, or of an iterable of named tuples."""
    fields = kind._fields[:3]  # type: ignore[attr-defined]
    if isinstance(data, dict):
        for query_id, docs in data.items():
            for doc_id, number in docs.items():
                yield kind(query_id, doc_id, number)
    elif hasattr(data, "itertuples"):
        columns = list(data.columns)  # type: ignore[attr-defined]
        missing = [field for field in fields if field not in columns]
        if missing:
            raise ValueError(
                f"unknown {noun} format: DataFrame missing columns: {missing} (found {columns})"
            )
        extra = [f for f in kind._fields[3:] if f in columns]  # type: ignore[attr-defined]
        for row in data.itertuples():
            yield kind(*(getattr(row, field) for field in (*fields, *extra)))
    elif isinstance(data, Iterable):
        for row in data:
            if not isinstance(row, tuple) or not hasattr(row, "_fields"):
                raise ValueError(f"unknown {noun} format: iterable not a namedtuple iterator")
            missing = [field for field in fields if field not in row._fields]
            if missing:
                raise ValueError(
                    f"unknown {noun} format: namedtuple iter missing fields: {missing}"
                    f" (found {list(row._fields)})"
                )
            yield row
    else:
        # In the words of the original, which programs may look for.
        raise ValueError(
            f"unknown {noun} format: unexpected format; please provide either: (1) an iterable of"
            f" namedtuples (fields {fields}, e.g., from ir_measures.{kind.__name__}); (2) a pandas"
            f" DataFrame with columns {fields}; or (3) a dict-of-dict"
        )


def qrel_rows(qrels: object) -> Iterator[Any]:
    """Judgements, one by one."""
    return _rows(qrels, Qrel, "qrels")


def run_rows(run: object) -> Iterator[Any]:
    """Retrieved documents, one by one."""
    return _rows(run, ScoredDoc, "run")


def qrels_dict(qrels: object) -> dict[str, dict[str, int]]:
    """Judgements by topic and document; of repeated ones the last counts."""
    if isinstance(qrels, dict):
        return qrels
    result: dict[str, dict[str, int]] = {}
    for row in qrel_rows(qrels):
        result.setdefault(row.query_id, {})[row.doc_id] = row.relevance
    return result


def run_dict(run: object) -> dict[str, dict[str, float]]:
    """Scores by topic and document; of repeated ones the last counts."""
    if isinstance(run, dict):
        return run
    result: dict[str, dict[str, float]] = {}
    for row in run_rows(run):
        result.setdefault(row.query_id, {})[row.doc_id] = row.score
    return result


class QrelsConverter:
    """Judgements of any form in any other."""

    def __init__(self, qrels: object) -> None:
        self.qrels = qrels

    def as_dict_of_dict(self) -> dict[str, dict[str, int]]:
        """By topic and document."""
        return qrels_dict(self.qrels)

    def as_namedtuple_iter(self) -> Iterator[Any]:
        """One by one."""
        return qrel_rows(self.qrels)

    def as_pd_dataframe(self) -> Any:
        """A data frame, with a column of iterations."""
        return frame_of(self.qrels, qrel_rows, [*Qrel._fields])


class RunConverter:
    """A run of any form in any other."""

    def __init__(self, run: object) -> None:
        self.run = run

    def as_dict_of_dict(self) -> dict[str, dict[str, float]]:
        """By topic and document."""
        return run_dict(self.run)

    def as_namedtuple_iter(self) -> Iterator[Any]:
        """One by one."""
        return run_rows(self.run)

    def as_pd_dataframe(self) -> Any:
        """A data frame."""
        return frame_of(self.run, run_rows, [*ScoredDoc._fields])

    def as_sorteddict(self) -> dict[str, list[Any]]:
        """By topic, from the highest score down."""
        topics: dict[str, list[Any]] = {}
        for row in run_rows(self.run):
            topics.setdefault(row.query_id, []).append(row)
        for rows in topics.values():
            rows.sort(key=lambda row: (-row.score, row.doc_id))
        return topics


def frame_of(data: Any, rows: Callable[[Any], Iterator[Any]], columns: list[str]) -> Any:
    """A data frame of judgements or of a run."""
    if hasattr(data, "itertuples"):
        if "iteration" in columns and "iteration" not in data.columns:
            return data.assign(iteration=["0"] * len(data))
        return data
    import pandas  # type: ignore[import-untyped, unused-ignore]

    listed = list(rows(data))
    return pandas.DataFrame(listed) if listed else pandas.DataFrame([], columns=columns)


def _lines(file: Any) -> Iterator[str]:
    if hasattr(file, "read"):
        yield from (line for line in file if line.strip())
    elif "\n" in file:
        yield from _lines(io.StringIO(file))
    else:
        opener: Any = gzip.open if file.endswith(".gz") else open
        with opener(file, "rt") as stream:
            yield from _lines(stream)


def read_trec_qrels(file: Any) -> Iterator[Qrel]:
    """Judgements from a file, its path, or its text."""
    for line in _lines(file):
        query_id, iteration, doc_id, relevance = line.split()
        yield Qrel(query_id, doc_id, int(relevance), iteration)


def read_trec_run(file: Any) -> Iterator[ScoredDoc]:
    """A run from a file, its path, or its text."""
    for line in _lines(file):
        query_id, _, doc_id, _, score, _ = line.split()
        yield ScoredDoc(query_id, doc_id, float(score))


_FORM = "problem parsing measure {}; must be in format Measure(k1=v1, k2=v2)@c"


def _value(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        raise ValueError(_FORM.format("values must be str, float, int, bool, etc.")) from None


def parse_measure(measure: Any) -> Any:
    """A measure from its text, such as ``nDCG(dcg='exp-log2')@10``."""
    from .measures import Measure, registry

    if isinstance(measure, Measure):
        return measure
    try:
        body = ast.parse(measure).body
    except SyntaxError as error:
        raise ValueError(_FORM.format(str(error))) from None
    if len(body) != 1:
        raise ValueError(_FORM.format("multiple expressions"))
    statement = body[0]
    if not isinstance(statement, ast.Expr):
        raise ValueError(_FORM.format("not an expression"))
    node = statement.value
    params: dict[str, Any] = {}
    at: Any = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        at, node = _value(node.right), node.left
    if isinstance(node, ast.Call):
        if node.args:
            raise ValueError(_FORM.format("args must be named"))
        params = {str(keyword.arg): _value(keyword.value) for keyword in node.keywords}
        node = node.func
    if not isinstance(node, ast.Name):
        raise ValueError(_FORM.format("unexpected expression"))
    if node.id not in registry:
        raise NameError(f"measure not found: {node.id}")
    found = registry[node.id]
    if at is not None:
        params[found.AT_PARAM] = at
    return found(**params)


_CUTOFFS = [5, 10, 15, 20, 30, 100, 200, 500, 1000]
# trec_eval's names: ours, the parameter that follows them, and its usual values.
_TREC: dict[str, tuple[str, str | None, list[Any]] | None] = {
    "ndcg": ("nDCG", None, []),
    "P": ("P", "cutoff", _CUTOFFS),
    "map_cut": ("AP", "cutoff", _CUTOFFS),
    "Rndcg": None,
    "num_nonrel_judged_ret": None,
    "set_map": ("SetAP", None, []),
    "11pt_avg": None,
    "relative_P": None,
    "gm_map": None,
    "binG": None,
    "set_P": ("SetP", None, []),
    "infAP": ("infAP", None, []),
    "bpref": ("Bpref", None, []),
    "num_rel_ret": ("NumRelRet", None, []),
    "ndcg_rel": None,
    "recip_rank": ("RR", None, []),
    "recall": ("R", "cutoff", _CUTOFFS),
    "set_recall": ("SetR", None, []),
    "utility": None,
    "set_relative_P": ("SetRelP", None, []),
    "num_ret": ("NumRet", None, []),
    "num_rel": ("NumRel", None, []),
    "ndcg_cut": ("nDCG", "cutoff", _CUTOFFS),
    "Rprec": ("Rprec", None, []),
    "Rprec_mult": None,
    "relstring": None,
    "gm_bpref": None,
    "num_q": ("NumQ", None, []),
    "map": ("AP", None, []),
    "G": None,
    "success": ("Success", "cutoff", [1, 5, 10]),
    "set_F": ("SetF", "beta", [1.0]),
    "iprec_at_recall": ("IPrec", "recall", [i / 10 for i in range(11)]),
}
_NICKNAMES = {
    "official": [
        "P", "Rprec", "bpref", "gm_map", "iprec_at_recall", "map", "num_q", "num_rel",
        "num_rel_ret", "num_ret", "recip_rank", "runid",
    ],
    "set": [
        "num_q", "num_rel", "num_rel_ret", "num_ret", "runid", "set_F", "set_P", "set_map",
        "set_recall", "set_relative_P", "utility",
    ],
    "all_trec": sorted([*_TREC, "runid"]),
}  # fmt: skip


def parse_trec_measure(measure: str) -> list[Any]:
    """The measures that a name of trec_eval stands for, such as ``ndcg_cut_10`` or ``official``."""
    from .measures import registry

    if measure in _NICKNAMES:
        found, skipped = [], []
        for name in _NICKNAMES[measure]:
            try:
                found += parse_trec_measure(name)
            except ValueError:
                if name != "runid":
                    skipped.append(name)
        if skipped:
            print(f"skipped {skipped}: measures not yet supported")
        return found
    text = None
    if measure not in _TREC:
        number = r"[0-9]+(\.[0-9]+)?"
        for name in _TREC:
            match = re.match(rf"{re.escape(name)}[\._]({number}(,{number})*)", measure)
            if match is not None:
                measure, text = name, match.group(1)
                break
        else:
            raise ValueError(f"unkonwn measure {measure}")
    known = _TREC[measure]
    if known is None:
        raise ValueError(f"known trec name {measure}, but not yet supported")
    name, param, usual = known
    base = registry[name]
    if param is None:
        if text is not None:
            raise ValueError(f"unknown argument for {measure}: {text}")
        return [base]
    if text is not None:
        convert = base.SUPPORTED_PARAMS[param].dtype or str
        usual = [convert(value) for value in text.split(",")]
    return [base(**{param: value}) for value in usual]
