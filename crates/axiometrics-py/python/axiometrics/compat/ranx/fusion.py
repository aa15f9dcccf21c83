"""Runs fused by the names of ranx's methods."""

from __future__ import annotations

import json

from ... import _native
from .data import Run, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: ranx's names that are not the library's.
METHODS = {"w_mnz": "wmnz"}
#: Parameters of a method, by the names that ranx and the library give them.
PARAMETERS = {"k": "k", "gamma": "gamma", "sigma": "sigma", "phi": "phi", "w": "w", "n_segments": "segments"}


def fuse(
    runs: list[Run],
    norm: str | None = "min-max",
    method: str = "wsum",
    params: dict[str, Any] | None = None,
    name: str | None = None,
) -> Run:
    """Makes one run of several.

    ``params`` holds what a method needs: ``weights``, ``k``, ``gamma``, ``sigma``, ``phi``, ``w``,
    ``n_segments``; for methods that learn, ``qrels`` and ``training``, a judged run for each run.

    >>> a = Run({"q": {"d1": 3.0, "d2": 1.0}})
    >>> b = Run({"q": {"d2": 9.0, "d3": 1.0}})
    >>> fuse([a, b], norm="min-max", method="sum")["q"]
    {'d2': 1.0, 'd1': 1.0, 'd3': 0.0}
    """
    given = dict(params or {})
    assert len(runs) > 1, "Only one run provided"
    for at, run in enumerate(runs[1:], 1):
        assert run.keys() == runs[0].keys(), f"Runs 0 and {at} query ids do not match"
    files: list[tuple[str, bytes]] = []

    def held(data: Any, label: str, kind: type[_native.Run] | type[_native.Qrels]) -> str:
        plain = data._in_order() if isinstance(data, Table) else data
        filled = {topic: documents for topic, documents in plain.items() if documents}
        files.append((label, kind(filled).to_text("jsonl")))
        return label

    arguments = ["fuse", *(held(run, f"run{at}", _native.Run) for at, run in enumerate(runs))]
    arguments += [f"--norm={norm or 'none'}", "--to=jsonl", "--quiet"]
    weights = given.pop("weights", None)
    if weights is not None:
        arguments.append("--weights=" + ",".join(repr(float(weight)) for weight in weights))
    qrels, training = given.pop("qrels", None), given.pop("training", None)
    if qrels is not None and training is not None:
        arguments += ["--qrels", held(qrels, "qrels", _native.Qrels), "--training"]
        arguments += [held(run, f"training{at}", _native.Run) for at, run in enumerate(training)]
    unknown = [key for key in given if key not in PARAMETERS]
    if unknown:
        raise TypeError(f"fuse() got an unexpected parameter {unknown[0]!r}")
    own = ",".join(f"{PARAMETERS[key]}={value}" for key, value in given.items())
    called = METHODS.get(method, method)
    arguments.append(f"--method={called}({own})" if own else f"--method={called}")
    _, text, _ = _native.call(arguments, files, [])
    fused = Run(name=name or method)
    for topic in runs[0].keys():
        fused.add(topic, [], [])
    for line in text.splitlines():
        row = json.loads(line)
        fused._topics[row["query_id"]][row["doc_id"]] = float(row["score"])
    return fused
