"""The table of an evaluation as notebooks show it."""

from __future__ import annotations

from html import escape

from ._errors import Error
from ._results import FEW_RUNS, FEW_TOPICS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._results import Evaluation

NUMBER = 'style="text-align:right"'


def evaluation(result: Evaluation) -> str:
    """Means by run and measure: the best bold, what differs from the first run marked."""
    native = result._native
    means = [native.summary(at) for at in range(len(result.runs))]
    spans = [native.summary_ranges(at) for at in range(len(result.runs))]
    marks: dict[str, dict[str, bool]] = {}
    few = 1 < len(result.runs) <= FEW_RUNS and len(native.topics(0)) <= FEW_TOPICS
    if few:
        try:
            marks = result.marks()
        except Error:
            marks = {}
    head = "".join(f"<th {NUMBER}>{escape(measure)}</th>" for measure in result.measures)
    rows = []
    for at, run in enumerate(result.runs):
        cells = []
        for m, measure in enumerate(result.measures):
            value = means[at][m]
            text = "–" if value is None else f"{value:.4f}"
            defined = [row[m] for row in means if row[m] is not None]
            if len(means) > 1 and value is not None and value == max(x for x in defined if x is not None):
                text = f"<b>{text}</b>"
            if marks.get(measure, {}).get(run):
                text += "<sup>*</sup>"
            span = spans[at][m]
            if native.has_ranges and span is not None:
                text += f" <small>[{span[0]:.4f}, {span[1]:.4f}]</small>"
            cells.append(f"<td {NUMBER}>{text}</td>")
        rows.append(f"<tr><th>{escape(run)}</th>{''.join(cells)}</tr>")
    notes = [escape(result.settings)]
    if any(any(found.values()) for found in marks.values()):
        first = escape(result.runs[0])
        notes.insert(0, f"<sup>*</sup> differs significantly from {first} (corrected)")
    return (
        f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f"<p><small>{'<br>'.join(notes)}</small></p>"
    )
