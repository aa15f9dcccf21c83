"""Verdicts on the properties of measures."""

from __future__ import annotations

import json

from . import _native
from ._errors import UsageError
from ._measures import metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal

    from ._document import Call


class Verdict:
    """What was found of one property or constraint.

    ``verdict`` is ``"holds"``, ``"violated"`` or another of the command's words, and ``how`` says
    whether it was proved, searched for or sampled; ``witness`` is the smallest counter-example in a
    sentence, if there is one.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @property
    def name(self) -> str:
        """The property or constraint."""
        return str(self.data["name"])

    @property
    def verdict(self) -> str:
        """The word for it."""
        return str(self.data["verdict"])

    @property
    def how(self) -> str | None:
        """How it was found out."""
        found = self.data.get("how")
        return None if found is None else str(found)

    @property
    def witness(self) -> str | None:
        """The smallest counter-example, if there is one."""
        found = self.data.get("witness")
        return None if found is None else str(found["text"] if isinstance(found, dict) else found)

    def __repr__(self) -> str:
        witness = "" if self.witness is None else f": {self.witness}"
        return f"{self.name} {self.verdict}{witness}"


class Checked:
    """The verdicts on a measure, or on several.

    ``checked["monotonic"]`` is a verdict on the only measure, or the last of several versions of a
    constraint; ``checked.metrics`` has all verdicts by measure.
    """

    def __init__(self, data: Any, text: str, html: str) -> None:
        self.data = data
        self._text = text
        self._html = html
        self.metrics: dict[str, list[Verdict]] = {
            found["metric"]: [Verdict(finding) for finding in found["verdicts"]]
            for found in data["metrics"]
        }

    def __getitem__(self, name: str) -> Verdict:
        if len(self.metrics) != 1:
            raise UsageError("found several metrics, expected one: ask .metrics")
        found = [v for v in next(iter(self.metrics.values())) if v.name == name]
        if not found:
            raise KeyError(name)
        return found[-1]

    def __iter__(self) -> Iterator[Verdict]:
        return (verdict for verdicts in self.metrics.values() for verdict in verdicts)

    def to_dict(self) -> Any:
        """The document of ``axio check --format json``."""
        return self.data

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self.data)

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self._html


def of_names(call: Call) -> Checked:
    """The verdicts of a call of the command."""
    _, text, others = call.run("json", ["table", "html"])
    return Checked(json.loads(text), others["table"], others["html"])


def of_function(
    function: Any,
    only: list[str],
    gains: Literal["binary", "graded", "integer"] | None,
    max_docs: int | None,
    seed: int,
) -> Checked:
    """The verdicts on a function."""
    made = function if isinstance(function, _native.Function) else metric(function, gains=gains)
    data, text, html = _native.check(made, only, max_docs, seed)
    return Checked(json.loads(data), text, html)
