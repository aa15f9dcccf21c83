"""`axio explain METRIC QRELS RUN --topic T` against cwl_eval: C, W and L by rank, and what is expected of the user in all.

cwl_eval ends every list at rank 1000, which is depth=1000 here. At its last rank some of its users would still read on, and its totals leave these out: totals are compared
if it has none of them.
"""

import json
import random
import subprocess

import pytest
from conftest import AXIO
from cwl.ruler.measures.cwl_ap import APCWLMetric
from cwl.ruler.measures.cwl_bpm import BPMCWLMetric
from cwl.ruler.measures.cwl_dcg import NDCGCWLMetric
from cwl.ruler.measures.cwl_ift import IFTGoalCWLMetric, IFTGoalRateCWLMetric, IFTRateCWLMetric
from cwl.ruler.measures.cwl_insq import INSQCWLMetric
from cwl.ruler.measures.cwl_inst import INSTCWLMetric
from cwl.ruler.measures.cwl_nerr import NERReq8CWLMetric, NERReq9CWLMetric, NERReq10CWLMetric, NERReq11CWLMetric
from cwl.ruler.measures.cwl_npv import NPVCWLMetric
from cwl.ruler.measures.cwl_precision import PrecisionCWLMetric
from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
from cwl.ruler.measures.cwl_rr import RRCWLMetric
from cwl.ruler.measures.cwl_tbg import TBGCWLMetric
from cwl.ruler.ranking import Ranking

TOP = 4  # Gains are quarters, which floating point adds up exactly.

GRADED = {
    "RBP(p=0.85)": RBPCWLMetric(0.85),
    "INSQ(T=1,depth=1000)": INSQCWLMetric(1),
    "INSQ(T=2.5,depth=1000)": INSQCWLMetric(2.5),
    "INST(T=2,depth=1000)": INSTCWLMetric(2),
    "SDCG@10": NDCGCWLMetric(10),
    "BPM(T=1)@10": BPMCWLMetric(1, 10),
    "BPM(T=2.5)@7": BPMCWLMetric(2.5, 7),
    "IFT(T=2,b1=0.9,R1=10,form=goal)": IFTGoalCWLMetric(2, 0.9, 10),
    "IFT(A=0.2,b2=0.9,R2=10,form=rate)": IFTRateCWLMetric(0.2, 0.9, 10),
    "IFT(T=1,b1=0.5,R1=3,A=0.3,b2=0.8,R2=5)": IFTGoalRateCWLMetric(1, 0.5, 3, 0.3, 0.8, 5),
    "NERR8@9": NERReq8CWLMetric(9),
    "NERR9@9": NERReq9CWLMetric(9),
    "NERR10(p=0.9,depth=1000)": NERReq10CWLMetric(0.9),
    "NERR11(T=1,depth=1000)": NERReq11CWLMetric(1),
    "TBG(halflife=12,depth=1000)": TBGCWLMetric(12),
    "NPV(rate=0.2,depth=1000)": NPVCWLMetric(0.2),
    "CWL(c='((i - 1 + 4 - G) / (i + 4 - G))^2',depth=1000)": INSTCWLMetric(2),
    "CWL(c='0.9 * (1 - g)',depth=1000)": NERReq10CWLMetric(0.9),
    "CWL(c='G < 1 and i < k')@10": BPMCWLMetric(1, 10),
}
BINARY = {"P@5": PrecisionCWLMetric(5), "RR": RRCWLMetric(), "AP": APCWLMetric()}


def explain(folder, measure, grades, top):
    (folder / "qrels").write_text("".join(f"t 0 d{i} {g}\n" for i, g in enumerate(grades) if g is not None) + f"t 0 other {top}\n")
    (folder / "run").write_text("".join(f"t Q0 d{i} {i} {-i} x\n" for i in range(len(grades))))
    command = [AXIO, "explain", measure, str(folder / "qrels"), str(folder / "run"), "--topic", "t", "--format", "json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def compare(folder, measure, theirs, grades, top):
    ours = explain(folder, measure, grades, top)
    ranking = Ranking("t", [(g or 0) / top for g in grades], [1.0] * len(grades), max_n=1000)
    utility = theirs.measure(ranking)
    user, documents = ours["user"], ours["documents"]
    assert user["utility"] == pytest.approx(utility, rel=1e-9, abs=1e-12), measure
    assert user["documents"] == pytest.approx(theirs.expected_items, rel=1e-9), measure
    assert user["cost"] == pytest.approx(theirs.expected_cost), measure
    lasts = theirs.l_vector(ranking)
    if abs(sum(lasts) - 1) < 1e-9:
        assert user["total_utility"] == pytest.approx(theirs.expected_total_utility, rel=1e-6, abs=1e-9), measure
        assert user["total_cost"] == pytest.approx(theirs.expected_total_cost, rel=1e-6), measure
    vectors = zip(theirs.c_vector(ranking), theirs.w_vector(ranking), lasts)
    for document, (c, w, last) in zip(documents, vectors):
        # Nobody is there to read on from a rank that is never read.
        if w > 1e-300:
            assert document["user"]["continuation"] == pytest.approx(c, abs=1e-9), (measure, document)
        assert document["user"]["weight"] == pytest.approx(w, rel=1e-9, abs=1e-12), (measure, document)
        assert document["user"]["last"] == pytest.approx(last, rel=1e-9, abs=1e-12), (measure, document)
    return ours


@pytest.mark.parametrize("measure", GRADED)
@pytest.mark.parametrize("seed", range(3))
def test_graded_users_are_those_of_cwl_eval(measure, seed, tmp_path):
    rng = random.Random(seed)
    grades = [rng.choice([None, 0, 0, 0, 1, 2, 3, 4]) for _ in range(rng.randint(1, 40))]
    ours = compare(tmp_path, measure, GRADED[measure], grades, TOP)
    assert ours["score"] == pytest.approx(ours["user"]["utility"], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("measure", BINARY)
@pytest.mark.parametrize("seed", range(3))
def test_binary_users_are_those_of_cwl_eval(measure, seed, tmp_path):
    rng = random.Random(seed)
    grades = [1 if rng.random() < 0.3 else 0 for _ in range(30)] + [1]
    ours = compare(tmp_path, measure, BINARY[measure], grades, 1)
    # One relevant document was not retrieved, which AP counts and its user does not.
    share = sum(grades) / (sum(grades) + 1) if measure == "AP" else 1
    assert ours["score"] == pytest.approx(ours["user"]["utility"] * share, rel=1e-9)


def test_the_endless_list_is_what_its_closed_form_says(tmp_path):
    """cwl_eval's INSQ is 0.155 percent higher at T = 1, because it ends the list at rank 1000."""
    ours = explain(tmp_path, "INSQ(T=1)", [1, 0, 1], 1)
    ratio = INSQCWLMetric(1).measure(Ranking("t", [1.0, 0.0, 1.0], [1.0] * 3, max_n=1000)) / ours["score"]
    assert ratio == pytest.approx(1.00155, abs=1e-5)
    assert ours["user"]["documents"] == pytest.approx(1 / ours["documents"][0]["user"]["weight"], rel=1e-12)
