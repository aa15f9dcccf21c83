"""What a call of the command found, and the call."""

from __future__ import annotations

import os

from . import _native
from ._errors import UsageError
from ._evaluate import _progress, _runs_of
from ._measures import measures_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Literal

    from ._measures import MeasureLike

    Measures = MeasureLike | Iterable[MeasureLike] | None


class Document:
    """What a call found: a document with the fields of the command's JSON.

    ``result["field"]`` reads it, ``to_dict()`` is all of it. ``print(result)`` shows the tables for
    people; ``to_latex()``, ``to_markdown()`` and ``to_csv()`` are the command's other formats, where
    it has them.
    """

    def __init__(self, call: Call) -> None:
        self._call = call
        self._text = call.run("json")
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

    def __getitem__(self, key: str | int) -> Any:
        return self.to_dict()[key]

    def __contains__(self, key: object) -> bool:
        return key in self.to_dict()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_dict())

    def __len__(self) -> int:
        return len(self.to_dict())

    @property
    def passed(self) -> bool:
        """Whether the command would have ended with the exit code 0."""
        return self._call.code == 0

    def to_latex(self) -> str:
        """Tables for a paper."""
        return self._call.run("latex")

    def to_markdown(self) -> str:
        """Tables in Markdown."""
        return self._call.run("markdown")

    def to_csv(self) -> str:
        """A line for each value."""
        return self._call.run("csv")

    def __str__(self) -> str:
        return self._call.run(self._call.table).rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


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
    """A call of the command: its arguments, and the files among them that are in memory."""

    def __init__(self, *command: str, table: str = "table") -> None:
        self.arguments = list(command)
        self.files: dict[str, bytes] = {}
        self.table = table
        self.code = 0
        self.progress: Callable[[float | None], object] | None = None
        self._quiet = False

    def add(self, *texts: str) -> Call:
        self.arguments += texts
        return self

    def measures(self, measures: Measures) -> Call:
        for measure in [] if measures is None else measures_of(measures):
            if not isinstance(measure, str):
                raise UsageError(f"{measure} is a function, expected measures by name here")
            self.add("-m", measure)
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
                self.add(flag)
            elif isinstance(value, (list, tuple)):
                for one in value:
                    self.add(f"{flag}={one}")
            else:
                self.add(f"{flag}={value}")
        return self

    def qrels(self, qrels: object) -> Call:
        return self.add(self.file(qrels, "qrels", "qrels"))

    def runs(self, runs: object) -> Call:
        for name, run in _runs_of(runs):
            self.add(self.file(run, "run", name))
        return self

    def file(self, given: object, kind: Literal["run", "qrels"], name: str | None) -> str:
        """The name of a file, which is written to memory if it is none."""
        if isinstance(given, (str, os.PathLike)):
            if name is None or name == "qrels":
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
            # Ids with blanks have no place in that format.
            text = held.to_text("csv")
        return self.hold(base, text)

    def hold(self, name: str, text: bytes) -> str:
        """Keeps a file in memory, and returns the name that it has in the call."""
        own, n = name, 1
        while own in self.files or os.path.exists(own):
            n += 1
            own = f"{name}#{n}"
        self.files[own] = text
        return own

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
        self.files[name] = "".join(f"{one}\t{other}\n" for one, other in listed).encode()
        return name

    def run(self, format: str | None) -> str:
        asked = [] if format is None else ["--format", format]
        # What follows `--` is no option.
        end = self.arguments.index("--") if "--" in self.arguments else len(self.arguments)
        arguments = [*self.arguments[:end], *asked, *self.arguments[end:]]
        if self._quiet:
            import warnings

            # Warnings were told when the call was made first.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return self._asked(arguments)
        self._quiet = True
        return self._asked(arguments)

    def _asked(self, arguments: list[str]) -> str:
        self.code, text = _native.call(arguments, list(self.files.items()), self.progress)
        return text
