"""What a comparison found."""

from __future__ import annotations

import json
import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any

LETTERS = "abcdefghijklmnopqrstuvwxyz"
RAISED = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ۹ʳˢᵗᵘᵛʷˣʸᶻ"

LABELS = {
    "hits": "Hits",
    "hit_rate": "Hit Rate",
    "precision": "P",
    "recall": "Recall",
    "f1": "F1",
    "r_precision": "R-Prec",
    "r-precision": "R-Prec",
    "mrr": "MRR",
    "map": "MAP",
    "dcg": "DCG",
    "dcg_burges": "DCG Burges",
    "ndcg": "NDCG",
    "ndcg_burges": "NDCG Burges",
    "bpref": "BPref",
}

TEST_LABELS = {
    "student": "a paired t test",
    "fisher": "a randomization test",
    "tukey": "Tukey's test of honest differences",
}


class Report:
    """Means, p-values, and wins, ties and losses of runs."""

    def __init__(
        self,
        model_names: list[str],
        metrics: list[str],
        scores: dict[str, dict[str, list[float]]],
        p_values: dict[frozenset[str], dict[str, float]],
        max_p: float,
        rounding_digits: int,
        show_percentages: bool,
        stat_test: str,
    ) -> None:
        self.model_names = model_names
        self.metrics = metrics
        self.max_p = max_p
        self.rounding_digits = rounding_digits
        self.show_percentages = show_percentages
        self.stat_test = stat_test
        self.results = {
            model: {metric: math.fsum(x) / len(x) for metric, x in scores[model].items()}
            for model in model_names
        }
        self.comparisons = {
            pair: {m: {"p_value": p, "significant": p <= max_p} for m, p in values.items()}
            for pair, values in p_values.items()
        }
        self.win_tie_loss = {
            (a, b): {m: _counts(scores[a][m], scores[b][m]) for m in metrics}
            for a in model_names
            for b in model_names
            if a != b
        }

    def _beaten(self, model: str, metric: str) -> list[int]:
        """The numbers of the models that this one beats significantly."""
        return [
            at
            for at, other in enumerate(self.model_names)
            if other != model
            and self.comparisons[frozenset((model, other))][metric]["significant"]
            and self.results[model][metric] > self.results[other][metric]
        ]

    def _score(self, score: float) -> str:
        if self.show_percentages:
            return f"{score * 100:.{max(0, self.rounding_digits - 2)}f}"
        return f"{score:.{self.rounding_digits}f}"

    def _label(self, metric: str) -> str:
        name, dash, level = metric.partition("-l")
        name, at, cutoff = name.partition("@")
        label = LABELS.get(name, name.upper())
        return f"{label}{at}{cutoff}{dash}{level}"

    def to_table(self) -> str:
        """The table as text; letters mark the runs that are beaten significantly."""
        rows = [["#", "Model", *(self._label(metric) for metric in self.metrics)]]
        for at, model in enumerate(self.model_names):
            cells = [
                self._score(self.results[model][metric])
                + "".join(RAISED[other % 26] for other in self._beaten(model, metric))
                for metric in self.metrics
            ]
            rows.append([LETTERS[at % 26], model, *cells])
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in rows]
        return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])

    def to_dataframe(self) -> Any:
        """The means as a data frame of pandas."""
        import pandas  # type: ignore[import-untyped, unused-ignore]

        rows = [[name, *self.results[name].values()] for name in self.model_names]
        return pandas.DataFrame(rows, columns=["Model", *self.metrics])

    def to_latex(self) -> str:
        """A table for a paper (booktabs): the best means bold, letters for beaten runs."""
        best = {
            metric: max(round(self.results[model][metric], self.rounding_digits) for model in self.model_names)
            for metric in self.metrics
        }
        lines = [
            "\\begin{table*}[ht]",
            "\\centering",
            "\\caption{Means; the best of each column in bold. Letters name the runs that a run exceeds"
            f" by {TEST_LABELS[self.stat_test]}, $p \\le {self.max_p}$.}}",
            "\\begin{tabular}{cl" + "c" * len(self.metrics) + "}",
            "\\toprule",
            " & ".join(["\\#", "Model", *(_escaped(self._label(m)) for m in self.metrics)]) + " \\\\",
            "\\midrule",
        ]
        for at, model in enumerate(self.model_names):
            cells = [LETTERS[at % 26], _escaped(model)]
            for metric in self.metrics:
                value = self.results[model][metric]
                text = self._score(value)
                if round(value, self.rounding_digits) == best[metric]:
                    text = f"\\textbf{{{text}}}"
                marks = "".join(LETTERS[other % 26] for other in self._beaten(model, metric))
                cells.append(f"{text}$^{{{marks}}}$" if marks else text)
            lines.append(" & ".join(cells) + " \\\\")
        lines += ["\\bottomrule", "\\end{tabular}", "\\label{tab:results}", "\\end{table*}"]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Everything, by run."""
        found: dict[str, Any] = {
            "stat_test": self.stat_test,
            "metrics": self.metrics,
            "model_names": self.model_names,
        }
        for model in self.model_names:
            others = [other for other in self.model_names if other != model]
            found[model] = {
                "scores": self.results[model],
                "comparisons": {
                    other: {
                        metric: self.comparisons[frozenset((model, other))][metric]["p_value"]
                        for metric in self.metrics
                    }
                    for other in others
                },
                "win_tie_loss": {other: self.win_tie_loss[model, other] for other in others},
            }
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes everything to a file, as JSON."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.to_dict(), file, indent=4)

    def print_results(self) -> None:
        """Prints the means, as JSON."""
        print(json.dumps(self.results, indent=4))

    def __str__(self) -> str:
        return self.to_table()

    __repr__ = __str__


def _counts(a: list[float], b: list[float]) -> dict[str, int]:
    """How often the first is better, equal and worse."""
    return {
        "W": sum(x > y for x, y in zip(a, b)),
        "T": sum(x == y for x, y in zip(a, b)),
        "L": sum(x < y for x, y in zip(a, b)),
    }


def _escaped(text: str) -> str:
    for special in "#$%&_{}":
        text = text.replace(special, "\\" + special)
    return text
