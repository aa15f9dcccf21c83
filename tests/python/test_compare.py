"""Compares `axio compare`, `axio meta` and `axio plan` with scipy, statsmodels and numpy, through the commands alone.

Per-topic scores come from `axio eval`; everything after them is computed here.
"""

import json
import math
import random
import subprocess
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from conftest import AXIO, ROOT
from scipy import stats
from statsmodels.stats.multitest import multipletests

DL21 = ROOT.parent / "shared" / "data" / "dl21"
WEB = ROOT / "examples" / "web"
RUNS = sorted(str(p) for p in WEB.glob("*.run"))
MEASURES = "nDCG@10 AP P@10"
CLOSED = 1e-9

needs_dl21 = pytest.mark.skipif(not DL21.is_dir(), reason="the runs of TREC DL 2021 are not here")


def axio(*args):
    done = subprocess.run([AXIO, *map(str, args)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ask(*args):
    return json.loads(axio(*args, "--quiet", "--format", "json"))


def topic_scores(qrels, runs, measures):
    """measure -> systems x topics, the topics sorted; undefined scores are NaN."""
    document = ask("eval", qrels, *runs, "-m", measures, "--per-topic")
    columns = [m["measure"] for m in document["runs"][0]["measures"]]
    topics = sorted(document["runs"][0]["measures"][0]["topics"])
    def row(run, i):
        return [run["measures"][i]["topics"][t] for t in topics]
    return {m: np.array([row(run, i) for run in document["runs"]], float) for i, m in enumerate(columns)}, topics


def judged(qrels):
    grades = {}
    for line in Path(qrels).read_text().splitlines():
        topic, _, doc, grade = line.split()
        grades.setdefault(topic, {})[doc] = int(grade)
    return grades


@pytest.fixture(scope="module")
def web():
    scores, topics = topic_scores(WEB / "qrels.txt", RUNS, MEASURES)
    relevant = [any(g > 0 for g in judged(WEB / "qrels.txt")[t].values()) for t in topics]
    return {m: x[:, np.array(relevant) & ~np.isnan(x).any(0)] for m, x in scores.items()}


def compared(*options):
    return ask("compare", WEB / "qrels.txt", *RUNS, "-m", MEASURES, *options)


def pairs_of(found, web):
    """Every pair of the answer with its two rows of scores."""
    names = found["systems"]
    for measure in found["measures"]:
        x = web[measure["measure"]]
        assert measure["topics"] == x.shape[1]
        for pair in measure["pairs"]:
            yield pair, x[names.index(pair["a"])], x[names.index(pair["b"])]


def check_correction(found, method, family="measure"):
    """p is raw, p_corrected is of the family: each measure by itself, or all of them."""
    families = [[m] for m in found["measures"]] if family == "measure" else [found["measures"]]
    for measures in families:
        p = [pair["p"] for m in measures for pair in m["pairs"]]
        corrected = [pair["p_corrected"] for m in measures for pair in m["pairs"]]
        assert corrected == pytest.approx(multipletests(p, method=method)[1], abs=1e-12)
        for m in measures:
            assert m["family"] == {"tests": len(p), "pairs": len(m["pairs"]), "measures": len(measures)}
            for pair in m["pairs"]:
                assert pair["significant"] == (pair["p_corrected"] <= found["settings"]["alpha"])


def check_groups(found):
    """Ranks and letters, from the decisions about all pairs."""
    for m in found["measures"]:
        better = {(p["a"], p["b"]) if p["difference"] > 0 else (p["b"], p["a"]) for p in m["pairs"] if p["significant"]}
        names = [s["name"] for s in m["systems"]]
        letters = {s["name"]: set(s["letters"]) for s in m["systems"]}
        for s in m["systems"]:
            above = sum(b == s["name"] for _, b in better)
            below = sum(a == s["name"] for a, _ in better)
            assert s["ranks"] == {"best": 1 + above, "worst": len(names) - below}
        for a, b in combinations(names, 2):
            assert bool(letters[a] & letters[b]) == ((a, b) not in better and (b, a) not in better)
        best = max(m["systems"], key=lambda s: s["mean"])["name"]
        assert "a" in letters[best]


@pytest.mark.parametrize("options", [[], ["--test", "tukey"], ["--test", "randomised-tukey"], ["--correction", "bonferroni"], ["--alpha", "0.3"]])
def test_ranks_and_letters(options):
    check_groups(compared(*options))


def test_one_family_of_all_measures(web):
    found = compared("--family", "all")
    assert found["settings"]["family"] == "all"
    check_correction(found, "holm", "all")


def test_letters_and_ranks_need_all_pairs():
    """With a baseline only some pairs are decided, and letters of another test could contradict them."""
    for options in ([], ["--test", "tukey"], ["--correction", "none"]):
        for m in compared("--baseline", "bm25.run", *options)["measures"]:
            assert m["grouping"] is None
            assert all(s["ranks"] is None and s["letters"] is None for s in m["systems"])


@pytest.mark.parametrize("correction", ["bh", "none"])
def test_letters_without_ranks(correction):
    """Letters show the decisions of the pairs; ranks hold at once only if any error was corrected for."""
    for m in compared("--correction", correction)["measures"]:
        letters = {s["name"]: set(s["letters"]) for s in m["systems"]}
        assert all(s["ranks"] is None for s in m["systems"])
        for pair in m["pairs"]:
            assert bool(letters[pair["a"]] & letters[pair["b"]]) == (not pair["significant"])


def test_an_undefined_measure_is_told():
    found = ask("compare", WEB / "qrels.txt", *RUNS, "-m", "AP AP(rel=9) RR")
    assert [m["measure"] for m in found["measures"]] == ["AP", "RR"]
    assert [n["measure"] for n in found["not_compared"]] == ["AP(rel=9)"]
    assert "no relevant document" in found["not_compared"][0]["reason"]


def test_the_means_of_eval_are_beside_those_of_the_tests(web):
    document = ask("eval", WEB / "qrels.txt", *RUNS, "-m", MEASURES)
    found = compared()
    for i, m in enumerate(found["measures"]):
        assert m["left_out_topics"] == ["205"] and "without relevant documents" in m["eval_differs"]
        for s in m["systems"]:
            run = next(r for r in document["runs"] if r["name"] == s["name"])
            assert s["eval_mean"] == pytest.approx(run["measures"][i]["mean"], abs=1e-15)


@pytest.mark.parametrize("ranks", ["pooled", "topics"])
def test_on_ranks(web, ranks):
    """The same tests on ranks, computed here: which pairs come out otherwise."""
    options = ["--alpha", "0.2", "--on-ranks", ranks]
    found = compared(*options)
    assert found["on_ranks"]["values"] == ranks
    for m, changes in zip(found["measures"], found["on_ranks"]["measures"]):
        x = web[m["measure"]]
        if ranks == "pooled":
            r = stats.rankdata(np.round(x, 12), method="dense").reshape(x.shape)
        else:
            r = stats.rankdata(np.round(x, 12), axis=0)
        names = found["systems"]
        pairs = list(combinations(range(len(names)), 2))
        p = multipletests([stats.ttest_rel(r[a], r[b]).pvalue for a, b in pairs], method="holm")[1]
        changed = {}
        for (a, b), after, pair in zip(pairs, p, m["pairs"]):
            before, now = pair["significant"], after <= 0.2
            same_order = (pair["difference"] > 0) == (r[a].mean() > r[b].mean())
            if before and now and not same_order:
                changed[names[a], names[b]] = "reversed"
            elif before != now:
                changed[names[a], names[b]] = "gained" if now else "lost"
            elif not before and not same_order:
                changed[names[a], names[b]] = "order-only"
        assert {(c["a"], c["b"]): c["change"] for c in changes["changed"]} == changed
        for c in changes["changed"]:
            a, b = names.index(c["a"]), names.index(c["b"])
            assert c["after"][0] == pytest.approx(r[a].mean() - r[b].mean(), abs=1e-9)
            assert c["after"][1] == pytest.approx(p[pairs.index((a, b))], abs=CLOSED)
        assert changes["tau_b"] == pytest.approx(stats.kendalltau(x.mean(1), r.mean(1)).statistic, abs=1e-12)


@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("margin", [0.01, 0.05, 0.2])
def test_gate(web, alpha, margin):
    """Bounds, verdicts and the number of topics, with scipy."""
    names = [Path(run).name for run in RUNS]
    for new, old in [(0, 1), (1, 2), (3, 2), (2, 3)]:
        call = ["gate", WEB / "qrels.txt", RUNS[new], "--baseline", RUNS[old], "--alpha", alpha, "--format", "json", "-q"]
        call += [x for m in MEASURES.split() for x in ("--max-drop", f"{m}={margin}", "--min", f"{m}=0.5")]
        done = subprocess.run([AXIO, *map(str, call)], capture_output=True, text=True, cwd=ROOT)
        document = json.loads(done.stdout)
        verdicts = []
        for check in document["runs"][0]["checks"]:
            x = web[check["measure"]]
            drop = "max_drop" in check["limit"]
            d = x[new] - x[old] if drop else x[new]
            limit = -margin if drop else 0.5
            reach = stats.t.isf(alpha, len(d) - 1) * stats.sem(d)
            low, high = d.mean() - reach, d.mean() + reach
            assert (check["bounds"]["lower"], check["bounds"]["upper"]) == pytest.approx((low, high), abs=CLOSED)
            verdict = "pass" if low > limit else "fail" if high < limit else "undecided"
            assert check["verdict"] == verdict, (names[new], names[old], check)
            verdicts.append(verdict)
            if verdict == "undecided":
                distance = margin if drop else abs(d.mean() - 0.5)
                needed = ((stats.norm.ppf(1 - alpha) + stats.norm.ppf(0.8)) * d.std(ddof=1) / distance) ** 2
                assert check["topics_needed"] == math.ceil(needed)
        worst = next(v for v in ("fail", "undecided", "pass") if v in verdicts)
        assert (document["verdict"], done.returncode) == (worst, 0 if worst == "pass" else 1)


def test_t_holm(web):
    found = compared()
    assert len(found["measures"]) == 3 and all(len(m["pairs"]) == 6 for m in found["measures"])
    for pair, a, b in pairs_of(found, web):
        expected = stats.ttest_rel(a, b)
        assert pair["p"] == pytest.approx(expected.pvalue, abs=CLOSED)
        assert pair["statistic"] == pytest.approx(expected.statistic, rel=CLOSED)
        assert pair["difference"] == pytest.approx((a - b).mean(), abs=1e-12)
        interval = expected.confidence_interval(0.95)
        assert (pair["interval"]["lower"], pair["interval"]["upper"]) == pytest.approx((interval.low, interval.high), abs=CLOSED)
        d = a - b
        assert pair["effect_size"]["cohen_d"] == pytest.approx(d.mean() / d.std(ddof=1), rel=CLOSED)
        signs = np.sign(np.round(d, 12))
        assert (pair["wins"], pair["ties"], pair["losses"]) == tuple(int((signs == s).sum()) for s in (1, 0, -1))
    for measure in found["measures"]:
        for system, x in zip(measure["systems"], web[measure["measure"]]):
            low, high = stats.t.interval(0.95, len(x) - 1, x.mean(), stats.sem(x))
            assert system["mean"] == pytest.approx(x.mean(), abs=1e-12)
            assert (system["interval"]["lower"], system["interval"]["upper"]) == pytest.approx((low, high), abs=CLOSED)
    check_correction(found, "holm")


def test_wilcoxon_bh(web):
    found = compared("--test", "wilcoxon", "--correction", "bh")
    for pair, a, b in pairs_of(found, web):
        kept = np.round(a - b, 12)
        kept = kept[kept != 0]
        exact = len(set(abs(kept))) == len(kept)
        p = stats.wilcoxon(kept, method="exact" if exact else "asymptotic", correction=False).pvalue
        assert pair["p"] == pytest.approx(p, abs=CLOSED)
        assert pair["method"].startswith("exact (" if exact else "normal approximation")
    check_correction(found, "fdr_bh")


def test_sign_bonferroni(web):
    found = compared("--test", "sign", "--correction", "bonferroni", "--alpha", "0.1")
    for pair, a, b in pairs_of(found, web):
        d = np.round(a - b, 12)
        wins, losses = int((d > 0).sum()), int((d < 0).sum())
        assert pair["p"] == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, abs=CLOSED)
    check_correction(found, "bonferroni")


def monte_carlo(p, trials):
    return 5 * math.sqrt(2 * p * (1 - p) / trials) + 2 / trials


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_resampling(web, test):
    trials = 20000
    found = compared("--test", test, "--resamples", trials, "--correction", "none")
    rng = np.random.default_rng(1)
    for pair, a, b in pairs_of(found, web):
        d = a - b
        if test == "randomisation":
            null = np.abs((rng.choice([-1, 1], (trials, len(d))) * d).mean(1))
            extreme = null >= abs(d.mean()) - 1e-12
        else:
            w = rng.choice(d - d.mean(), (trials, len(d)))
            extreme = np.abs(w.mean(1) / stats.sem(w, axis=1)) >= abs(d.mean() / stats.sem(d))
        p = extreme.mean()
        assert pair["p"] == pytest.approx(p, abs=monte_carlo(p, trials))
        assert pair["p"] == pair["p_corrected"]


def test_tukey(web):
    found = compared("--test", "tukey")
    for measure in found["measures"]:
        x = web[measure["measure"]]
        m, n = x.shape
        residual = x - x.mean(1, keepdims=True) - x.mean(0, keepdims=True) + x.mean()
        df = (m - 1) * (n - 1)
        error = math.sqrt((residual**2).sum() / df / n)
        assert measure["family"] == {"tests": 6, "pairs": 6, "measures": 1}
        for pair in measure["pairs"]:
            a, b = (found["systems"].index(pair[k]) for k in "ab")
            q = abs(x[a].mean() - x[b].mean()) / error
            assert pair["p"] == pytest.approx(stats.studentized_range.sf(q, m, df), abs=CLOSED)
            assert pair["p_corrected"] == pair["p"]
            width = pair["interval"]["upper"] - pair["interval"]["lower"]
            assert width == pytest.approx(2 * stats.studentized_range.isf(0.05, m, df) * error, rel=1e-6)


def test_randomised_tukey(web):
    trials = 10000
    found = compared("--test", "randomised-tukey")
    rng = np.random.default_rng(2)
    for measure in found["measures"]:
        x = web[measure["measure"]]
        spreads = np.array([np.ptp(rng.permuted(x, axis=0).mean(1)) for _ in range(trials)])
        for pair in measure["pairs"]:
            p = (spreads >= abs(pair["difference"]) - 1e-12).mean()
            assert pair["p"] == pytest.approx(p, abs=monte_carlo(p, trials))
            assert pair["significant"] == (pair["interval"]["lower"] > 0 or pair["interval"]["upper"] < 0)


def test_a_family_wise_test_refuses_a_correction():
    done = subprocess.run(
        [AXIO, "compare", WEB / "qrels.txt", *RUNS, "--test", "tukey", "--correction", "holm"], capture_output=True, text=True, cwd=ROOT
    )
    assert (done.returncode, done.stdout) == (2, "") and "correct it again" in done.stderr


def test_a_baseline(web):
    found = compared("--baseline", "bm25.run")
    assert found["baseline"] == "bm25.run"
    for measure in found["measures"]:
        assert [p["b"] for p in measure["pairs"]] == ["bm25.run"] * 3
    for pair, a, b in pairs_of(found, web):
        assert pair["p"] == pytest.approx(stats.ttest_rel(a, b).pvalue, abs=CLOSED)
    check_correction(found, "holm")


def test_seeds_and_threads_give_equal_bytes():
    call = ["compare", WEB / "qrels.txt", *RUNS, "--test", "bootstrap", "--resamples", "2000", "--format", "json", "-q"]
    assert axio(*call) == axio(*call, "--threads", "1")
    assert axio(*call) != axio(*call, "--seed", "2")


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv", "tsv", "json", "jsonl"])
def test_every_format(form):
    text = axio("compare", WEB / "qrels.txt", *RUNS, "--format", form, "-q")
    assert "bm25.run" in text.replace("\\", "")
    if form in ("table", "markdown", "latex"):
        alpha = r"$\alpha = 0.05$" if form == "latex" else "alpha 0.05"
        for said in ("holm", alpha, "over 6 tests", "paired t-test"):
            assert said in text, said


# axio meta


def ranks(x):
    return stats.rankdata(np.round(x, 12))


def strictness(scores, against):
    pooled, within = {}, {}
    size = next(iter(scores.values())).shape
    for m, x in scores.items():
        pooled[m] = ranks(x.ravel())
        within[m] = np.apply_along_axis(ranks, 0, x).ravel()
    def gaps(r, m, n):
        g = np.sort(np.concatenate([(r[m] - r[o]) / n for o in against if o != m]))[::-1]
        return -g[0], -g[:10].mean()
    return {m: (gaps(pooled, m, size[0] * size[1]), gaps(within, m, size[0])) for m in scores}


def robustness(x):
    topics = [ranks(t) for t in np.round(x, 12).T if np.ptp(t) > 0]
    rho = np.corrcoef(topics)[np.triu_indices(len(topics), 1)]
    return rho.mean(), x.shape[1] - len(topics)


def check_meta(found, scores):
    names = [m["measure"] for m in found["measures"]]
    expected = strictness(scores, found["against"])
    for m in found["measures"]:
        pooled, within = expected[m["measure"]]
        s = m["strictness"]
        assert (s["pooled"]["largest"], s["pooled"]["ten_largest"]) == pytest.approx(pooled, abs=1e-12)
        assert (s["within_topics"]["largest"], s["within_topics"]["ten_largest"]) == pytest.approx(within, abs=1e-12)
        mean, skipped = robustness(scores[m["measure"]])
        assert m["robustness"]["mean"] == pytest.approx(mean, abs=1e-12)
        assert m["robustness"]["skipped_topics"] == skipped
    tau = next(a for a in found["agreement"] if "tau-b" in a["coefficient"])["matrix"]
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            expected_tau = stats.kendalltau(np.round(scores[a].mean(1), 12), np.round(scores[b].mean(1), 12)).statistic
            assert tau[i][j] == pytest.approx(expected_tau, abs=1e-12)


def test_meta_on_the_examples(web):
    found = ask("meta", WEB / "qrels.txt", *RUNS, "-m", MEASURES)
    check_meta(found, web)


def test_swaps(web):
    """The same splits written with numpy."""
    found = ask("meta", WEB / "qrels.txt", *RUNS, "-m", MEASURES, "--splits", "1000")
    rng = np.random.default_rng(3)
    for m in found["measures"]:
        x = web[m["measure"]]
        half = x.shape[1] // 2
        swaps, taus = [], []
        for _ in range(1000):
            order = rng.permutation(x.shape[1])
            one, two = x[:, order[:half]].mean(1), x[:, order[half : 2 * half]].mean(1)
            swaps += [(one[a] - one[b]) * (two[a] - two[b]) < 0 for a, b in combinations(range(len(x)), 2)]
            taus.append(stats.kendalltau(one, two).statistic)
        assert m["halves"]["swap_rate"] == pytest.approx(np.mean(swaps), abs=0.03)
        assert m["halves"]["stability"] == pytest.approx(np.mean(taus), abs=0.06)


@needs_dl21
def test_meta_on_dl21():
    """An independent computation, and the first look that the specification gives to two places."""
    runs = sorted(str(p) for p in (DL21 / "runs").glob("*.gz"))
    found = ask("meta", DL21 / "qrels-pass.txt", *runs, "--resamples", "1000")
    first_look = {
        "AP": (-0.89, 0.42),
        "DCG": (-0.86, 0.45),
        "P@10": (-0.71, 0.23),
        "RR": (-0.57, 0.16),
        "RBP(p=0.8,rel=1)": (-0.69, 0.31),
        "RBP(p=0.95,rel=1)": (-0.80, 0.41),
    }
    assert len(found["systems"]) == 63 and found["topics"] == 53
    assert [m["measure"] for m in found["measures"]] == list(first_look)
    for m in found["measures"]:
        both = m["strictness"]["pooled"]["largest"], m["robustness"]["mean"]
        assert both == pytest.approx(first_look[m["measure"]], abs=0.005), m["measure"]
    scores, _ = topic_scores(DL21 / "qrels-pass.txt", runs, " ".join(first_look))
    check_meta(found, scores)


# axio plan


@pytest.mark.parametrize("p, residual", [(0.5, 0.125), (0.8, 0.01), (0.95, 0.001)])
def test_depth_keeps_its_promise(p, residual):
    """Rankings that agree down to the depth and differ at random below: no two scores are further apart than the residual."""
    plan = ask("plan", "depth", "--p", p, "--residual", residual)
    k = plan["depth"]
    assert p**k <= residual < p ** (k - 1)
    rng = np.random.default_rng(4)
    weights = (1 - p) * p ** np.arange(3000)
    top = rng.random(k)
    scores = [weights @ np.concatenate([top, rng.integers(0, 2, 3000 - k)]) for _ in range(500)]
    worst = weights @ np.concatenate([top, np.ones(3000 - k)]) - weights[:k] @ top
    assert np.ptp(scores) <= residual and worst <= residual + 1e-12


def test_depth_counts_the_pool():
    plan = ask("plan", "depth", "--residual", "0.1", *RUNS)
    k, pool = plan["depth"], set()
    for run in RUNS:
        ranking = {}
        for line in Path(run).read_text().splitlines():
            topic, _, doc, _, score, _ = line.split()
            ranking.setdefault(topic, []).append((float(score), doc))
        for topic, docs in ranking.items():
            pool |= {(topic, doc) for _, doc in sorted(docs, reverse=True)[:k]}
    assert plan["pool"] == len(pool)


@pytest.mark.parametrize("delta, sd, power", [(0.05, 0.1, 0.8), (0.02, 0.08, 0.9)])
def test_topics_keep_their_promise(delta, sd, power):
    """Experiments with the planned number of topics find the difference as often as promised."""
    n = ask("plan", "topics", "--delta", delta, "--sd", sd, "--power", power)["plans"][0]["topics"]
    rng = np.random.default_rng(5)
    trials = 40000
    d = rng.normal(delta, sd, (trials, n))
    found = (stats.ttest_1samp(d, 0, axis=1).pvalue <= 0.05).mean()
    error = 4 * math.sqrt(power * (1 - power) / trials)
    assert found >= power - error
    fewer = (stats.ttest_1samp(d[:, : int(n * 0.8)], 0, axis=1).pvalue <= 0.05).mean()
    assert fewer < power - error


def test_topics_from_runs(web):
    runs = RUNS[:2]
    plans = ask("plan", "topics", "--delta", "0.02", "-m", MEASURES, WEB / "qrels.txt", *runs)["plans"]
    for plan in plans:
        x = web[plan["measure"]][:2]
        assert plan["design"]["standard_deviation"] == pytest.approx((x[0] - x[1]).std(ddof=1), rel=1e-9)


@needs_dl21
def test_a_plan_from_pilot_topics_holds_on_the_others():
    """The variance of 20 real topics plans an experiment; differences resampled from the other 33, moved to the planned mean, keep its power."""
    runs = [DL21 / "runs" / name for name in ("p_bm25.gz", "p_unicoil0.gz")]
    scores, _ = topic_scores(DL21 / "qrels-pass.txt", runs, "nDCG@10")
    d = scores["nDCG@10"][0] - scores["nDCG@10"][1]
    rng = np.random.default_rng(6)
    powers = []
    for _ in range(40):
        order = rng.permutation(len(d))
        sd = d[order[:20]].std(ddof=1)
        n = ask("plan", "topics", "--delta", "0.1", "--sd", sd)["plans"][0]["topics"]
        rest = d[order[20:]]
        sample = rng.choice(rest - rest.mean() + 0.1, (2000, n))
        powers.append((stats.ttest_1samp(sample, 0, axis=1).pvalue <= 0.05).mean())
    # A pilot's variance is itself uncertain, so single plans miss; on average they promise what they keep.
    assert 0.7 < np.mean(powers) < 0.9


def test_judge_is_the_best_choice(tmp_path):
    """Half of the judgements are taken away; the plan's weights, its promise and its optimality are recomputed."""
    rng = random.Random(7)
    lines = [l for l in (WEB / "qrels.txt").read_text().splitlines() if rng.random() < 0.5]
    qrels = tmp_path / "half.txt"
    qrels.write_text("\n".join(lines) + "\n")
    pool, p, budget = tmp_path / "pool.txt", 0.8, 60
    plan = ask("plan", "judge", qrels, *RUNS, "--budget", budget, "-o", pool)
    known = judged(qrels)
    weights, rankings = {}, 0
    for run in RUNS:
        ranking = {}
        for line in Path(run).read_text().splitlines():
            topic, _, doc, _, score, _ = line.split()
            ranking.setdefault(topic, []).append((float(score), doc))
        for topic, docs in ranking.items():
            if topic not in known:
                continue
            rankings += 1
            for i, (_, doc) in enumerate(sorted(docs, reverse=True)):
                if doc not in known[topic]:
                    weights[topic, doc] = weights.get((topic, doc), 0) + (1 - p) * p**i
    assert plan["unjudged"] == len(weights)
    assert plan["open"] == pytest.approx(sum(weights.values()) / rankings, rel=1e-9)
    chosen = {(d["topic"], d["document"]): d["weight"] for d in plan["documents"]}
    assert len(chosen) == budget
    for key, weight in chosen.items():
        assert weight == pytest.approx(weights[key], rel=1e-9)
    left = sum(w for key, w in weights.items() if key not in chosen) / rankings
    assert plan["left_open"] == pytest.approx(left, rel=1e-9)
    assert sum(chosen.values()) == pytest.approx(sum(sorted(weights.values(), reverse=True)[:budget]), rel=1e-9)
    assert pool.read_text().splitlines() == sorted(f"{t} 0 {d}" for t, d in chosen)
    # The promise kept: judged all relevant or all not, the mean RBP moves by exactly what the plan settles, and the rest by what it leaves.
    top = max(g for grades in known.values() for g in grades.values())
    def mean_rbp(extra, name):
        path = tmp_path / name
        path.write_text(qrels.read_text() + "".join(f"{t} 0 {d} {top}\n" for t, d in extra))
        document = ask("eval", path, *RUNS, "-m", "RBP(p=0.8)", "--missing", "skip")
        counts = [sum(1 for t in known if t in {l.split()[0] for l in Path(run).read_text().splitlines()}) for run in RUNS]
        return sum(n * run["measures"][0]["mean"] for n, run in zip(counts, document["runs"])) / sum(counts)
    low, settled, high = mean_rbp([], "low"), mean_rbp(chosen, "settled"), mean_rbp(weights, "high")
    assert high - low == pytest.approx(plan["open"], rel=1e-9)
    assert high - settled == pytest.approx(plan["left_open"], rel=1e-9)


def ranked(run):
    """topic -> documents, best first; equal scores by descending name."""
    rows = {}
    for line in Path(run).read_text().splitlines():
        topic, _, doc, _, score, _ = line.split()
        rows.setdefault(topic, []).append((float(score), doc))
    return {topic: [doc for _, doc in sorted(docs, reverse=True)] for topic, docs in rows.items()}


@pytest.mark.parametrize("depth", [None, 10])
@pytest.mark.parametrize("prefix", [None, "-"])
def test_pool_bias_is_that_of_judgements_without_the_documents(tmp_path, depth, prefix):
    options = [] if depth is None else ["--pool-depth", depth]
    options += [] if prefix is None else ["--team-prefix", prefix]
    names = [Path(run).name for run in RUNS]
    found = ask("meta", WEB / "qrels.txt", *RUNS, "-m", "AP nDCG@10", "--resamples", 50, "--pool-bias", *options)["pool_bias"]["teams"]
    team_of = {name: name.split(prefix)[0] if prefix else name for name in names}
    assert sorted(t["team"] for t in found) == sorted(set(team_of.values()))
    grades = judged(WEB / "qrels.txt")
    tops = {name: {t: set(docs[:depth]) for t, docs in ranked(run).items()} for name, run in zip(names, RUNS)}
    usable = [t for t in grades if any(g > 0 for g in grades[t].values())]
    for team in found:
        def held(topic, own):
            return set().union(*(tops[n].get(topic, set()) for n in names if (team_of[n] == team["team"]) == own))
        unique = {(t, d) for t in grades for d in grades[t] if grades[t][d] >= 0 and d in held(t, True) - held(t, False)}
        assert team["unique"] == len(unique)
        assert team["relevant"] == sum(grades[t][d] > 0 for t, d in unique)
        reduced = tmp_path / "qrels"
        reduced.write_text("".join(f"{t} 0 {d} {g}\n" for t in grades for d, g in grades[t].items() if (t, d) not in unique))
        max_grade = max(g for docs in grades.values() for g in docs.values())
        scored = ask("eval", reduced, *RUNS, "-m", "AP nDCG@10", "--per-topic", "--max-grade", max_grade)["runs"]
        for i, measure in enumerate(team["measures"]):
            means = [sum(run["measures"][i]["topics"].get(t) or 0.0 for t in usable) / len(usable) for run in scored]
            for run in measure["runs"]:
                at = names.index(run["run"])
                assert run["without"] == pytest.approx(means[at], abs=1e-12)
                assert run["rank_without"] == 1 + sum(m > means[at] + 1e-12 for m in means)
