from __future__ import annotations

import random

import pytest


@pytest.fixture
def qrels() -> dict[str, dict[str, int]]:
    return {"q1": {"d1": 1, "d3": 2, "d4": 0}, "q2": {"d2": 1}}


@pytest.fixture
def run() -> dict[str, dict[str, float]]:
    return {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}, "q2": {"d9": 0.5, "d2": 0.4}}


def collection(seed: int, topics: int = 12, docs: int = 30) -> tuple[dict, dict]:
    """Judgements and a run with ties, unjudged documents and topics of one side alone."""
    rng = random.Random(seed)
    name = lambda n: f"d{n}"
    qrels = {
        f"t{t}": {name(d): rng.choice([-1, 0, 0, 1, 2, 3]) for d in rng.sample(range(docs), 12)}
        for t in range(topics)
        if rng.random() < 0.9
    }
    run = {
        f"t{t}": {name(d): rng.choice([0.5, 1.0, rng.random()]) for d in rng.sample(range(docs), 15)}
        for t in range(topics)
        if rng.random() < 0.9
    }
    return qrels, run
