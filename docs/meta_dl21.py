"""Writes docs/meta-dl21.md: do the findings of Amigo, Gonzalo and Verdejo (2013, Table 8) hold on the runs of TREC DL 2021?

    python3 docs/meta_dl21.py FOLDER [MEASURES] > docs/meta-dl21.md

FOLDER holds qrels-pass.txt and runs/. AXIO names the binary, otherwise the one that cargo built.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
AXIO = os.environ.get("AXIO", str(ROOT / "target" / "debug" / "axio"))
# The paper's eight: six standard measures, and R*S with its two sizes.
MEASURES = "AP DCG P@10 RR RBP(p=0.8,rel=1) RBP(p=0.95,rel=1) RS_F(n=30,w=0.8) RS_F(n=800,w=0.8)"
# The paper's Table 8, on 60 systems and 50 topics of GOV2: robustness, strictness.
PAPER = {
    "AP": ("MAP", 0.55, -0.89),
    "DCG": ("DCG", 0.60, -0.68),
    "P@10": ("P@10", 0.30, -0.76),
    "RR": ("MRR", 0.40, -0.63),
    "RBP(p=0.8,rel=1)": ("RBP(0.8)", 0.28, -0.92),
    "RBP(p=0.95,rel=1)": ("RBP(0.95)", 0.39, -0.65),
    "RS_F(n=30,w=0.8)": ("R*S(30)", 0.35, -0.58),
    "RS_F(n=800,w=0.8)": ("R*S(800)", 0.57, -0.73),
}


def axio(measures, folder, form):
    runs = sorted(str(p) for p in (folder / "runs").iterdir())
    command = [AXIO, "meta", str(folder / "qrels-pass.txt"), *runs, "-m", measures, "--quiet", "--format", form]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def tau(x, y):
    """Kendall's tau-a."""
    pairs = [(x[i] - x[j]) * (y[i] - y[j]) for i in range(len(x)) for j in range(i)]
    return sum((p > 0) - (p < 0) for p in pairs) / len(pairs)


def verdict(holds):
    return "**holds**" if holds else "**does not hold**"


def ordered(values, best):
    names = sorted(values, key=values.get, reverse=best)
    return ", ".join(f"{name} ({values[name]:.2f})" for name in names)


def findings(meta):
    known = [m for m in meta["measures"] if m["measure"] in PAPER]
    name = {m["measure"]: PAPER[m["measure"]][0] for m in known}
    take = lambda value: {name[m["measure"]]: value(m) for m in known}
    strict, ten = take(lambda m: m["strictness"]["pooled"]["largest"]), take(lambda m: m["strictness"]["pooled"]["ten_largest"])
    within = take(lambda m: m["strictness"]["within_topics"]["largest"])
    robust = take(lambda m: m["robustness"]["mean"])
    names = list(strict)
    by_paper = {p[0]: p for p in PAPER.values()}
    paper_strict = {n: by_paper[n][2] for n in names}
    paper_robust = {n: by_paper[n][1] for n in names}
    values = lambda d: [d[n] for n in names]
    best = lambda d: max(d, key=d.get)
    first = lambda d, n: set(sorted(d, key=d.get, reverse=True)[:n])
    order = lambda d: sorted(d, key=d.get)
    deep, shallow = [n for n in ("DCG", "MAP", "RBP(0.95)") if n in names], [n for n in ("P@10", "MRR", "RBP(0.8)") if n in names]
    many = 3 if "R*S(800)" in names else 2
    robust_first = first(robust, many) == first(paper_robust, many)
    yield (
        f"In short: what the paper says of robustness {verdict(robust_first)}; that {best(paper_strict)} is the strictest measure "
        f"{verdict(best(strict) == best(paper_strict))}. One by one:"
    )
    yield (
        f"The strictest measure is {best(paper_strict)}. All outputs ranked together: here it is {best(strict)}, so this {verdict(best(strict) == best(paper_strict))}. "
        f"From the strictest: {ordered(strict, True)}. Ranked within each topic: it is {best(within)}, so this {verdict(best(within) == best(paper_strict))}. "
        f"From the strictest: {ordered(within, True)}."
    )
    if "R*S(30)" in names:
        yield (
            f"R*S(30) is stricter than R*S(800), which pays with strictness for its robustness: "
            f"{verdict(strict['R*S(30)'] > strict['R*S(800)'] and robust['R*S(30)'] < robust['R*S(800)'])} "
            f"(here {strict['R*S(30)']:.2f} and {strict['R*S(800)']:.2f}; robustness {robust['R*S(30)']:.2f} and {robust['R*S(800)']:.2f})."
        )
    yield (
        f"The most robust measures are {', '.join(sorted(first(paper_robust, many)))}. Here they are {', '.join(sorted(first(robust, many)))}: "
        f"this {verdict(robust_first)}. From the most robust: {ordered(robust, True)}."
    )
    yield (
        "Measures focused on the top of the ranking are less robust than those that look deeper "
        f"({', '.join(shallow)} against {', '.join(deep)}): this {verdict(max(robust[n] for n in shallow) < min(robust[n] for n in deep))} here, and "
        f"{verdict(max(paper_robust[n] for n in shallow) < min(paper_robust[n] for n in deep))} in the paper's own table, where MRR (0.40) is above RBP(0.95) (0.39)."
    )
    trade, paper_trade = tau(values(strict), values(robust)), tau(values(paper_strict), values(paper_robust))
    yield (
        "There is a trade-off between strictness and robustness: Kendall's tau-a between the two over the measures would be negative. It is "
        f"{trade:.2f} here with all outputs ranked together, so this {verdict(trade < 0)}; within topics {tau(values(within), values(robust)):.2f}; "
        f"and {paper_trade:.2f} in the paper's own table, which does not bear the sentence out."
    )
    yield f"\"Results were the same\" by the mean of the ten largest gaps: the order of the measures is the same, this {verdict(order(ten) == order(strict))}. From the strictest: {ordered(ten, True)}."
    yield (
        f"The orders as a whole: tau-a between the paper's column and ours is {tau(values(paper_strict), values(strict)):.2f} for strictness "
        f"(within topics {tau(values(paper_strict), values(within)):.2f}) and {tau(values(paper_robust), values(robust)):.2f} for robustness."
    )


