"""Scores of data that comes in Arrow batches, from Spark, DuckDB, Polars or Dask."""

from __future__ import annotations

from . import _native
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
    ties: Literal["docid-desc", "docid-asc", "file"] = "docid-desc",
    missing: Literal["zero", "skip", "error"] = "zero",
    undefined: Literal["zero", "one", "skip", "error"] = "zero",
    scores: Literal["f64", "f32"] = "f64",
    depth: int | None = None,
    lenient: bool = False,
) -> Iterator[_native.ArrowTable]:
    """Scores batches whose rows are grouped by topic, batch after batch.

    A row is a judgement if it has a grade and a retrieved document if it has a score, so the union
    of judgements and run, sorted by topic, is what is wanted. The columns are recognised by their
    names, as in CSV. Nothing but the last topic is kept from one batch to the next. ``max_grade`` is
    the highest grade of all judgements, which no batch alone can tell. ``runs`` names the column of
    the runs and all of them, ``{"system": ["bm25", "dense"]}``, if there are several.

    Each table that is given has the columns topic, run if there are several, measure, value and
    reason; ``pyarrow.table(...)``, ``polars.from_arrow(...)`` and others take it as it is.
    """
    column, names = next(iter(runs.items())) if runs else (None, [])
    scorer = _native.BatchScorer(
        measures_of(measures),
        max_grade,
        missing=missing,
        undefined=undefined,
        ties=ties,
        scores=scores,
        depth=depth,
        lenient=lenient,
        run_column=column,
        run_names=names,
    )
    for batch in batches:
        scored = scorer.push(batch)
        if len(scored):
            yield scored
    last = scorer.finish()
    if len(last):
        yield last
