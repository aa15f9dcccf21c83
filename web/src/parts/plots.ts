// The plots of the page, all in one style.

import * as Plot from "@observablehq/plot";

import { h } from "../dom";
import type { Compared, ExplainedDocument } from "../types";

/** Okabe and Ito's colours, which all eyes tell apart. */
export const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];

function described(plot: Element, text: string): HTMLElement {
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", text);
  return h("figure", { class: "plot" }, plot);
}

const STYLE = { background: "transparent", color: "inherit", fontSize: "11px" };

/** C, W and L of a user over the ranks. */
export function curves(documents: ExplainedDocument[], width: number): HTMLElement {
  const kinds = [
    ["C", "continuation", "reads on"],
    ["W", "weight", "attention"],
    ["L", "last", "stops"],
  ] as const;
  const rows = kinds.flatMap(([letter, key, word]) =>
    documents
      .filter((document) => document.user && document.rank !== null)
      .map((document) => ({
        curve: `${letter}(i): ${word}`,
        rank: document.rank as number,
        value: document.user?.[key] ?? 0,
      })),
  );
  const ranks = Math.max(1, ...rows.map((row) => row.rank));
  const plot = Plot.plot({
    width,
    height: 132,
    marginLeft: 30,
    marginBottom: 26,
    marginTop: 22,
    style: STYLE,
    fx: { label: null, domain: kinds.map(([letter, , word]) => `${letter}(i): ${word}`) },
    x: { label: "rank", ticks: Math.min(5, ranks), tickFormat: "d", domain: [1, Math.max(2, ranks)] },
    y: { label: null, domain: [0, 1], ticks: 3, grid: true },
    marks: [
      Plot.ruleY([0], { strokeOpacity: 0.4 }),
      Plot.line(rows, { x: "rank", y: "value", fx: "curve", stroke: COLOURS[0], strokeWidth: 2 }),
      Plot.dot(rows, { x: "rank", y: "value", fx: "curve", fill: COLOURS[0], r: ranks > 25 ? 1 : 2.5 }),
    ],
  });
  return described(plot, "Three small curves over ranks: how likely the user reads on, the attention each rank gets, and how likely the user stops there. The table below has the numbers.");
}

/** The means of systems with their intervals. */
export function intervals(measure: Compared["measures"][number], width: number): HTMLElement {
  const rows = measure.systems.map((system) => ({
    name: system.name,
    mean: system.mean ?? NaN,
    lower: system.interval?.lower ?? system.mean ?? NaN,
    upper: system.interval?.upper ?? system.mean ?? NaN,
  }));
  const plot = Plot.plot({
    width,
    height: 44 + 26 * rows.length,
    marginLeft: Math.min(160, 24 + 7 * Math.max(...rows.map((row) => row.name.length))),
    style: STYLE,
    x: { label: `${measure.measure}, mean and interval`, grid: true, nice: true },
    y: { label: null, domain: rows.map((row) => row.name), tickFormat: (t: string) => short(t) },
    marks: [
      Plot.ruleY(rows, { y: "name", x1: "lower", x2: "upper", stroke: COLOURS[0], strokeWidth: 2 }),
      Plot.dot(rows, { y: "name", x: "mean", fill: COLOURS[0], r: 4 }),
    ],
  });
  return described(plot, `Means of ${measure.measure} with their intervals, as in the table`);
}

/** The difference of two systems on each topic, sorted. */
export function differences(
  rows: { topic: string; difference: number }[],
  names: [string, string],
  chosen: string,
  choose: (topic: string) => void,
  width: number,
): HTMLElement {
  const sorted = [...rows].sort((x, y) => y.difference - x.difference);
  const plot = Plot.plot({
    width,
    height: 190,
    marginLeft: 40,
    style: STYLE,
    x: { label: "topics, by difference", axis: null, domain: sorted.map((row) => row.topic) },
    y: { label: `${short(names[0])} minus ${short(names[1])}`, grid: true, nice: true },
    marks: [
      Plot.ruleY([0]),
      Plot.barY(sorted, {
        x: "topic",
        y: "difference",
        fill: (row: { difference: number }) => (row.difference >= 0 ? COLOURS[0] : COLOURS[1]),
        fillOpacity: (row: { topic: string }) => (!chosen || row.topic === chosen ? 1 : 0.45),
        title: (row: { topic: string; difference: number }) =>
          `topic ${row.topic}: ${row.difference.toFixed(4)}`,
      }),
    ],
  });
  const bars = [...plot.querySelectorAll('[aria-label="bar"] rect')];
  bars.forEach((bar, i) => {
    const row = sorted[i];
    if (row) bar.addEventListener("click", () => choose(row.topic));
  });
  return described(plot, `${names[0]} minus ${names[1]} on each topic, sorted; the list of topics has the numbers`);
}

export function short(text: string, length = 22): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
