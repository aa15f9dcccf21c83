// C, W and L of a user over the ranks: three small curves.

import { h, svg, textScale } from "../dom";
import type { ExplainedDocument } from "../types";

const KINDS = [
  ["C(i): reads on", "continuation"],
  ["W(i): attention", "weight"],
  ["L(i): stops", "last"],
] as const;

const HEIGHT = 116;
const MARGIN = { top: 20, bottom: 22, left: 24, right: 10 };

export function curves(documents: ExplainedDocument[], room: number): HTMLElement {
  const scale = textScale();
  const width = room / scale;
  const points = documents.filter((d) => d.user && d.rank !== null);
  const ranks = Math.max(2, ...points.map((d) => d.rank as number));
  const each = width / KINDS.length;
  const x = (rank: number): number => MARGIN.left + ((rank - 1) / (ranks - 1)) * (each - MARGIN.left - MARGIN.right);
  const y = (value: number): number => MARGIN.top + (1 - value) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const one = ([title, key]: (typeof KINDS)[number], i: number): SVGElement => {
    const at = points.map((d) => ({ x: x(d.rank as number), y: y(d.user?.[key] ?? 0), rank: d.rank, value: d.user?.[key] ?? 0 }));
    return svg(
      "g",
      { transform: `translate(${i * each} 0)` },
      svg("text", { x: MARGIN.left, y: 12, class: "curve-title" }, each < 120 ? title.slice(0, 4) : title),
      ...[0, 0.5, 1].flatMap((value) => [
        svg("line", { x1: MARGIN.left, x2: each - MARGIN.right, y1: y(value), y2: y(value), class: "curve-grid" }),
        i === 0 ? svg("text", { x: MARGIN.left - 4, y: y(value) + 4, class: "curve-tick end" }, value) : null,
      ]),
      svg("text", { x: x(1), y: HEIGHT - 6, class: "curve-tick" }, "rank 1"),
      svg("text", { x: x(ranks), y: HEIGHT - 6, class: "curve-tick end" }, ranks),
      svg("path", { class: "curve", d: at.map((p, n) => `${n ? "L" : "M"}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("") }),
      ...at.map((p) => svg("circle", { class: "curve-dot", cx: p.x, cy: p.y, r: ranks > 25 ? 1.2 : 2.5 }, svg("title", {}, `rank ${p.rank}: ${p.value.toFixed(4)}`))),
    );
  };
  const label = "Three small curves over ranks: how likely the user reads on, the attention each rank gets, and how likely the user stops there";
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width: room, height: HEIGHT * scale, role: "img", "aria-label": label }, ...KINDS.map(one));
  return h("figure", { class: "plot" }, drawn as unknown as HTMLElement);
}
