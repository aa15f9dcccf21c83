// What goes together, as a diagram to walk in: the chosen set, with the sets that have one property
// more above it and those with one fewer below.

import { h, plural, svg, textScale } from "../dom";
import { type Row, verdictOf } from "./verdict";
import { type Wanted, contradiction, madeFor } from "./wishes";
import { store } from "../state";
import type { Lattice } from "../types";

const NODE = { widest: 172, height: 64, gap: 12, between: 48 };
/** A letter is about so wide. */
const LETTER = 7.4;

interface Node {
  title: string;
  /** Some of the measures. */
  names: string;
  under: string;
  kind: "here" | "possible" | "made" | "impossible";
  say: string;
  want: string[];
}

/** As many names as fit into so many letters. */
function listed(names: string[], letters: number): string {
  let text = "";
  for (const name of names) {
    const longer = text ? `${text}, ${name}` : name;
    if (longer.length > letters - 3) return text ? `${text}, …` : `${name.slice(0, letters - 1)}…`;
    text = longer;
  }
  return text;
}

export function lattice(wanted: Wanted, known: Lattice, room: number): HTMLElement {
  // The drawing is laid out for text of the usual size, and scaled as a whole.
  const scale = textScale();
  const width = room / scale;
  const nodeWidth = Math.min(NODE.widest, (width - 3 * NODE.gap) / 2);
  const twelve = [...new Set(known.feasible.flatMap(({ properties }) => properties))];
  const want = wanted.want.filter((name) => twelve.includes(name));
  const having = (set: string[]): Row[] =>
    wanted.rows.filter((row) => set.every((name) => verdictOf(row, name)?.verdict === "holds"));
  const node = (set: string[], title: string): Node => {
    const fitting = having(set);
    const count = fitting.length;
    const made = madeFor(set, known);
    const clash = count === 0 && made.length === 0 ? contradiction(set, known) : null;
    const kind = count > 0 ? "possible" : made.length > 0 ? "made" : "impossible";
    const under = count > 0 ? plural(count, "measure") : made.length > 0 ? "can be had" : "impossible";
    const say = clash ? `impossible: ${clash.properties.join(", ")} contradict each other` : under;
    const names = count > 0 ? listed(fitting.map((row) => row.metric), nodeWidth / LETTER) : made.length > 0 ? (made[0] ?? "") : "";
    return { title, names, under, kind, say, want: set };
  };
  const more = twelve.filter((name) => !want.includes(name)).map((name) => node([...want, name], `+ ${name}`));
  const fewer = want.map((name) => node(want.filter((other) => other !== name), `− ${name}`));
  const here: Node = { ...node(want, want.length === 0 ? "no wish" : plural(want.length, "wish", "wishes")), kind: "here" };

  const perRow = Math.max(2, Math.floor((width - NODE.gap) / (nodeWidth + NODE.gap)));
  const rowsOf = (nodes: Node[]): number => Math.ceil(nodes.length / perRow);
  const rowHeight = NODE.height + NODE.gap;
  const top = 8;
  const centreY = top + rowsOf(more) * rowHeight + NODE.between;
  const bottom = centreY + NODE.height + NODE.between;
  const height = bottom + Math.max(0, rowsOf(fewer) * rowHeight);
  const centreX = width / 2;

  const place = (nodes: Node[], y: number): { node: Node; x: number; y: number }[] =>
    nodes.map((one, i) => {
      const row = Math.floor(i / perRow);
      const inRow = Math.min(perRow, nodes.length - row * perRow);
      const start = centreX - (inRow * (nodeWidth + NODE.gap) - NODE.gap) / 2;
      return { node: one, x: start + (i % perRow) * (nodeWidth + NODE.gap), y: y + row * rowHeight };
    });
  const above = place(more, top);
  const below = place(fewer, bottom);
  const lines = [
    ...above.map(({ node: one, x, y }) =>
      svg("path", { class: `edge ${one.kind}`, d: `M${centreX} ${centreY} L${x + nodeWidth / 2} ${y + NODE.height}` })),
    ...below.map(({ node: one, x, y }) =>
      svg("path", { class: `edge ${one.kind}`, d: `M${centreX} ${centreY + NODE.height} L${x + nodeWidth / 2} ${y}` })),
  ];
  const draw = ({ node: one, x, y }: { node: Node; x: number; y: number }): SVGElement => {
    const go = (): void => {
      store.set({ want: one.want.join(" ") });
      document.querySelector<SVGElement>(".lattice .node.here")?.focus();
    };
    return svg(
      "g",
      {
        class: `node ${one.kind}`,
        transform: `translate(${x} ${y})`,
        role: "button",
        tabindex: 0,
        onclick: go,
        onkeydown: (event: KeyboardEvent) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          go();
        },
      },
      svg("title", {}, `${one.title}: ${one.say}`),
      svg("rect", { width: nodeWidth, height: NODE.height, rx: 8 }),
      svg("text", { x: nodeWidth / 2, y: 20, class: "node-title" }, one.title),
      svg("text", { x: nodeWidth / 2, y: 37, class: "node-under" }, one.names || one.under),
      one.names ? svg("text", { x: nodeWidth / 2, y: 53, class: "node-under" }, one.under) : null,
    );
  };
  const measures = having(want);
  return h(
    "div",
    { class: "lattice" },
    h("p", { class: "quiet" }, "Your wishes stand in the middle. Above it is one property more, below it one fewer; click to go there. Dashed is impossible; in the second colour, only a measure made for it has it."),
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, width: width * scale, height: height * scale, role: "group", "aria-label": "What goes together" },
      ...lines,
      ...above.map(draw),
      draw({ node: here, x: centreX - nodeWidth / 2, y: centreY }),
      ...below.map(draw),
    ) as unknown as HTMLElement,
    h("p", {}, h("strong", {}, want.length ? want.join(", ") : "No wish"), ": ", measures.length ? measures.map((row) => row.metric).join(", ") : here.say),
  );
}
