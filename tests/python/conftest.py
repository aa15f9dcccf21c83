"""Where the command is, and how it is called."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
AXIO = os.environ.get("AXIO", str(ROOT / "target" / "debug" / "axio"))


@pytest.fixture
def evaluate():
    """Scores of one run through `axio eval`: {measure: {topic: value}}, with the options given."""

    def run(qrels, run, measures, *options):
        command = [AXIO, "eval", str(qrels), str(run), "-m", " ".join(measures), "--per-topic", "--format", "json", "--quiet", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)["runs"][0]["measures"]
        return {m["measure"]: m["topics"] for m in found}, {m["measure"]: m["mean"] for m in found}

    return run
