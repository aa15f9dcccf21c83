"""What can go wrong, by kind."""

from __future__ import annotations


class Error(Exception):
    """Anything that kept axiometrics from giving an answer.

    ``file``, ``line`` and ``column`` say where, as far as that is known; ``help`` says what to do.
    """

    def __init__(
        self,
        message: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        help: str | None = None,
    ) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.column = column
        self.help = help

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.file, self.line, self.column, self.help)


class UsageError(Error, ValueError):
    """The call asks for something that does not exist or does not fit together."""


class InputError(Error, ValueError):
    """A run, judgements or another input is wrong; the message names the place."""


class DuplicateError(InputError):
    """The input says the same thing twice though it may say it once."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class Undecided(Error):
    """A gate was asked whether it passed, and could not decide."""


class AxiometricsWarning(UserWarning):
    """Something is not as it should be, but did not stop the work."""
