"""What cwl_eval prints for its measures is read as it is: `axio eval -m NAME` for the name of every class of cwl_eval, with random parameters on random judgements, against its own score."""

import importlib
import inspect
import pkgutil
import random
import subprocess

import cwl.ruler.measures as package
import pytest
from conftest import AXIO
from cwl.ruler.measures.cwl_metrics import CWLMetric
from cwl.ruler.ranking import Ranking

TOP = 4  # Gains are quarters, which floating point adds up exactly.
DEPTH = 1000  # cwl_eval ends every list here.

PARAMETERS = {
    "APCWLMetric": lambda rng: (),
    "TrAPCWLMetric": lambda rng: (),
    "RRCWLMetric": lambda rng: (),
    "PrecisionCWLMetric": lambda rng: (rng.randint(1, 30),),
    "RBPCWLMetric": lambda rng: (round(rng.uniform(0.1, 0.95), 3),),
    "NDCGCWLMetric": lambda rng: (rng.randint(1, 30),),
    "INSTCWLMetric": lambda rng: (rng.choice([1, 1.0, 2.5]),),
    "INSQCWLMetric": lambda rng: (rng.choice([1, 1.0, 2.5]),),
    "TBGCWLMetric": lambda rng: (rng.choice([1, 22, 224.5]),),
    "UMeasureCWLMetric": lambda rng: (rng.choice([5, 999, 1000, 6300]),),
    "NPVCWLMetric": lambda rng: (rng.choice([0.1, 0.25, 1e-05]),),
    "BPMCWLMetric": lambda rng: (rng.choice([1, 1.0, 2.5]), rng.randint(1, 30)),
    "BPMDCWLMetric": lambda rng: (rng.choice([1, 2.5]), rng.randint(1, 30), 1.0, 1.0),
    "SETCWLMetric": lambda rng: (rng.choice([0.25, 0.5, 1.0]), rng.randint(1, 30)),
    "IFTGoalCWLMetric": lambda rng: (rng.choice([1, 2.0]), 0.9, rng.choice([1, 10])),
    "IFTRateCWLMetric": lambda rng: (0.2, 0.9, rng.choice([1, 1e-05])),
    "IFTGoalRateCWLMetric": lambda rng: (2.0, 0.9, 10, 0.2, 0.9, rng.choice([1, 10])),
    "NERReq8CWLMetric": lambda rng: (rng.randint(1, 30),),
    "NERReq9CWLMetric": lambda rng: (rng.randint(1, 30),),
    "NERReq10CWLMetric": lambda rng: (round(rng.uniform(0.1, 0.95), 3),),
    "NERReq11CWLMetric": lambda rng: (rng.choice([1, 1.0, 2.5]),),
}
BINARY = {"APCWLMetric", "TrAPCWLMetric", "RRCWLMetric", "PrecisionCWLMetric"}


def classes():
    found = {}
    for module in pkgutil.iter_modules(package.__path__):
        members = inspect.getmembers(importlib.import_module(f"{package.__name__}.{module.name}"), inspect.isclass)
        found.update({name: one for name, one in members if issubclass(one, CWLMetric) and one is not CWLMetric})
    return found


def written(folder, grades):
    (folder / "qrels").write_text("".join(f"t 0 d{i} {g}\n" for i, g in enumerate(grades)) + f"t 0 top {TOP if max(grades) != 1 else 1}\n")
    (folder / "run").write_text("".join(f"t Q0 d{i} {i} {-i} x\n" for i in range(len(grades))))


def test_every_class_is_tried():
    assert set(classes()) == set(PARAMETERS)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", sorted(set(PARAMETERS) - {"BPMDCWLMetric"}))
def test_a_printed_name_has_the_score(name, seed, tmp_path, evaluate):
    rng = random.Random(f"{name} {seed}")
    theirs = classes()[name](*PARAMETERS[name](rng))
    binary = name in BINARY
    grades = [rng.choice([0, 0, 1] if binary else [0, 0, 0, 1, 2, 3, 4]) for _ in range(rng.randint(1, 60))] + [1]
    written(tmp_path, grades)
    top = 1 if max(grades) == 1 else TOP
    theirs.residuals = False  # TrAP leaves it to the program around it.
    ranking = Ranking("t", [grade / top for grade in grades], [1.0] * len(grades), max_n=DEPTH)
    ranking.total_qrel_rels = sum(grade > 0 for grade in grades) + 1
    printed = theirs.name().strip()
    scores, _ = evaluate(tmp_path / "qrels", tmp_path / "run", [printed])
    score = list(scores.values())[0]["t"]
    expected = theirs.measure(ranking)
    if name == "APCWLMetric":  # It divides by the relevant documents that were retrieved.
        expected *= sum(grade > 0 for grade in grades) / ranking.total_qrel_rels
    if name == "RBPCWLMetric":
        expected *= 1 - theirs.theta**DEPTH
    assert score == pytest.approx(expected, rel=1e-8, abs=1e-12), printed


def test_a_name_that_leaves_a_parameter_out_says_what_to_write(tmp_path, evaluate):
    for seed in range(6):
        rng = random.Random(seed)
        theirs = classes()["BPMDCWLMetric"](*PARAMETERS["BPMDCWLMetric"](rng))
        grades = [rng.choice([0, 0, 1, 2, 4]) for _ in range(40)]
        written(tmp_path, grades)
        command = [AXIO, "eval", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", theirs.name()]
        refused = subprocess.run(command, capture_output=True, text=True)
        assert refused.returncode == 2 and "gain_med" in refused.stderr
        instead = "CWL(" + refused.stderr.split("write CWL(")[1].strip()
        scores, _ = evaluate(tmp_path / "qrels", tmp_path / "run", [instead])
        expected = theirs.measure(Ranking("t", [grade / TOP for grade in grades], [1.0] * len(grades), max_n=DEPTH))
        assert list(scores.values())[0]["t"] == pytest.approx(expected, rel=1e-9), instead
