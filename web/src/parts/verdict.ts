// Verdicts for people: a symbol, a word, a sentence.

import { h, number } from "../dom";
import { button } from "./frame";
import { ofState, print } from "../ranking";
import { type State as PageState, store } from "../state";
import type { Finding, Verdicts, Witness } from "../types";

export type Row = Verdicts["metrics"][number];

interface Look {
  symbol: string;
  word: string;
  kind: string;
}

/** How a verdict looks. */
export function look(finding: Finding | undefined): Look {
  if (!finding) return { symbol: "", word: "not asked", kind: "none" };
  const { verdict, how } = finding;
  if (verdict === "holds") {
    return how === "proved"
      ? { symbol: "✓", word: "Yes, proved", kind: "proved" }
      : { symbol: "✓", word: `Yes, as far as ${how}`, kind: "searched" };
  }
  if (verdict === "violated") return { symbol: "✗", word: "No", kind: "violated" };
  if (verdict === "weak") return { symbol: "~", word: "Weakly: it ties, and is never reversed", kind: "weak" };
  if (verdict === "tied") return { symbol: "=", word: "Every case ties", kind: "weak" };
  if (verdict === "not decided") return { symbol: "?", word: "Not decided", kind: "undecided" };
  if (verdict === "vacuous") return { symbol: "–", word: "No case says anything", kind: "none" };
  return { symbol: "·", word: "Makes no sense for it", kind: "none" };
}

/** The verdict that counts: of a constraint the general one, of an axiom that of kept ranks. */
export function verdictOf(row: Row, check: string): Finding | undefined {
  return row.verdicts.filter((finding) => finding.name === check).at(-1);
}

/** Why a verdict is as it is, in one sentence. */
export function reason(finding: Finding): string {
  if (finding.witness) return finding.witness.text;
  if (finding.rule) return finding.rule;
  if (finding.reason) return finding.reason;
  const bounds = finding.bounds;
  if (!bounds) return "";
  const trials = bounds.trials ? `, and ${bounds.trials} random cases` : "";
  const gains = bounds.gains ? ` with gains ${bounds.gains}` : "";
  const note = bounds.note ? ` (${bounds.note})` : "";
  const met = finding.verdict === "holds" ? "no case against it" : "nothing decides";
  return `${met} in ${bounds.cases} cases: all collections of up to ${bounds.max_docs} documents${gains}${trials}; ${bounds.arithmetic}${note}`;
}

/** The depth of a witness is the depth of the measure, for the properties of every depth. */
function atDepth(metric: string, k: number): string {
  const bare = metric.replace(/@[\d.]+$/, "");
  return `${bare}@${k}`;
}

interface OrganizedState {
  gold: string;
  system: string;
  score: number | null;
}

function mini(gains: number[], k: number, score: number | null, max: number): HTMLElement {
  const card = (gain: number, i: number): HTMLElement => {
    const element = h("span", { class: i < k ? "mini" : "mini unretrieved" }, Number.isInteger(gain) ? gain : number(gain, 2));
    element.style.setProperty("--strength", String(Math.min(1, gain / (max || 1))));
    return element;
  };
  return h(
    "div",
    { class: "witness-state" },
    h(
      "span",
      { class: "minis", role: "img", "aria-label": `retrieved ${gains.slice(0, k).join(" ") || "nothing"}; not retrieved ${gains.slice(k).join(" ") || "nothing"}` },
      ...gains.slice(0, k).map(card),
      h("span", { class: "cut", "aria-hidden": "true" }),
      ...gains.slice(k).map((gain, i) => card(gain, i + k)),
    ),
    h("span", { class: "number" }, score === null ? "undefined" : `scores ${number(score)}`),
  );
}

/** A witness as rankings or organizations, with the way to open them. */
export function witness(metric: string, group: string, found: Witness): HTMLElement {
  const states = found.states ?? [];
  const organized = states as unknown as OrganizedState[];
  const rankings = states.filter((state) => Array.isArray(state.gains) && state.k > 0);
  const parts: HTMLElement[] = [h("p", {}, found.text)];
  if (organized[0]?.gold !== undefined) {
    for (const state of organized) {
      parts.push(
        h(
          "p",
          { class: "organized-state" },
          h("code", {}, state.system),
          " against ",
          h("code", {}, state.gold),
          ` scores ${number(state.score)} `,
          button("Open", "Open it in the room Organizations", () =>
            store.set({ room: "organizations", gold: state.gold, org: state.system }),
          ),
        ),
      );
    }
    return h("div", { class: "witness" }, ...parts);
  }
  for (const state of states) {
    if (Array.isArray(state.gains)) parts.push(mini(state.gains, state.k, state.score, found.max_grade ?? 1));
  }
  const [first, second] = rankings;
  if (first) {
    const depths = [...new Set(rankings.map((state) => state.k))];
    const cut = group === "property" && /@|^(DCG|nDCG|RBP|AP|SP|RR|ERR|INST|INSQ|Q|GAP|SNAP|RPrec)$/.test(metric);
    const measures = cut ? depths.map((k) => atDepth(metric, k)) : [metric];
    const change: Partial<PageState> = {
      room: "playground",
      a: print(ofState(first.gains, first.k)),
      two: second ? "1" : "0",
      m: measures.join(" "),
      s: measures[0] ?? metric,
      grade: found.max_grade && found.max_grade > 1 ? String(found.max_grade) : "",
      tail: "none",
    };
    if (second) change.b = print(ofState(second.gains, second.k));
    parts.push(
      h("div", { class: "actions" }, button("Open in the playground", "Change the rankings of this case", () => store.set(change))),
    );
  }
  return h("div", { class: "witness" }, ...parts);
}
