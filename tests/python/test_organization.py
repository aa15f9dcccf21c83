"""`axio organize` against scikit-learn and against definitions written out in Python.

The binary is $AXIO, or the debug build of this repository.
"""

import json
import math
import os
import random
import subprocess
from pathlib import Path

import pytest

metrics = pytest.importorskip("sklearn.metrics")
cluster = pytest.importorskip("sklearn.metrics.cluster")

AXIO = os.environ.get("AXIO", str(Path(__file__).parent / "../../target/debug/axio"))


def organize(tmp_path, gold, *systems, options=()):
    """Writes the texts to files, runs axio, and returns the mean of each system."""
    paths = []
    for number, text in enumerate([gold, *systems]):
        path = tmp_path / f"file{number}"
        path.write_text(text)
        paths.append(str(path))
    command = [AXIO, "organize", *paths, "--format", "json", "--quiet", *options]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return [system["mean"] for system in json.loads(result.stdout)["systems"]]


def clusters(labels):
    return "doc\tcluster\n" + "".join(f"d{i}\t{label}\n" for i, label in enumerate(labels))


def filtering(labels, scores=None):
    rows = (f"t\td{i}\t{label}" + (f"\t{scores[i]}" if scores else "") for i, label in enumerate(labels))
    return "topic\tdoc\tlabel" + ("\tscore" if scores else "") + "\n" + "\n".join(rows) + "\n"


def label_pairs():
    return list(generate_label_pairs())


def generate_label_pairs():
    rng = random.Random(2013)
    for n, k, m in [(1, 1, 1), (2, 1, 2), (2, 2, 2), (5, 5, 5), (10, 3, 3), (50, 4, 7), (200, 20, 3), (500, 40, 60), (2000, 300, 10)]:
        gold = [rng.randrange(k) for _ in range(n)]
        # Half of the documents follow the gold standard, so that there is something to find.
        system = [g % m if rng.random() < 0.5 else rng.randrange(m) for g in gold]
        yield pytest.param(gold, system, id=f"{n}-{k}-{m}")
    yield pytest.param([0, 0, 0], [0, 0, 0], id="one-cluster")
    yield pytest.param([0, 1, 2], [0, 1, 2], id="singletons")
    yield pytest.param([0, 0, 0], [0, 1, 2], id="one-against-singletons")
    yield pytest.param([0, 1, 2], [0, 0, 0], id="singletons-against-one")


CLUSTERING = {
    "mutual_information": metrics.mutual_info_score,
    "nmi": metrics.normalized_mutual_info_score,
    "ami": metrics.adjusted_mutual_info_score,
    "homogeneity": metrics.homogeneity_score,
    "completeness": metrics.completeness_score,
    "v_measure": metrics.v_measure_score,
    "rand": metrics.rand_score,
    "adjusted_rand": metrics.adjusted_rand_score,
    "fowlkes_mallows": metrics.fowlkes_mallows_score,
}


@pytest.mark.parametrize("gold, system", label_pairs())
def test_clustering_is_scikit_learn(tmp_path, gold, system):
    [found] = organize(tmp_path, clusters(gold), clusters(system))
    for name, function in CLUSTERING.items():
        assert found[name] == pytest.approx(function(gold, system), abs=1e-9), name


@pytest.mark.parametrize("gold, system", label_pairs())
def test_clustering_by_definition(tmp_path, gold, system):
    [found] = organize(tmp_path, clusters(gold), clusters(system), options=["--finite"])
    n = len(gold)
    table = cluster.contingency_matrix(gold, system)  # classes are rows
    classes, sizes = table.sum(axis=1), table.sum(axis=0)
    expected = {
        "purity": table.max(axis=0).sum() / n,
        "inverse_purity": table.max(axis=1).sum() / n,
        "class_f": (classes * (2 * table / (classes[:, None] + sizes[None, :])).max(axis=1)).sum() / n,
        "bcubed_precision": sum(table[i, j] ** 2 / sizes[j] for i in range(len(classes)) for j in range(len(sizes))) / n,
        "bcubed_recall": sum(table[i, j] ** 2 / classes[i] for i in range(len(classes)) for j in range(len(sizes))) / n,
        "entropy": -sum(c * math.log(c / sizes[j]) for row in table for j, c in enumerate(row) if c) / n,
        "class_entropy": -sum(c * math.log(c / classes[i]) for i, row in enumerate(table) for c in row if c) / n,
        "jaccard": jaccard(table),
    }
    expected["variation_of_information"] = expected["entropy"] + expected["class_entropy"]
    expected["R_related"] = expected["extended_bcubed_precision"] = expected["bcubed_precision"]
    expected["S_related"] = expected["extended_bcubed_recall"] = expected["bcubed_recall"]
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-9), name


