"""Measures as objects: ``nDCG @ 10``, ``AP(rel=2)``, and functions of one's own."""

from __future__ import annotations

from collections.abc import Mapping

from . import _native
from ._errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Literal, Union

    from ._native import Function

    MeasureLike = Union[str, "Measure", Function, Callable[..., "float | None"]]


class Measure:
    """A measure with its parameters.

    >>> import axiometrics as ax
    >>> ax.nDCG @ 10
    nDCG@10
    >>> ax.AP(rel=2)
    AP(rel=2)
    >>> ax.RBP(p=0.9) == ax.Measure("RBP(p=0.9)")
    True
    >>> ax.P @ 0
    Traceback (most recent call last):
    ...
    axiometrics._errors.UsageError: measure "P@0": found the cutoff "0", expected a whole number of at least 1 and at most 4294967295
    """

    __slots__ = ("_cutoff", "_name", "_params")

    def __init__(
        self,
        name: str,
        cutoff: float | None = None,
        **params: object,
    ) -> None:
        self._name = name
        self._cutoff = cutoff
        self._params = params

    def __call__(self, **params: object) -> Measure:
        """The same measure with other parameters."""
        return Measure(self._name, self._cutoff, **{**self._params, **params})._checked()

    def __matmul__(self, cutoff: float) -> Measure:
        """The same measure at a cutoff."""
        return Measure(self._name, cutoff, **self._params)._checked()

    def _checked(self) -> Measure:
        described = _native.describe(self._name)
        if described is None or described[1] == "optional" or self._cutoff is not None:
            _native.canonical(str(self))
        return self

    def __str__(self) -> str:
        text = self._name
        if self._params:
            given = ",".join(f"{name}={_value(value)}" for name, value in self._params.items())
            text += f"({given})"
        return text if self._cutoff is None else f"{text}@{self._cutoff}"

    __repr__ = __str__

    def _key(self) -> str:
        try:
            return " ".join(_native.canonical(str(self)))
        except UsageError:
            return str(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return self._key() == Measure(other)._key()
        return isinstance(other, Measure) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    @property
    def about(self) -> str:
        """What the measure says of itself: definition, range, examples by hand, references."""
        described = _native.describe(self._name)
        return "" if described is None else described[0]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ",".join(f"{grade}:{gain}" for grade, gain in value.items()) + "}"
    if isinstance(value, str) and not value.replace("-", "").replace("_", "").isalnum():
        return f"'{value}'"
    return str(value)


def metric(
    function: Callable[..., float | None],
    *,
    name: str | None = None,
    gains: Literal["binary", "graded", "integer"] | None = None,
) -> Function:
    """Makes a measure of a function.

    The function asks for what it needs by the names of its arguments: ``gains``, the grades of the
    ranking from the top, 0 for a document without one; ``k``, the cutoff, or how many documents were
    retrieved; ``R``, how many documents are relevant; ``ideal``, the grades above 0 of the
    collection, highest first; ``max_grade``; ``retrieved``. It returns a number, or ``None`` if it
    has none. ``gains`` states what its formula is written over.

    >>> import axiometrics as ax
    >>> def share(gains, k):
    ...     return sum(g > 0 for g in gains) / k
    >>> ax.score(["a", "b"], ["b"], [ax.metric(share) @ 2])
    {'share@2': 0.5}
    """
    import inspect

    parameters = inspect.signature(function).parameters.values()
    wanted = [p.name for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    if any(p.kind in (p.VAR_POSITIONAL, p.POSITIONAL_ONLY) for p in parameters):
        raise UsageError("the function's arguments have no names, expected some like gains, k, R")
    own = name or _function_name(function)
    title = (getattr(function, "__doc__", None) or "a function of one's own").strip()
    return _native.Function(function, wanted, own, title.splitlines()[0], gains)


def _function_name(function: object) -> str:
    own = str(getattr(function, "__name__", "function"))
    return "function" if own == "<lambda>" else own


def measures_of(measures: MeasureLike | Iterable[MeasureLike]) -> list[str | Function]:
    """A list of texts and functions. Functions with one name are numbered."""
    if isinstance(measures, Mapping):
        example = next(iter(measures.items()), ("nDCG", 10))
        raise UsageError(
            f"found a dict of measures, expected a list such as ['{example[0]}@{example[1]}']"
        )
    if isinstance(measures, (str, Measure, _native.Function)) or callable(measures):
        measures = [measures]
    out: list[str | Function] = []
    functions: list[object] = []
    for measure in measures:
        if isinstance(measure, (str, _native.Function)):
            out.append(measure)
        elif isinstance(measure, Measure):
            out.append(str(measure))
        elif callable(measure):
            if measure not in functions:
                named = [_function_name(other) for other in functions]
                own = _function_name(measure)
                same = named.count(own)
                out.append(metric(measure, name=f"{own}#{same + 1}" if same else own))
                functions.append(measure)
        else:
            kind = type(measure).__name__
            raise UsageError(
                f"found a measure of type {kind}, expected a text, a measure or a function"
            )
    return out
