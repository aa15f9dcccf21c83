"""In place of ranx: ``from axiometrics.compat.ranx import Qrels, Run, evaluate, compare, fuse``.

Names, arguments and values are those of ranx; nothing is compiled when it is imported. Documents
with equal scores are ordered by their ids, descending; in ranx their order is that of a sort that
does not keep it. Weights are not optimised: methods that learn take ``qrels`` and ``training`` runs
in ``params``.
"""

from __future__ import annotations

from .data import Qrels, Run
from .evaluate import compare, evaluate
from .fusion import fuse
from .report import Report

__all__ = ["Qrels", "Report", "Run", "compare", "evaluate", "fuse"]
