"""Scores of runs."""

from __future__ import annotations

from . import _native
from ._errors import UsageError
from ._measures import measures_of
from ._results import Evaluation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Literal

    from ._measures import MeasureLike

#: The measures of ``axio eval``.
DEFAULT = ("nDCG@10", "AP", "RR", "P@10", "R@1000", "RBP(p=0.8)")


def evaluate(
    qrels: object,
    runs: object,
    measures: MeasureLike | Iterable[MeasureLike] = DEFAULT,
    *,
    per_topic: bool = False,
    ranges: bool | int = False,
    ties: Literal["docid-desc", "docid-asc", "file", "average", "range"] = "docid-desc",
    missing: Literal["zero", "skip", "error"] = "zero",
    undefined: Literal["zero", "one", "skip", "error"] = "zero",
    scores: Literal["f64", "f32"] = "f64",
    order: Literal["desc", "asc"] = "desc",
    duplicates: Literal["error", "first", "best"] = "error",
    map: object = None,
    pool: Literal["max", "first", "sum"] = "max",
    max_grade: float | None = None,
    depth: int | None = None,
    lenient: bool = False,
    prune: bool = False,
    threads: int | None = None,
    progress: bool | Callable[[float | None], object] | None = None,
) -> Evaluation:
    """Scores one run, or several, against judgements.

    ``qrels`` and each run are a dict of dicts, a path, a file, a pandas, polars or pyarrow table, a
    :class:`Qrels` or :class:`Run`, or rows of (topic, document, number). Several runs are a list, or
    a dict from names to runs. Measures are texts (``"nDCG@10"``), objects (``ax.nDCG @ 10``) or
    functions.

    ``ranges=True`` finds the lowest and the highest score that any judgement of the unjudged
    documents could give; ``ranges=1000`` lets as many more relevant documents be in the collection.
    ``ties`` orders documents with equal scores, ``missing`` says what is done about judged topics
    that a run lacks, ``undefined`` what a mean does with undefined scores. ``order="asc"`` is for
    distances: low scores are better. ``duplicates`` says which row counts of a document that a topic
    has more than once. ``map`` is a dict or a file from parts to documents, for runs that retrieve
    passages and judgements of documents; ``pool`` is how the scores of parts become one.

    ``lenient`` counts rows that are wrong and leaves them out, with a warning, instead of raising.
    ``prune`` leaves out topics without a relevant document, by every measure alike. ``progress`` is
    ``True`` or a function that is called with the share of the work that is done.

    >>> import axiometrics as ax
    >>> qrels = {"q1": {"d1": 1, "d3": 2}, "q2": {"d2": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}, "q2": {"d9": 0.5, "d2": 0.4}}
    >>> result = ax.evaluate(qrels, run, ["RR", "P@1"])
    >>> result["RR"]
    0.75
    >>> result.topics["q2"]["RR"]
    0.5
    >>> ax.evaluate(qrels, run, "RR", order="asc")["RR"]
    1.0
    >>> passages = {"q1": {"d1#1": 0.2, "d2#1": 0.5, "d1#2": 0.9}}
    >>> parts = {"d1#1": "d1", "d1#2": "d1", "d2#1": "d2"}
    >>> ax.evaluate(qrels, passages, "RR", map=parts, missing="skip")["RR"]
    1.0
    """
    named = _runs_of(runs)
    if ranges and ties == "range":
        raise UsageError('ranges and ties="range" both ask for the low and high of a score')
    native = _native.evaluate(
        qrels,
        [run for _, run in named],
        [name for name, _ in named],
        measures_of(measures),
        missing=missing,
        undefined=undefined,
        ties=ties,
        scores=scores,
        order=order,
        duplicates=duplicates,
        map=map,
        pool=pool,
        max_grade=max_grade,
        depth=depth,
        lenient=lenient,
        prune=prune,
        ranges=further_relevant(ranges),
        threads=threads,
        per_topic=per_topic,
        progress=_progress(progress),
    )
    return Evaluation(native)


def further_relevant(ranges: bool | int) -> int | None:
    """How many more relevant documents may be in the collection; -1 for those retrieved alone."""
    return None if ranges is False else -1 if ranges is True else int(ranges)


def _runs_of(runs: object) -> list[tuple[str | None, object]]:
    """Runs with their names: one run, a list of runs, or a dict from names to runs."""
    if isinstance(runs, (list, tuple)) and not _is_rows(runs):
        if not runs:
            raise UsageError("found no run, expected at least one")
        return [(None, run) for run in runs]
    if isinstance(runs, dict) and _are_runs(runs):
        return [(str(name), run) for name, run in runs.items()]
    return [(None, runs)]


def _is_rows(runs: list[object] | tuple[object, ...]) -> bool:
    """Whether a list is one run, row by row."""
    if not runs:
        return False
    first = runs[0]
    return hasattr(first, "query_id") or (
        isinstance(first, tuple) and len(first) == 3 and not isinstance(first[2], (dict, str))
    )


def _are_runs(runs: dict[object, object]) -> bool:
    """Whether a dict is from names to runs, and not from topics. Empty values are both."""
    tables = (value for value in runs.values() if not isinstance(value, (dict, list, tuple)) or value)
    first = next(tables, None)
    return first is not None and _is_run(first)


def _is_run(value: object) -> bool:
    """Whether a value of a dict is itself a run, and not the ranking of a topic."""
    if isinstance(value, dict):
        inner = next(iter(value.values()), None)
        return isinstance(inner, dict) or (
            isinstance(inner, (list, tuple)) and not (inner and isinstance(inner[0], (int, float)))
        )
    if isinstance(value, (list, tuple)):
        return _is_rows(value)
    return not isinstance(value, (set, frozenset, int, float, type(None)))


def _progress(
    progress: bool | Callable[[float | None], object] | None,
) -> Callable[[float | None], object] | None:
    if progress is True:
        from ._progress import Bar

        return Bar()
    return progress or None


def score(
    retrieved: object,
    relevant: object,
    measures: MeasureLike | Iterable[MeasureLike] = ("nDCG@10", "AP", "RR", "P@5", "R@10"),
) -> dict[str, float | None]:
    """Scores one ranking, as a retriever returns it.

    ``retrieved`` are document ids from the top, or a dict of ids and scores; ``relevant`` are the
    ids that should be found, or a dict of ids and grades. A score that is undefined is ``None``.

    >>> import axiometrics as ax
    >>> ax.score(["d3", "d1", "d7"], {"d1", "d2"}, ["P@2", "RR", "R@3"])
    {'P@2': 0.5, 'RR': 0.5, 'R@3': 0.5}
    >>> ax.score([], ["d1"], "AP")
    {'AP': 0.0}
    """
    return _native.score(retrieved, relevant, measures_of(measures))
