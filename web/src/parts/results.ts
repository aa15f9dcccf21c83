// The table of a study: means with intervals and ranges, and what a comparison says of them.

import { h, number, signed } from "../dom";
import { button } from "./frame";
import type { EvaluatedMeasure, Means, Results } from "../types";

export function resultsTable(results: Results, shown: string, base: number, choose: (measure: string) => void): HTMLElement {
  const { evaluation, comparison } = results;
  const measures = evaluation.runs[0]?.measures.map(({ measure }) => measure) ?? [];
  // A mean and its interval are of the same topics; a summary that is no mean has no interval.
  const averaged = (m: EvaluatedMeasure): Means | undefined => (m.summary === "mean" ? results.means.find(({ measure }) => measure === m.measure) : undefined);
  const mean = (run: string, m: EvaluatedMeasure | undefined): number | null => (m ? (averaged(m)?.systems.find(({ name }) => name === run)?.mean ?? m.mean) : null);
  const best = measures.map((_, i) => Math.max(...evaluation.runs.map((run) => mean(run.name, run.measures[i]) ?? -Infinity)));
  const compared = comparison?.measures.find((one) => one.measure === shown);
  const left = results.means.find(({ measure }) => measure === shown)?.left_out_topics.length ?? 0;
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "run"),
    ...measures.map((measure) =>
      h("th", { scope: "col" }, button(measure, `Show ${measure} in the plots and the list of topics`, () => choose(measure), { class: "link", "aria-pressed": String(measure === shown), id: `measure-${measure}` })),
    ),
  );
  const rows = evaluation.runs.map((run, r) =>
    h(
      "tr",
      { class: r === base ? "baseline" : "" },
      h("th", { scope: "row" }, run.name, r === base && comparison ? h("span", { class: "quiet" }, " baseline") : null),
      ...run.measures.map((m, i) => {
        const letters = comparison?.measures.find(({ measure }) => measure === m.measure)?.systems.find(({ name }) => name === run.name)?.letters;
        const means = averaged(m);
        const system = means?.systems.find(({ name }) => name === run.name);
        const { lower, upper } = system?.interval ?? { lower: null, upper: null };
        const range = system ? system.range : m.range;
        const value = mean(run.name, m);
        const evaluated = { "data-run": run.name, "data-measure": m.measure, "data-score": m.mean ?? "" };
        return h(
          "td",
          { class: m.measure === shown ? "shown" : "" },
          h("span", { class: value === best[i] ? "number best" : "number", ...(means?.eval_differs ? {} : evaluated) }, number(value)),
          letters ? h("sup", { title: "Runs that share a letter do not differ significantly" }, letters) : null,
          h(
            "span",
            { class: "small quiet" },
            lower !== null && upper !== null ? h("span", { title: `The confidence interval of the mean (${system?.interval.method ?? ""})` }, `${number(lower, 3)} to ${number(upper, 3)}`) : null,
            means?.eval_differs ? h("span", { title: `The mean of an evaluation differs: ${means.eval_differs}`, ...evaluated }, ` eval ${number(m.mean)}`) : null,
            range ? h("span", { title: `What unjudged documents leave open (${range.kind})` }, ` ${number(range.low, 2)}–${number(range.high, 2)}`) : null,
          ),
        );
      }),
    ),
  );
  const pairs = compared?.pairs.map((pair) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, pair.a),
      h("td", {}, pair.difference === null ? "–" : signed(pair.difference)),
      h("td", {}, pair.interval ? `${number(pair.interval.lower, 3)} to ${number(pair.interval.upper, 3)}` : "–"),
      h("td", {}, pair.p_corrected === null ? "–" : number(pair.p_corrected), pair.significant ? h("strong", { title: "significant" }, " *") : ""),
      h("td", {}, `${pair.wins} / ${pair.ties} / ${pair.losses}`),
      h("td", { class: "joint", title: pair.joint?.sentence }, pair.joint?.verdict.replaceAll("-", " ") ?? "–"),
    ),
  );
  return h(
    "div",
    {},
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Means of the runs" }, h("table", { class: "numbers results-table" }, h("caption", { class: "unseen" }, "Means of the runs, with their intervals and the ranges that unjudged documents leave"), h("thead", {}, head), h("tbody", {}, ...rows))),
    pairs && pairs.length > 0
      ? h(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": "Differences" },
          h(
            "table",
            { class: "numbers pairs-table" },
            h("caption", {}, h("span", { class: "within-screen" }, `${shown} against ${comparison?.baseline ?? ""}, on ${compared?.topics ?? 0} topics`, left > 0 ? `; ${left} without relevant documents or with an undefined score ${left === 1 ? "is" : "are"} left out of means, intervals and tests` : "")),
            h("thead", {}, h("tr", {}, ...["run", "difference", "interval", "p", "won / tied / lost", "unjudged"].map((title) => h("th", { scope: "col" }, title)))),
            h("tbody", {}, ...pairs),
          ),
        )
      : null,
  );
}
