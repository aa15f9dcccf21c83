"""Examples run: the doctests of every public name, and the tutorial, cell by cell."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import axiometrics as ax

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(ax.__path__, "axiometrics.")
    if not module.name.endswith(("_native", "__main__", "spark"))
)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.filterwarnings("ignore::axiometrics.AxiometricsWarning")
@pytest.mark.parametrize("name", ["axiometrics", *MODULES])
def test_doctests(name):
    try:
        module = importlib.import_module(name)
    except ImportError as missing:
        pytest.skip(str(missing))
    assert doctest.testmod(module, optionflags=OPTIONS).failed == 0


def test_every_public_name_is_documented():
    for name in ax.__all__:
        assert getattr(ax, name).__doc__, name
    shown = [name for name in ax.__all__ if inspect.isfunction(getattr(ax, name))]
    assert len(shown) > 20
    assert [name for name in [*shown, "Qrels", "Run"] if ">>>" not in getattr(ax, name).__doc__] == []


@pytest.mark.filterwarnings("ignore::axiometrics.AxiometricsWarning")
def test_the_tutorial_runs():
    notebook = json.loads((Path(__file__).parent.parent / "tutorial.ipynb").read_text())
    names: dict[str, object] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    shown = names["result"]
    assert "<table>" in shown._repr_html_()  # type: ignore[attr-defined]


def test_measures_are_attributes():
    assert str(ax.nDCG @ 10) == "nDCG@10" and "nDCG" in dir(ax)
    assert "References" in ax.nDCG.about
    with pytest.raises(AttributeError):
        ax.no_such_measure  # noqa: B018
    same = ax.Measure("RBP(p=0.9)")
    assert ax.RBP(p=0.9) == same and hash(ax.RBP(p=0.9)) == hash(same)
    assert ax.evaluate({"q": {"d": 1}}, {"q": {"d": 1}}, [ax.RR, ax.P @ 1]).to_dict() == {"RR": 1, "P@1": 1}


def test_modules_are_there_without_an_import_of_their_own():
    code = "import axiometrics as ax, sys; assert 'axiometrics.spark' not in sys.modules; ax.spark.evaluate; ax.compat"
    subprocess.run([sys.executable, "-c", code], check=True)
