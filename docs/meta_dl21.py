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
STANDARD = "AP DCG P@10 RR RBP(p=0.8,rel=1) RBP(p=0.95,rel=1)"
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
    strict = {name[m["measure"]]: m["strictness"]["pooled"]["largest"] for m in known}
    ten = {name[m["measure"]]: m["strictness"]["pooled"]["ten_largest"] for m in known}
    robust = {name[m["measure"]]: m["robustness"]["mean"] for m in known}
    names = list(strict)
    by_paper = {p[0]: p for p in PAPER.values()}
    paper_strict = {n: by_paper[n][2] for n in names}
    paper_robust = {n: by_paper[n][1] for n in names}
    values = lambda d: [d[n] for n in names]
    strictest, paper_strictest = max(strict, key=strict.get), max(paper_strict, key=paper_strict.get)
    first = lambda d, n: set(sorted(d, key=d.get, reverse=True)[:n])
    trade, paper_trade = tau(values(strict), values(robust)), tau(values(paper_strict), values(paper_robust))
    three = 3 if "R*S(800)" in names else 2
    deep, shallow = [n for n in ("DCG", "MAP", "RBP(0.95)") if n in names], [n for n in ("P@10", "MRR", "RBP(0.8)") if n in names]
    order = lambda d: sorted(d, key=d.get)
    yield f"Strictest of these measures. Paper: {paper_strictest}. Here: {strictest}. {verdict(strictest == paper_strictest)}. Here, from the strictest: {ordered(strict, True)}."
    yield (
        f"Most robust. Paper: {', '.join(sorted(first(paper_robust, three)))}. Here: {', '.join(sorted(first(robust, three)))}. "
        f"{verdict(first(robust, three) == first(paper_robust, three))}. Here, from the most robust: {ordered(robust, True)}."
    )
    yield (
        "Measures that look at the top of the ranking only are less robust than those that look deeper "
        f"({', '.join(shallow)} against {', '.join(deep)}): {verdict(max(robust[n] for n in shallow) < min(robust[n] for n in deep))}."
    )
    yield (
        "Strictness is paid for with robustness: Kendall's tau-a between the two over the measures is "
        f"{paper_trade:.2f} in the paper's table and {trade:.2f} here (negative: a trade-off). {verdict(trade < 0)}."
    )
    yield f"The mean of the ten largest gaps orders the measures as the largest does: {verdict(order(ten) == order(strict))}."
    yield (
        f"The orders as a whole: tau-a between the paper's column and ours is {tau(values(paper_strict), values(strict)):.2f} for strictness "
        f"and {tau(values(paper_robust), values(robust)):.2f} for robustness."
    )


def comparison(meta):
    rows = ["| measure | paper: robustness | here | paper: strictness | here |", "|---|--:|--:|--:|--:|"]
    for m in meta["measures"]:
        if m["measure"] in PAPER:
            name, robust, strict = PAPER[m["measure"]]
            here = m["robustness"]["mean"], m["strictness"]["pooled"]["largest"]
            rows.append(f"| {name} | {robust:.2f} | {here[0]:.2f} | {strict:.2f} | {here[1]:.2f} |")
    return "\n".join(rows)


def main():
    folder, measures = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else STANDARD
    meta = json.loads(axio(measures, folder, "json"))
    with_rs = "R\\*S is F of reliability and sensitivity per topic; strictness is against the six standard measures, never against R\\*S."
    without_rs = "R\\*S(30) and R\\*S(800) of the paper's table are not among the measures of this page."
    about_rs = with_rs if "RS_F" in measures else without_rs
    print(
        f"""# Measures measured: TREC DL 2021

Amigo, Gonzalo and Verdejo (2013, section 4) measure measures by strictness and robustness on 60 systems and 50 topics of the GOV2
collection. This page repeats their Table 8 on {len(meta["systems"])} systems and {meta["topics"]} topics of the TREC Deep Learning track 2021
(passages). It is written by one command; nothing in it is edited by hand:

```text
python3 docs/meta_dl21.py FOLDER '{measures}' > docs/meta-dl21.md
```

## Do the findings hold?
"""
    )
    for finding in findings(meta):
        print(f"- {finding}")
    print(
        f"""
{comparison(meta)}

What to keep in mind:

- The paper's text and table contradict each other: MAP's strictness is -0.74 in the text and -0.89 in the table, P@10's -0.75 and -0.76. The table
  is used here.
- The paper leaves out systems that return fewer than 1000 documents. These runs have 100 documents per topic, so none is left out, and
  measures that look deep see less than in the paper.
- Strictness ranks the outputs of all systems for all topics together, the reading that gives numbers of the paper's kind. Ranked within each
  topic (the column "in topics") the largest gaps say something else.
- DL 2021 has four grades. MAP, P@10, MRR and RBP count grade 1 and above as relevant; DCG uses the grades.
- {about_rs}

## All numbers
"""
    )
    print(axio(measures, folder, "markdown"), end="")


main()