def comparison(meta):
    rows = [
        "| measure | robustness: paper | here | strictness: paper | together | ten largest | within topics |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for m in meta["measures"]:
        if m["measure"] in PAPER:
            name, robust, strict = PAPER[m["measure"]]
            pooled, within = m["strictness"]["pooled"], m["strictness"]["within_topics"]
            here = f"{pooled['largest']:.2f} | {pooled['ten_largest']:.2f} | {within['largest']:.2f}"
            rows.append(f"| {name.replace('*', chr(92) + '*')} | {robust:.2f} | {m['robustness']['mean']:.2f} | {strict:.2f} | {here} |")
    return "\n".join(rows)


def main():
    folder, measures = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else MEASURES
    meta = json.loads(axio(measures, folder, "json"))
    print(
        f"""# Measures measured: TREC DL 2021

Amigo, Gonzalo and Verdejo (2013, section 4) measure measures by strictness and robustness on 60 systems and 50 topics of the GOV2
collection. This page repeats their Table 8 on {len(meta["systems"])} systems and {meta["topics"]} topics of the TREC Deep Learning track 2021
(passages), with their eight measures. One command writes it, and nothing in it is edited by hand; FOLDER holds `qrels-pass.txt` and `runs/`:

```text
python3 docs/meta_dl21.py FOLDER > docs/meta-dl21.md
```

## Do the findings hold?
"""
    )
    for at, finding in enumerate(findings(meta)):
        print(("- " if at else "") + finding.replace("*S(", "\\*S(") + ("" if at else "\n"))
    print(
        f"""
{comparison(meta)}

What to keep in mind:

- O, the set of outputs whose ranks strictness compares, has two readings: the outputs of all systems for all topics ranked together, which
  gives numbers of the paper's kind and is the default; or ranked within each topic. Both are above.
- m', the measure by which an output ranks low, is one of the six standard measures ({", ".join(meta["against"])}), never R\\*S, as in the paper.
- The paper's text and table contradict each other: in the text the strictest measures are R\\*S(30) (-0.58), MRR (-0.63), MAP (-0.74) and P@10 (-0.75); in
  the table MAP has -0.89 and P@10 -0.76, and RBP(0.95) (-0.65), DCG (-0.68) and R\\*S(800) (-0.73) come before them. (So with the filtering
  measures of its Table 7: Lam% has -0.89 in the text and -0.96 in the table.) The table is used here.
- The paper leaves out systems that return fewer than 1000 documents. These runs have 100 documents per topic, so none is left out, and
  measures that look deep see less than in the paper.
- DL 2021 has four grades. MAP, P@10, MRR and RBP count grade 1 and above as relevant, DCG uses the grades, and R\\*S asks whether one document has a
  higher grade than another. R\\*S is F of reliability and sensitivity per topic.

## All numbers
"""
    )
    print(axio(measures, folder, "markdown"), end="")


main()
