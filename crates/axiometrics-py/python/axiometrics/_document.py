"""What a call of the command found, and the call."""

from __future__ import annotations

import os
from collections.abc import Mapping

from . import _native
from ._errors import Undecided, UsageError
from ._evaluate import _progress, _runs_of
from ._measures import measures_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Literal

    from ._measures import MeasureLike

    Measures = MeasureLike | Iterable[MeasureLike] | None

#: The paths of files in memory begin with this.
IN_MEMORY = "\0"


#: The formats of the command that a result holds besides JSON, if the command has them.
FORMATS = ("table", "markdown", "latex", "csv")


class Document(Mapping[str, "Any"]):
    """What a call found: a mapping with the fields of the command's JSON.

    ``result["field"]`` reads it, ``to_dict()`` is all of it. ``print(result)`` shows the tables for
    people; ``to_latex()``, ``to_markdown()`` and ``to_csv()`` are the command's other formats, where
    it has them. The result is a value: nothing is read or computed again to show it.
    """

    def __init__(self, call: Call) -> None:
        self._code, self._text, self._renderings = call.run("json", FORMATS)
        self._data: Any = None

    def to_json(self) -> str:
        """The document as text."""
        return self._text

    def to_dict(self) -> Any:
        """The document as dicts and lists."""
        if self._data is None:
            import json

            self._data = json.loads(self._text)
        return self._data

    def __getitem__(self, key: str) -> Any:
        return self.to_dict()[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_dict())

    def __len__(self) -> int:
        return len(self.to_dict())

    @property
    def passed(self) -> bool:
        """Whether the command would have ended with the exit code 0."""
        return self._code == 0

    def _rendering(self, format: str) -> str:
        try:
            return self._renderings[format]
        except KeyError:
            known = ", ".join(["json", *self._renderings])
            raise UsageError(f"this result has no {format}, expected one of {known}") from None

    def to_latex(self) -> str:
        """Tables for a paper."""
        return self._rendering("latex")

    def to_markdown(self) -> str:
        """Tables in Markdown."""
        return self._rendering("markdown")

    def to_csv(self) -> str:
        """A line for each value."""
        return self._rendering("csv")

    def __str__(self) -> str:
        return self._rendering("table").rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class Gate(Document):
    """What a gate decided. It is true exactly if all runs passed.

    If the topics or the judgements are too few to decide, asking for its truth raises
    :class:`Undecided`, unless ``undecided="pass"`` or ``undecided="fail"`` said what to do.
    """

    def __init__(self, call: Call, follow: bool) -> None:
        super().__init__(call)
        self._follow = follow

    @property
    def verdict(self) -> str:
        """``"pass"``, ``"fail"`` or ``"undecided"``: the worst of all runs."""
        return str(self["verdict"])

    def __bool__(self) -> bool:
        if self.verdict == "undecided" and not self._follow:
            raise Undecided(
                f"the gate is undecided:\n{self}",
                help='undecided="pass" or undecided="fail" says what an undecided gate counts as',
            )
        return self.passed