def jaccard(table):
    pairs = lambda counts: sum(int(c) * (int(c) - 1) // 2 for c in counts)
    both = pairs(table.flatten())
    either = pairs(table.sum(axis=0)) + pairs(table.sum(axis=1)) - both
    return both / either if either else 1.0


FILTERING = {
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "f1": metrics.f1_score,
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "kappa": metrics.cohen_kappa_score,
    "mcc": metrics.matthews_corrcoef,
}


@pytest.mark.parametrize("n, share", [(10, 0.5), (100, 0.1), (100, 0.9), (1000, 0.3)])
def test_filtering_is_scikit_learn(tmp_path, n, share):
    rng = random.Random(n)
    gold = [1, 0] + [int(rng.random() < share) for _ in range(n)]
    system = [1, 0] + [g if rng.random() < 0.7 else 1 - g for g in gold[2:]]
    # Few distinct scores, so that there are ties.
    scores = [round(s * 0.3 + rng.random(), 1) for s in system]
    [found] = organize(tmp_path, filtering(gold), filtering(system, scores), options=["--finite", "--beta", "2", "--utility", "2,-1,0,0"])
    for name, function in FILTERING.items():
        assert found[name] == pytest.approx(function(gold, system), abs=1e-9), name
    assert found["f_beta"] == pytest.approx(metrics.fbeta_score(gold, system, beta=2), abs=1e-9)
    assert found["auc"] == pytest.approx(metrics.roc_auc_score(gold, scores), abs=1e-9)
    tn, fp, fn, tp = metrics.confusion_matrix(gold, system).ravel()
    assert found["utility"] == pytest.approx(2 * tp - fp)
    assert found["R_priority"] == pytest.approx(tp / (tp + fp) * tn / (tn + fn), abs=1e-9)
    assert found["S_priority"] == pytest.approx(tp / (tp + fn) * tn / (tn + fp), abs=1e-9)


def relations(here, there, c=2.5):
    """Reliability of priority and of relatedness, from the definition: here and there are lists of levels of clusters."""
    flat = lambda side: [(d, l, (l, k)) for l, level in enumerate(side) for k, members in enumerate(level) for d in members]
    mine, theirs = flat(here), flat(there)
    sizes = [sum(map(len, level)) for level in here]
    weight = [c / ((c + sum(sizes[:l])) * (c + sum(sizes[: l + 1]))) for l in range(len(sizes))]
    n = len(mine)
    tail, kept = c / (c + n), n / (c + n)
    above = lambda side, d, e: sum(1 for x in side if x[0] == d for y in side if y[0] == e and x[1] < y[1])
    together = lambda side, d, e: sum(1 for x in side if x[0] == d and any(y[0] == e and y[2] == x[2] for y in side))
    priority, related = 0.0, tail
    for d, l, k in mine:
        rest = 1 - sizes[l] * weight[l]
        for e, m, _ in mine:
            if l != m:
                upper, lower = (d, e) if l < m else (e, d)
                stated = above(mine, upper, lower)
                priority += min(stated, above(theirs, upper, lower)) / stated * weight[l] * weight[m] / rest
        times = sum(1 for x in mine if x[0] == d)
        agreed = min(times, sum(1 for x in theirs if x[0] == d)) / times
        priority += agreed * weight[l] * tail * (1 / rest + 1 / kept)
        members = [e for e, _, other in mine if other == k]
        agreement = sum(min(together(mine, d, e), together(theirs, d, e)) / together(mine, d, e) for e in members)
        related += weight[l] / len(members) * agreement
    return priority, related


def random_organization(rng):
    levels = []
    for _ in range(rng.randrange(1, 5)):
        levels.append([rng.sample([f"d{i}" for i in range(12)], rng.randrange(1, 5)) for _ in range(rng.randrange(1, 4))])
    return levels


@pytest.mark.parametrize("seed", range(10))
def test_reliability_and_sensitivity_by_definition(tmp_path, seed):
    rng = random.Random(seed)
    gold, system = random_organization(rng), random_organization(rng)
    [found] = organize(tmp_path, json.dumps({"t": gold}), json.dumps({"t": system}), options=["--mix", "0.5"])
    r_priority, r_related = relations(system, gold)
    s_priority, s_related = relations(gold, system)
    expected = {"R_priority": r_priority, "S_priority": s_priority, "R_related": r_related, "S_related": s_related}
    expected["R"], expected["S"] = (r_priority + r_related) / 2, (s_priority + s_related) / 2
    expected["F"] = 2 * expected["R"] * expected["S"] / (expected["R"] + expected["S"])
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-12), name


@pytest.mark.parametrize(
    "gold, system, message",
    [
        ("doc\na\n", "doc\nb\n", "no document in common"),
        ("topic doc\nt a\n", "topic doc\ns a\n", "no topic in common"),
        ("doc\na\n", "doc level\na x\n", "file1:2:3: found \"x\", expected a level"),
        ("doc\na\n", "", "file1: is empty"),
    ],
)
def test_bad_input_prints_nothing(tmp_path, gold, system, message):
    (tmp_path / "file0").write_text(gold)
    (tmp_path / "file1").write_text(system)
    result = subprocess.run([AXIO, "organize", "file0", "file1"], capture_output=True, text=True, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr


def test_keep_going_prints_the_good_systems(tmp_path):
    for name, text in [("gold", "doc\na\n"), ("bad", "doc level\na x\n"), ("good", "doc\na\n")]:
        (tmp_path / name).write_text(text)
    command = [AXIO, "organize", "gold", "bad", "good", "--keep-going", "--format", "json"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert result.returncode == 1
    assert [system["name"] for system in json.loads(result.stdout)["systems"]] == ["good"]


def test_standard_input(tmp_path):
    (tmp_path / "gold").write_text("doc cluster\na x\nb x\n")
    command = [AXIO, "organize", "gold", "-", "--format", "json", "--quiet"]
    result = subprocess.run(command, input="doc cluster\na y\nb y\n", capture_output=True, text=True, cwd=tmp_path, check=True)
    assert json.loads(result.stdout)["systems"][0]["mean"]["rand"] == 1
