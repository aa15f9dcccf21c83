// The table of a study: means with intervals and ranges, and what a comparison says of them.

import { h, number, signed } from "../dom";
import { button } from "./frame";
import type { Results } from "../types";

export function resultsTable(results: Results, shown: string, base: number, choose: (measure: string) => void): HTMLElement {
  const { evaluation, comparison } = results;
  const measures = evaluation.runs[0]?.measures.map(({ measure }) => measure) ?? [];
  const best = measures.map((_, i) => Math.max(...evaluation.runs.map((run) => run.measures[i]?.mean ?? -Infinity)));
  const compared = comparison?.measures.find((one) => one.measure === shown);
  const all = Object.keys(evaluation.runs[0]?.measures.find(({ measure }) => measure === shown)?.topics ?? {}).length;
  const left = compared ? all - compared.topics : 0;
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
        const system = comparison?.measures[i]?.systems.find(({ name }) => name === run.name);
        const interval = system?.interval;
        const range = m.range;
        return h(
          "td",
          { class: m.measure === shown ? "shown" : "" },
          h("span", { class: m.mean === best[i] ? "number best" : "number", "data-run": run.name, "data-measure": m.measure, "data-score": m.mean ?? "" }, number(m.mean)),
          system?.letters ? h("sup", { title: "Runs that share a letter are not told apart" }, system.letters) : null,
          h(
            "span",
            { class: "small quiet" },
            interval ? h("span", { title: `Half the width of the interval (${interval.method})` }, `±${number((interval.upper - interval.lower) / 2, 3)}`) : null,
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
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Means of the runs" }, h("table", { class: "numbers results-table" }, h("caption", { class: "unseen" }, "Means of the runs, with half the width of their intervals and the ranges that unjudged documents leave"), h("thead", {}, head), h("tbody", {}, ...rows))),
    pairs && pairs.length > 0
      ? h(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": "Differences" },
          h(
            "table",
            { class: "numbers pairs-table" },
            h("caption", {}, h("span", { class: "within-screen" }, `${shown} against ${comparison?.baseline ?? ""}, on ${compared?.topics ?? 0} topics`, left > 0 ? `; ${left} on which a score is undefined ${left === 1 ? "is" : "are"} left out of intervals and tests, and ${left === 1 ? "counts" : "count"} 0 in the means above` : "")),
            h("thead", {}, h("tr", {}, ...["run", "difference", "interval", "p", "won / tied / lost", "unjudged"].map((title) => h("th", { scope: "col" }, title)))),
            h("tbody", {}, ...pairs),
          ),
        )
      : null,
  );
}
