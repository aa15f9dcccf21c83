"""``python -m axiometrics`` is the command ``axio``."""

from ._command import program

program()
