"""Certificates of verdicts, discharged by a solver that knows nothing of this program."""

import json
import pathlib
import subprocess

import pytest
import z3

from conftest import AXIO

# Families at several parameters, users' own expressions, and all registered measures.
METRICS = [
    "all",
    "RBP(p=0.3)",
    "RBP(p=0.999)",
    "INSQ(T=1)",
    "INST(T=0.75)",
    "INST(T=3)",
    "F(beta=0.5)@10",
    "Utility(a=3,b=-2,c=-1)",
    "CWL(c='0.9 * (1 - g)')",
    "CWL(c='((i + 1) / (i + 3))^2')",
]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    command = [AXIO, "check", *METRICS, "--only", "properties", "--certificate", folder]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def solve(text):
    solver = z3.Solver()
    solver.set("timeout", 20_000)
    solver.from_string(text)
    return solver.check()


def test_every_lemma_is_discharged(certificates):
    texts = {path.read_text() for path in certificates.rglob("lemma-*.smt2")}
    assert len(texts) > 50
    open_ = [text for text in sorted(texts) if solve(text) != z3.unsat]
    assert not open_, f"{len(open_)} of {len(texts)} not discharged, the first:\n{open_[0]}"


def test_a_wrong_lemma_is_refuted(certificates):
    path = certificates / "SetAP" / "convergent" / "lemma-1.smt2"
    text = path.read_text()
    assert solve(text.replace("(assert (<= ", "(assert (> ")) == z3.sat


def test_every_proof_by_a_form_names_its_lemmas(certificates):
    for name in ["infAP", "ERR", "INST", "binG", "SetF"]:
        proof = json.loads((certificates / name / "convergent" / "certificate.json").read_text())
        assert (proof["verdict"], proof["how"]) == ("holds", "proved"), name
        files = [lemma["file"] for lemma in proof["lemmas"]]
        assert files, name
        for file in files:
            assert (certificates / name / "convergent" / file).is_file()


def test_every_case_is_data(certificates):
    cases = 0
    for path in certificates.rglob("certificate.json"):
        certificate = json.loads(path.read_text())
        if certificate["verdict"] == "violated":
            assert certificate["witness"]["states"], path
            cases += 1
    assert cases > 100
