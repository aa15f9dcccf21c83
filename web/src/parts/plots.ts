// The plots of runs, by Observable Plot. They are a script of their own, which the room that draws
// them loads.

import * as Plot from "@observablehq/plot";

import { h, textScale } from "../dom";
import type { Compared } from "../types";

/** The two colours of data, which follow light and dark. */
const [BLUE, ORANGE] = ["var(--data-a)", "var(--data-b)"];

function described(plot: Element, text: string): HTMLElement {
  // Of a picture only its own words are read.
  for (const part of plot.querySelectorAll("g[aria-label]")) part.removeAttribute("aria-label");
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", text);
  return h("figure", { class: "plot" }, plot);
}

const STYLE = { background: "transparent", color: "inherit", fontSize: "0.75rem", overflow: "visible" };

/** The means of systems with their intervals. */
export function intervals(measure: Compared["measures"][number], width: number): HTMLElement {
  const rows = measure.systems.map((system) => ({
    name: system.name,
    mean: system.mean ?? NaN,
    lower: system.interval?.lower ?? system.mean ?? NaN,
    upper: system.interval?.upper ?? system.mean ?? NaN,
  }));
  const scale = textScale();
  const longest = Math.min(22, Math.max(...rows.map((row) => row.name.length)));
  const plot = Plot.plot({
    width,
    height: scale * (56 + 32 * rows.length),
    marginLeft: scale * (20 + 7 * longest),
    marginRight: scale * 24,
    marginBottom: scale * 36,
    style: STYLE,
    x: { label: `${measure.measure}, mean of ${measure.topics} topics and interval`, grid: true, nice: true },
    y: { label: null, domain: rows.map((row) => row.name), tickFormat: (t: string) => short(t) },
    marks: [
      Plot.ruleY(rows, { y: "name", x1: "lower", x2: "upper", stroke: BLUE, strokeWidth: 2 * scale }),
      Plot.dot(rows, { y: "name", x: "mean", fill: BLUE, r: 4.5 * scale }),
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
  const scale = textScale();
  const plot = Plot.plot({
    width,
    height: 240 * scale,
    marginLeft: 44 * scale,
    marginTop: 28 * scale,
    style: STYLE,
    x: { label: "topics, by difference", axis: null, domain: sorted.map((row) => row.topic) },
    y: { label: `${short(names[0])} minus ${short(names[1])}`, grid: true, nice: true },
    marks: [
      Plot.ruleY([0]),
      Plot.barY(sorted, {
        x: "topic",
        y: "difference",
        fill: (row: { difference: number }) => (row.difference >= 0 ? BLUE : ORANGE),
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

function short(text: string, length = 22): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
