"""Programs that call pytrec_eval, with that one import changed: BEIR and MTEB give the same values.

Their own source is run twice, as it is and with the drop-in. Both packages are installed without what
they would bring along, which scoring does not need.
"""

from __future__ import annotations

import importlib.util
import os
import random
import sys
import types
from pathlib import Path

import pytest

pytest.importorskip("pytrec_eval")
pytest.importorskip("beir")
if importlib.util.find_spec("mteb") is None:
    pytest.skip("there is no MTEB", allow_module_level=True)

THEIRS = "import pytrec_eval\n"
OURS = "from axiometrics.compat import pytrec_eval\n"
DEPTHS = [1, 3, 5, 10, 100, 1000]
#: More are asked for by this variable.
SEEDS = range(int(os.environ.get("AXIOMETRICS_SEEDS", "50")))


def source(package: str, path: str) -> tuple[Path, str]:
    spec = importlib.util.find_spec(package)
    assert spec is not None and spec.submodule_search_locations
    file = Path(spec.submodule_search_locations[0]) / path
    text = file.read_text()
    assert text.count(THEIRS) == 1
    return file, text


def loaded(package: str, path: str, changed: bool) -> types.ModuleType:
    """A module of theirs, with the one import as it is or changed."""
    file, text = source(package, path)
    if changed:
        text = text.replace(THEIRS, OURS)
    module = types.ModuleType(f"{package}_{'ours' if changed else 'theirs'}")
    module.__package__ = ".".join([package, *Path(path).parent.parts])
    exec(compile(text, str(file), "exec"), module.__dict__)
    return module


def case(seed: int):
    """Judgements and results with ties, unjudged documents, and topics of one side alone."""
    rng = random.Random(seed)
    docs = [f"d{n}" for n in range(rng.choice([5, 40, 150]))]
    topics = [f"q{n}" for n in range(rng.randint(2, 8))]
    judged = {t: {d: rng.choice([0, 0, 1, 2]) for d in rng.sample(docs, rng.randint(1, 5))} for t in topics}
    scores = [0.25, 0.5, 0.75] if rng.random() < 0.4 else None
    results = {
        t: {d: rng.choice(scores) if scores else rng.random() for d in rng.sample(docs, rng.randint(2, len(docs)))}
        for t in topics
    }
    return judged, results


def test_beir():
    theirs, ours = (loaded("beir", "retrieval/evaluation.py", changed) for changed in (False, True))
    for seed in SEEDS:
        qrels, results = case(seed)
        # A document with the id of its query is taken out there.
        results["q0"]["q0"] = 2.0
        told, found = (
            module.EvaluateRetrieval.evaluate(qrels, {t: dict(r) for t, r in results.items()}, DEPTHS)
            for module in (theirs, ours)
        )
        assert told == found, seed


@pytest.mark.filterwarnings("ignore")
def test_mteb(monkeypatch):
    # The package imports models and data sets; the scores need one record of it.
    for name in ("mteb", "mteb.types"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    sys.modules["mteb.types"].RetrievalEvaluationResult = types.SimpleNamespace  # type: ignore[attr-defined]
    spec = importlib.util.spec_from_file_location("mteb", MTEB)
    sys.modules["mteb"].__spec__, sys.modules["mteb"].__path__ = spec, [str(Path(MTEB).parent)]
    modules = [loaded("mteb", "_evaluators/retrieval_metrics.py", changed) for changed in (False, True)]
    for seed in SEEDS:
        qrels, results = case(seed)
        told, found = (vars(m.calculate_retrieval_scores(results, qrels, DEPTHS)) for m in modules)
        assert told.keys() == found.keys() and len(told) == 9
        for name, values in told.items():
            if name == "all_scores":
                assert list(values) == list(found[name])
                for topic in values:
                    assert found[name][topic] == pytest.approx(values[topic], abs=1e-12)
            else:
                assert found[name] == pytest.approx(values, abs=1e-9, nan_ok=True), (name, seed)


MTEB = str(importlib.util.find_spec("mteb").origin)  # type: ignore[union-attr]
