"""Compares the statistics of the library with scipy and statsmodels on random data.

The library answers through its example program `stats_probe`; AXIO_STATS_PROBE names a built one, otherwise cargo runs it.
"""

import json
import math
import os
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy import special, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

ROOT = Path(__file__).resolve().parents[2]
CLOSED = 1e-9


def ask_all(questions):
    command = shlex.split(os.environ.get("AXIO_STATS_PROBE", "cargo run -q -p axiometrics --example stats_probe"))
    lines = "\n".join(json.dumps(q) for q in questions)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, cwd=ROOT, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(questions)
    return answers


def ask(**question):
    return ask_all([question])[0]


def samples(seed, count=40, sizes=(2, 80)):
    """Pairs of score lists; every other one rounded, so that differences tie and vanish."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        n = int(rng.integers(*sizes))
        a = rng.beta(2, 3, n)
        b = np.clip(a + rng.normal(rng.normal(0, 0.05), 0.15, n), 0, 1)
        if i % 2:
            a, b = np.round(a, 1), np.round(b, 1)
        if np.ptp(a - b) > 1e-9:
            yield a, b


def monte_carlo(p, trials):
    """Five standard errors of a share of trials."""
    return 5 * math.sqrt(p * (1 - p) / trials) + 2 / trials


def answers_to(name, data, **more):
    questions = [{"test": name, "a": a.tolist(), "b": b.tolist(), **more} for a, b in data]
    return ask_all(questions)


def test_t():
    data = list(samples(1))
    for (a, b), found in zip(data, answers_to("t", data, confidence=0.9)):
        expected = stats.ttest_rel(a, b)
        assert found["result"]["statistic"] == pytest.approx(expected.statistic, rel=CLOSED)
        assert found["result"]["p"] == pytest.approx(expected.pvalue, abs=CLOSED, rel=CLOSED)
        interval = expected.confidence_interval(0.9)
        assert found["interval"]["lower"] == pytest.approx(interval.low, abs=CLOSED)
        assert found["interval"]["upper"] == pytest.approx(interval.high, abs=CLOSED)
        d = a - b
        cohen = d.mean() / d.std(ddof=1)
        assert found["effect"]["cohen_d"] == pytest.approx(cohen, rel=CLOSED)
        assert found["effect"]["hedges_g"] == pytest.approx(cohen * (1 - 3 / (4 * (len(d) - 1) - 1)), rel=CLOSED)


def test_t_with_strong_effects():
    rng = np.random.default_rng(2)
    data = [(rng.random(n) + shift, rng.random(n)) for n in (5, 50, 500) for shift in (1, 3, 10)]
    for (a, b), found in zip(data, answers_to("t", data)):
        assert found["result"]["p"] == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-9)


def exact_signed_ranks(ranks, statistic):
    """Twice P(W <= statistic) for the sum W of the ranks that fair coins select; whole ranks."""
    ways = np.zeros(int(sum(ranks)) + 1)
    ways[0] = 1
    for r in ranks.astype(int):
        ways[r:] += ways[:-r].copy()
    return min(1.0, 2 * ways[: int(statistic) + 1].sum() / 2 ** len(ranks))


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt"])
def test_wilcoxon(zero_method):
    """Exact up to 50 non-zero differences without ties, else normal; never below what the signs can give."""
    data = list(samples(3, 60)) + [(np.append(a, b[:9]), np.append(b, b[:9])) for a, b in samples(12, 30, (2, 60))]
    kinds = set()
    for (a, b), found in zip(data, answers_to("wilcoxon", data, zero_method=zero_method)):
        d = np.round(a - b, 12)
        kept = d[d != 0]
        exact = len(kept) <= 50 and len(set(abs(kept))) == len(kept)
        asymptotic = stats.wilcoxon(d, zero_method=zero_method, method="asymptotic", correction=False)
        if exact and zero_method == "wilcox":
            p = stats.wilcoxon(kept, method="exact").pvalue
        elif exact:
            p = exact_signed_ranks(stats.rankdata(abs(d))[d != 0], asymptotic.statistic)
        else:
            p = max(asymptotic.pvalue, 2.0 ** (1 - len(kept)))
        kinds.add((exact, len(kept) < len(d)))
        result = found["result"]
        assert result["statistic"] == pytest.approx(asymptotic.statistic, abs=CLOSED)
        assert result["p"] == pytest.approx(p, abs=CLOSED), (len(a), result["method"])
        assert result["method"].startswith("exact (" if exact else "normal approximation")
        assert f"exact up to 50 non-zero differences without ties; here {len(kept)}, " in result["method"]
        assert f"zero method {zero_method} ({len(d) - len(kept)} zeros)" in result["method"]
    assert len(kinds) == 4


def test_sign():
    data = list(samples(4))
    for (a, b), found in zip(data, answers_to("sign", data)):
        d = np.round(a - b, 12)
        wins, losses = int((d > 0).sum()), int((d < 0).sum())
        assert found["counts"] == {"wins": wins, "ties": len(d) - wins - losses, "losses": losses}
        assert found["result"]["p"] == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, abs=CLOSED)


def mean_difference(x, y, axis):
    return np.mean(x - y, axis=axis)


def test_randomisation_exact():
    data = list(samples(5, 20, (2, 16)))
    for (a, b), found in zip(data, answers_to("randomisation", data)):
        # Sums of tenths differ in the last bit, which scipy takes for a difference where the mean is zero; whole numbers do not.
        whole = [np.round(10 * x) if np.allclose(10 * x, np.round(10 * x)) else x for x in (a, b)]
        expected = stats.permutation_test(whole, mean_difference, permutation_type="samples", vectorized=True, n_resamples=np.inf)
        assert found["result"]["p"] == pytest.approx(expected.pvalue, abs=1e-12)


def test_randomisation_sampled():
    trials = 20000
    data = list(samples(6, 8, (31, 60)))
    for (a, b), found in zip(data, answers_to("randomisation", data, trials=trials, seed=3)):
        expected = stats.permutation_test(
            (a, b), mean_difference, permutation_type="samples", vectorized=True, n_resamples=trials, rng=1
        )
        p = expected.pvalue
        assert found["result"]["p"] == pytest.approx(p, abs=math.sqrt(2) * monte_carlo(p, trials))


def test_bootstrap():
    """The same test written with numpy: resampled t of the centred differences."""
    trials = 20000
    rng = np.random.default_rng(1)
    data = list(samples(7, 8, (10, 60)))
    for (a, b), found in zip(data, answers_to("bootstrap", data, trials=trials)):
        d = a - b
        t = d.mean() / stats.sem(d)
        w = rng.choice(d - d.mean(), (trials, len(d)))
        with np.errstate(divide="ignore", invalid="ignore"):
            null = np.abs(np.nan_to_num(w.mean(1) / stats.sem(w, axis=1), nan=0.0, posinf=np.inf))
        p = (1 + (null >= abs(t)).sum()) / (1 + trials)
        assert found["result"]["p"] == pytest.approx(p, abs=math.sqrt(2) * monte_carlo(p, trials))


@pytest.mark.parametrize("kind, method", [("percentile", "percentile"), ("bca", "BCa")])
def test_bootstrap_intervals(kind, method):
    rng = np.random.default_rng(8)
    for n in (8, 25, 60):
        x = rng.gamma(1.0, 0.2, n)
        expected = stats.bootstrap((x,), np.mean, confidence_level=0.9, n_resamples=100000, method=method, rng=1, batch=10000)
        found = ask(mean=kind, x=x.tolist(), confidence=0.9, trials=100000)
        interval = expected.confidence_interval
        # The standard error of a 5% quantile from 100,000 resamples is about 0.007 standard errors of the mean.
        tolerance = 0.05 * expected.standard_error
        assert found["lower"] == pytest.approx(interval.low, abs=tolerance)
        assert found["upper"] == pytest.approx(interval.high, abs=tolerance)


@pytest.mark.parametrize("n, ones", [(8, 2), (16, 3), (12, 4), (20, 5)])
def test_bca_with_ties(n, ones):
    """Means of ones and zeros tie with the observed mean; scipy counts half of them in z0.

    The means are multiples of 1/n, so that ends are equal, not just near, unless they lie at a step of the distribution.
    """
    x = np.repeat([1.0, 0.0], [ones, n - ones])
    steps = stats.binom.cdf(np.arange(n + 1), n, ones / n)
    z0 = stats.norm.ppf(steps[ones] - stats.binom.pmf(ones, n, ones / n) / 2)
    apart = x - x.mean()
    acceleration = (apart**3).sum() / (6 * (apart**2).sum() ** 1.5)
    compared = 0
    for confidence in (0.5, 0.8, 0.9):
        interval = stats.bootstrap(
            (x,), np.mean, confidence_level=confidence, n_resamples=100000, method="BCa", rng=1, batch=10000
        ).confidence_interval
        found = ask(mean="bca", x=x.tolist(), confidence=confidence, trials=100000)
        tail = (1 - confidence) / 2
        for p, end, theirs in [(tail, found["lower"], interval.low), (1 - tail, found["upper"], interval.high)]:
            z = z0 + stats.norm.ppf(p)
            moved = stats.norm.cdf(z0 + z / (1 - acceleration * z))
            if abs(steps - moved).min() < 0.01:
                continue
            assert end == pytest.approx(np.searchsorted(steps, moved) / n, abs=1e-9)
            assert end == pytest.approx(theirs, abs=1e-9)
            compared += 1
    assert compared >= 3


def score_matrix(seed, systems, topics):
    rng = np.random.default_rng(seed)
    return rng.random((systems, topics)) * 0.5 + rng.random(topics) * 0.3 + rng.normal(0, 0.08, (systems, 1))


@pytest.mark.parametrize("systems, topics", [(2, 10), (5, 30), (12, 50)])
def test_tukey_hsd(systems, topics):
    x = score_matrix(systems, systems, topics)
    found = ask(pairs="tukey_hsd", scores=x.tolist())
    residual = x - x.mean(1, keepdims=True) - x.mean(0, keepdims=True) + x.mean()
    df = (systems - 1) * (topics - 1)
    mse = (residual**2).sum() / df
    for pair in found["pairs"]:
        q = abs(x[pair["a"]].mean() - x[pair["b"]].mean()) / math.sqrt(mse / topics)
        assert pair["result"]["statistic"] == pytest.approx(q, rel=CLOSED)
        assert pair["result"]["p"] == pytest.approx(stats.studentized_range.sf(q, systems, df), abs=CLOSED)
    between = topics * ((x.mean(1) - x.mean()) ** 2).sum() / (systems - 1)
    assert found["anova"]["systems"]["p"] == pytest.approx(stats.f.sf(between / mse, systems - 1, df), rel=CLOSED)


def test_randomised_tukey():
    """The same permutations written with numpy."""
    trials = 10000
    x = score_matrix(9, 6, 25)
    rng = np.random.default_rng(1)
    spreads = np.array([np.ptp(rng.permuted(x, axis=0).mean(1)) for _ in range(trials)])
    for pair in ask(pairs="randomised_tukey", scores=x.tolist(), trials=trials)["pairs"]:
        p = (1 + (spreads >= abs(x[pair["a"]].mean() - x[pair["b"]].mean()) - 1e-12).sum()) / (1 + trials)
        assert pair["result"]["p"] == pytest.approx(p, abs=math.sqrt(2) * monte_carlo(p, trials))


def range_by_trapezoids(q, k, df, step_z=0.02, step_u=0.01):
    """P(Q >= q) of the studentized range; trapezoid sums over the real line converge faster than any power of the step."""
    z = np.arange(-12, 12, step_z)
    u = np.arange(-80 / df - 8 / math.sqrt(df), 3 * min(1, 5 / math.sqrt(df)), step_u * min(1, 8 / math.sqrt(df)))
    weight = np.exp(df * (u - 0.5 * np.expm1(2 * u)))
    weight /= weight.sum()
    below = special.ndtr(z)
    highest = k * stats.norm.pdf(z) * below ** (k - 1) * step_z
    total = 0.0
    with np.errstate(divide="ignore"):
        for s, w in zip(np.exp(u[weight > 1e-25]), weight[weight > 1e-25]):
            farther = np.minimum(special.ndtr(z - q * s) / below, 1)
            total += w * (highest * -np.expm1((k - 1) * np.log1p(-farther))).sum()
    return total


@pytest.mark.parametrize("k", [2, 5, 30, 100])
@pytest.mark.parametrize("df", [1, 3, 17, 500])
def test_studentized_range(k, df):
    q = [0.2, 1.0, 2.5, 4.0, 6.0, 12.0]
    found = ask(q=q, groups=k, df=df)
    assert found == pytest.approx(stats.studentized_range.sf(q, k, df), abs=1e-11)


@pytest.mark.parametrize("k, df", [(3, 8), (40, 9555), (63, 3224), (10, 250000)])
def test_studentized_range_without_scipy(k, df):
    q = [1.0, 4.0, 6.0]
    found = ask(q=q, groups=k, df=df)
    assert found == pytest.approx([range_by_trapezoids(x, k, df) for x in q], abs=1e-12)


def test_corrections():
    rng = np.random.default_rng(10)
    for n in (1, 2, 17, 300):
        p = rng.random(n) ** 3
        for name, method in [("bonferroni", "bonferroni"), ("holm", "holm"), ("bh", "fdr_bh")]:
            assert ask(correction=name, p=p.tolist()) == pytest.approx(multipletests(p, method=method)[1], abs=1e-12)


def test_correlations():
    data = list(samples(11))
    names = ("pearson", "spearman", "kendall_tau_b")
    found = ask_all([{"correlation": c, "x": x.tolist(), "y": y.tolist()} for x, y in data for c in names])
    expected = [e for x, y in data for e in (stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y))]
    for f, e in zip(found, expected):
        assert (f is None and math.isnan(e.statistic)) or f == pytest.approx(e.statistic, abs=CLOSED)


def expected_power(effect, topics, alpha):
    power = TTestPower().power(effect, topics, alpha)
    if math.isnan(power):
        # scipy's noncentral t has no value for the far tail, which is negligible here.
        power = stats.nct.sf(stats.t.isf(alpha / 2, topics - 1), topics - 1, effect * math.sqrt(topics))
    return power


def test_power():
    cases = [(e, n, alpha) for e in (0.05, 0.2, 0.5, 1.5) for n in (2, 5, 25, 200, 1000) for alpha in (0.01, 0.05)]
    found = ask_all([{"topics": n, "difference": 0.3 * e, "standard_deviation": 0.3, "alpha": alpha} for e, n, alpha in cases])
    for case, power in zip(cases, found):
        assert power == pytest.approx(expected_power(*case), abs=CLOSED), case


def test_topics_needed():
    cases = [(effect, power) for effect in (0.1, 0.3, 0.8) for power in (0.8, 0.95)]
    found = ask_all([{"power": power, "difference": e, "standard_deviation": 1.0, "alpha": 0.05} for e, power in cases])
    for (effect, power), topics in zip(cases, found):
        assert topics == math.ceil(TTestPower().solve_power(effect_size=effect, alpha=0.05, power=power))


def test_errors_are_answers():
    assert "error" in ask(test="t", a=[], b=[])
    assert "error" in ask(test="student", a=[1.0], b=[2.0])
