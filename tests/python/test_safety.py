"""What reaches a terminal and a browser, whatever the files hold."""

import base64
import hashlib
import json
import os
import pty
import re
import subprocess

import pytest

from conftest import AXIO

TOPIC = "a\u001b]0;x\u0007\u009b31m\u202ez"
DOCUMENT = "d\u001b[2J\u2066e"
# What tables and messages of ours hold: colours.
COLOURS = re.compile("\u001b\\[[0-9;]*m")
ACTS = re.compile("[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels.json").write_text(json.dumps({TOPIC: {DOCUMENT: 1, "e": 0}, "2": {"f": 1}}))
    (tmp_path / "run\u001b[31m.json").write_text(json.dumps({TOPIC: {DOCUMENT: 2.0, "e": 1.0}}))
    return ["qrels.json", "run\u001b[31m.json"]


def on_terminal(arguments, folder):
    """What a terminal is given."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([AXIO, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    process.wait()
    os.close(ours)
    return shown.decode()


@pytest.mark.parametrize("form", "table tsv csv json jsonl markdown latex".split())
def test_no_result_acts_on_a_terminal(form, files, tmp_path):
    for arguments in (["eval", *files, "--per-topic", "-m", "AP", "--format", form], ["explain", "AP", *files, "--topic", TOPIC, "--format", form]):
        shown = COLOURS.sub("", on_terminal(arguments, tmp_path))
        assert "AP" in shown or "document" in shown or "rank" in shown, shown
        assert not ACTS.search(shown), repr(shown)


def test_no_other_output_acts_on_a_terminal(files, tmp_path):
    for arguments in (["convert", files[1], "--to", "csv"], ["validate", *files], ["explain", "AP", *files, "--topic", TOPIC + "x"], ["eval", "--\u009b31m"], ["eval", "none\u001b[2J", files[1]]):
        shown = COLOURS.sub("", on_terminal(arguments, tmp_path))
        assert shown and not ACTS.search(shown), (arguments, shown)


def test_data_are_not_changed_where_no_terminal_is(files, tmp_path):
    done = subprocess.run([AXIO, "convert", files[1], "--to", "csv"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert DOCUMENT in done.stdout


def test_the_page_allows_its_own_script_alone(files, tmp_path):
    subprocess.run([AXIO, "report", *files, "-m", "AP", "-o", "page.html", "--quiet"], cwd=tmp_path, check=True)
    page = (tmp_path / "page.html").read_text()
    (policy,) = re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    (script,) = re.findall("<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy.replace("&#x27;", "'").replace("&#x2f;", "/"), policy
    assert policy.startswith("default-src 'none'")
    assert not ACTS.search(page)