class Page:
    """A page of HTML that notebooks show and that can be saved."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        from html import escape

        frame = escape(self._text, quote=True)
        return f'<iframe srcdoc="{frame}" width="100%" height="600"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._text)


class Call:
    """A call of the command: its arguments, and the files among them that are in memory.

    Inputs follow ``--``, so that none of them is an option. The path of a file in memory begins with
    a character that no path on the disk has, so that its name is never a file's.
    """

    def __init__(self, *command: str) -> None:
        self.command = list(command)
        self.flags: list[str] = []
        self.inputs: list[str] = []
        self.files: dict[str, bytes] = {}
        self.progress: Callable[[float | None], object] | None = None

    def add(self, *texts: str) -> Call:
        self.inputs += texts
        return self

    def measures(self, measures: Measures) -> Call:
        for measure in [] if measures is None else measures_of(measures):
            if not isinstance(measure, str):
                raise UsageError(f"{measure} is a function, expected measures by name here")
            self.flags.append(f"--measures={measure}")
        return self

    def options(self, options: dict[str, object]) -> Call:
        progress = options.pop("progress", None)
        if progress is not None:
            self.progress = _progress(progress)  # type: ignore[arg-type]
        for name, value in options.items():
            flag = "--" + name.rstrip("_").replace("_", "-")
            if value is None or value is False:
                continue
            if value is True:
                self.flags.append(flag)
            elif isinstance(value, (list, tuple)):
                self.flags += [f"{flag}={one}" for one in value]
            else:
                self.flags.append(f"{flag}={value}")
        return self

    def qrels(self, qrels: object) -> Call:
        return self.add(self.file(qrels, "qrels", None))

    def runs(self, runs: object) -> Call:
        return self.add(*self.run_files(runs))

    def run_files(self, runs: object, unnamed: str | None = None) -> list[str]:
        """The files of runs. A dict that is one run has this name, if it has no other."""
        return [
            self.file(run, "run", name or (unnamed if isinstance(run, dict) else None))
            for name, run in _runs_of(runs)
        ]

    def baseline(self, name: str | os.PathLike[str]) -> Call:
        """The run that the others are compared with: one of the runs by its name, or a file."""
        text = os.fspath(name)
        if IN_MEMORY + text in self.files:
            text = IN_MEMORY + text
        elif any(run.startswith(IN_MEMORY) for run in self.inputs[1:]) and not os.path.exists(text):
            known = ", ".join(run.removeprefix(IN_MEMORY) for run in self.inputs[1:])
            raise UsageError(f"found no run called {text!r}, expected one of {known}")
        self.flags.append(f"--baseline={text}")
        return self

    def file(self, given: object, kind: Literal["run", "qrels"], name: str | None) -> str:
        """The path of a file. What is in memory is written to a file in memory."""
        if isinstance(given, (str, os.PathLike)):
            if name is None:
                return os.fspath(given)
            given = _native.Run(given, name=name)
        held: _native.Run | _native.Qrels
        if kind == "run":
            held = given if isinstance(given, _native.Run) else _native.Run(given, name=name)
            base = name or held.name
        else:
            held = given if isinstance(given, _native.Qrels) else _native.Qrels(given)
            base = name or "qrels"
        try:
            text = held.to_text("trec")
        except UsageError:
            # Ids with spaces have no place in that format.
            text = held.to_text("csv")
        return self.hold(base, text)

    def hold(self, name: str, text: bytes) -> str:
        """Keeps a file in memory, and returns its path in the call."""
        path, n = IN_MEMORY + name, 1
        while path in self.files:
            n += 1
            path = f"{IN_MEMORY}{name}#{n}"
        self.files[path] = text
        return path

    def given(self, given: str | os.PathLike[str] | _native.Run | _native.Qrels) -> str:
        """An argument: a text as it is, data as a file in memory."""
        if isinstance(given, (str, os.PathLike)):
            return os.fspath(given)
        return self.file(given, "run" if isinstance(given, _native.Run) else "qrels", None)

    def lines(self, name: str, rows: Iterable[tuple[str, str]]) -> str:
        """A file in memory with a pair of ids on each line."""
        listed = list(rows)
        for one in (one for row in listed for one in row):
            if "\t" in one or "\n" in one:
                raise UsageError(f"found the id {one!r}, expected no tab and no end of a line")
        return self.hold(name, "".join(f"{one}\t{other}\n" for one, other in listed).encode())

    def run(
        self, format: str | None, others: Iterable[str] = ()
    ) -> tuple[int, str, dict[str, str]]:
        """Runs the command: its exit code, its result in a format, and the result in others."""
        asked = [] if format is None else [f"--format={format}"]
        inputs = ["--", *self.inputs] if self.inputs else []
        arguments = [*self.command, *self.flags, *asked, *inputs]
        return _native.call(arguments, list(self.files.items()), list(others), self.progress)
