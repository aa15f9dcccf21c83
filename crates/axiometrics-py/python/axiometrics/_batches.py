"""Scores of data that comes in Arrow batches, from Spark, DuckDB, Polars or Dask."""

from __future__ import annotations

from . import _native
from ._evaluate import further_relevant
from ._measures import measures_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Literal

    from ._measures import MeasureLike


def evaluate_batches(
    batches: Iterable[Any],
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    max_grade: float,
    runs: dict[str, list[str]] | None = None,
    ranges: bool | int = False,
    ties: Literal["docid-desc", "docid-asc", "average", "range"] = "docid-desc",
    missing: Literal["zero", "skip", "error"] = "zero",
    undefined: Literal["zero", "one", "skip", "error"] = "zero",
    scores: Literal["f64", "f32"] = "f64",
    order: Literal["desc", "asc"] = "desc",
    depth: int | None = None,
    lenient: bool = False,
    prune: bool = False,
) -> Iterator[_native.ArrowTable]:
    """Scores batches whose rows are grouped by topic, batch after batch.

    A row is a judgement if it has a grade and a retrieved document if it has a score, so the union
    of judgements and run, sorted by topic, is what is wanted. The columns are recognised by their
    names, as in CSV. Nothing but the last topic is kept from one batch to the next. ``max_grade`` is
    the highest grade of all judgements, which no batch alone can tell. ``runs`` names the column of
    the runs and all of them, ``{"system": ["bm25", "dense"]}``, if there are several. The other
    options are those of :func:`axiometrics.evaluate`.

    Each table that is given has the columns topic, run if there are several, measure, value, reason,
    and low, high and may_be_undefined if ``ranges`` are asked for; ``pyarrow.table(...)``,
    ``polars.from_arrow(...)`` and others take it as it is.

    >>> import axiometrics as ax, pyarrow
    >>> rows = {
    ...     "topic": ["q", "q", "q"],
    ...     "doc": ["a", "a", "b"],
    ...     "grade": [1, None, None],
    ...     "score": [None, 1.0, 2.0],
    ... }
    >>> tables = ax.evaluate_batches([pyarrow.table(rows)], "RR", max_grade=1)
    >>> [pyarrow.table(table)["value"].to_pylist() for table in tables]
    [[0.5]]
    """
    scorer = batch_scorer(
        measures,
        max_grade,
        runs,
        ranges=ranges,
        ties=ties,
        missing=missing,
        undefined=undefined,
        scores=scores,
        order=order,
        depth=depth,
        lenient=lenient,
        prune=prune,
    )
    yield from scored_tables(scorer, batches)
    scorer.warn()


def scored_tables(
    scorer: _native.BatchScorer, batches: Iterable[Any]
) -> Iterator[_native.ArrowTable]:
    """The tables of scores that are not empty."""
    for batch in batches:
        scored = scorer.push(batch)
        if len(scored):
            yield scored
    last = scorer.finish()
    if len(last):
        yield last


def batch_scorer(
    measures: MeasureLike | Iterable[MeasureLike],
    max_grade: float,
    runs: dict[str, list[str]] | None,
    *,
    ranges: bool | int = False,
    ties: str = "docid-desc",
    missing: str = "zero",
    undefined: str = "zero",
    scores: str = "f64",
    order: str = "desc",
    depth: int | None = None,
    lenient: bool = False,
    prune: bool = False,
) -> _native.BatchScorer:
    """The scorer of batches under these policies."""
    column, names = next(iter(runs.items())) if runs else (None, [])
    return _native.BatchScorer(
        measures_of(measures),
        max_grade,
        missing=missing,
        undefined=undefined,
        ties=ties,
        scores=scores,
        order=order,
        depth=depth,
        lenient=lenient,
        prune=prune,
        ranges=further_relevant(ranges),
        run_column=column,
        run_names=names,
    )
