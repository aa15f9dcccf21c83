"""Measure retrieval systems, and measure the measures.

>>> import axiometrics as ax
>>> qrels = {"q1": {"d1": 1, "d3": 2}, "q2": {"d2": 1}}
>>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}, "q2": {"d9": 0.5, "d2": 0.4}}
>>> ax.evaluate(qrels, run, [ax.nDCG @ 10, "RR"])["RR"]
0.75

Every measure of ``axio measures`` is an attribute of this module: ``ax.nDCG @ 10``,
``ax.AP(rel=2)``, ``ax.RBP(p=0.9)``.
"""

from __future__ import annotations

from . import _native
from ._errors import (
    AxiometricsWarning,
    DuplicateError,
    Error,
    FileError,
    InputError,
    Undecided,
    UsageError,
)
from ._evaluate import evaluate, score
from ._measures import Measure, metric
from ._native import Function, Qrels, Run
from ._results import SVG, Evaluation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._batches import evaluate_batches
    from ._checked import Checked, Verdict
    from ._command import (
        check,
        choose,
        command,
        compare,
        convert,
        explain,
        fit,
        fuse,
        gate,
        measures,
        meta,
        organize,
        plan,
        report,
        risk,
        score_vector,
        session,
        standardize,
        validate,
    )
    from ._document import Document, Gate, Page

__version__ = _native.__version__

__all__ = [
    "SVG",
    "AxiometricsWarning",
    "Checked",
    "Document",
    "DuplicateError",
    "Error",
    "Evaluation",
    "FileError",
    "Function",
    "Gate",
    "InputError",
    "Measure",
    "Page",
    "Qrels",
    "Run",
    "Undecided",
    "UsageError",
    "Verdict",
    "check",
    "choose",
    "command",
    "compare",
    "convert",
    "evaluate",
    "evaluate_batches",
    "explain",
    "fit",
    "fuse",
    "gate",
    "measures",
    "meta",
    "metric",
    "organize",
    "plan",
    "report",
    "risk",
    "score",
    "score_vector",
    "session",
    "standardize",
    "validate",
]

# What is imported when it is first asked for, so that the import of the package is quick.
_LATER = {
    "Checked": "_checked",
    "Document": "_document",
    "Gate": "_document",
    "Page": "_document",
    "Verdict": "_checked",
    "evaluate_batches": "_batches",
    **dict.fromkeys(
        [
            "check", "choose", "command", "compare", "convert", "explain", "fit", "fuse", "gate",
            "measures", "meta", "organize", "plan", "report", "risk", "score_vector", "session",
            "standardize", "validate",
        ],
        "_command",
    ),
}  # fmt: skip


if TYPE_CHECKING:
    from . import compat as compat
    from . import spark as spark

    def __getattr__(name: str) -> Measure: ...

else:

    def __getattr__(name):
        if name in _LATER:
            import importlib

            found = getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
        elif name in ("compat", "spark"):
            import importlib

            # Modules of their own, which nobody waits for who does not ask for them.
            return importlib.import_module(f"{__name__}.{name}")
        elif not name.startswith("_") and _native.describe(name) is not None:
            found = Measure(name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found
        return found

    def __dir__():
        return sorted({*__all__, *(name for name in _native.names() if name.isidentifier())})
