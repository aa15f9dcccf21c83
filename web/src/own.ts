// The metric of the room "Your metric", known to the library wherever one is.

import { quick, reader, slow } from "./engine";
import type { State } from "./state";

export type Form = "formula" | "file" | "continuation";

export const TEMPLATES: Record<Form, { name: string; text: string }[]> = {
  formula: [
    { name: "Half speed: gains over the square root of the rank, by the ideal", text: "sum(d in D where pos(d) <= k : gain(d) / pos(d)^0.5)\n  / sum(d in D where ideal(d) <= k : gain(d) / ideal(d)^0.5)" },
    { name: "Reciprocal ranks, summed", text: "sum(d in Rel : 1 / pos(d))" },
    { name: "Precision", text: "count(d in Rel where pos(d) <= k) / count(d in Ret where pos(d) <= k)" },
    { name: "Relevant documents above the first that is not", text: "count(d in Rel where pos(d) < 1000 and none(x in Ret where gain(x) == 0 and pos(x) < pos(d)))" },
  ],
  file: [
    { name: "Average precision", text: 'name = "AP"\nabout = "stops at a relevant document, each equally likely"\n\n[alpha]\nscale = "ranked-categories"\nlevels = ["N", "R"]\ngain = [0, 1]\n\n[sigma]\nscale = "strict"\n\n[sets]\nRel = "alpha(d) == \'R\'"\n\n[sim]\nexpr = "if(a == \'R\', 1, if(none(x in Rel where pos(x) > pos(d)), 1, 0))"\n\n[avgD]\nover = "Rel"\nagg = "mean"\nterm = "sim * count(x in Rel where pos(x) <= pos(d)) / pos(d)"\nempty = "undefined"\n\n[avgQ]\nagg = "mean"\n' },
    { name: "Precision", text: 'name = "Precision"\n\n[alpha]\nscale = "ranked-categories"\nlevels = ["N", "R"]\ngain = [0, 1]\n\n[sigma]\nscale = "ranked-categories"\nlevels = ["N", "R"]\n\n[sets]\nRet = "sigma(d) == \'R\'"\n\n[sim]\nexpr = "if(a == s, 1, 0)"\n\n[avgD]\nover = "Ret"\nagg = "mean"\nempty = "undefined"\n\n[avgQ]\nagg = "mean"\n' },
    { name: "A price on every document that is read", text: 'name = "Priced RBP"\nparams = { p = 0.8, price = 0.1 }\nscore = "(1 - p) * sum(d in Ret : (gain(d) / max_grade - price) * p^(pos(d) - 1))"\n' },
  ],
  continuation: [
    { name: "Reads on less and less often", text: "((i+1)/(i+2))^2" },
    { name: "Reads on with one probability, as RBP", text: "0.8" },
    { name: "Stops at rank 10", text: "if(i < 10, 0.9, 0)" },
  ],
};

export const PATH = "mine.toml";

/** What is written, or the first template. */
export function written(state: State): string {
  return state.text || (TEMPLATES[state.form as Form]?.[0]?.text ?? "");
}

/** A formula goes into its file on one line, behind this. */
const BEFORE = 'score = "';

/** The file that the command takes; none for a continuation, which is a parameter. */
export function fileOf(state: State): string | null {
  const text = written(state);
  if (state.form === "continuation") return null;
  if (state.form === "file") return text;
  const line = text.replace(/\s*\n\s*/g, " ").replace(/\\/g, "\\\\").replace(/"/g, '\\"').trim();
  return `${BEFORE}${line}"\n`;
}

/** Whether a formula has a cutoff k: it may end anywhere, or it computes with k and needs one. */
export type Cutoff = "never" | "optional" | "required";

/** The cutoff of a formula that needs one, as long as none is set. */
export const USUAL_CUTOFF = "10";

let cutoff: Cutoff = "never";

/** Whether the formula that was defined last has a cutoff. */
export const cutoffOfFormula = (): Cutoff => cutoff;

/** The measure as the library names it. */
export function measureOf(state: State): string {
  if (state.form === "continuation") return `CWL(c="${written(state).replace(/\s+/g, " ").trim()}")`;
  const k = cutoff === "never" ? "" : state.k || (cutoff === "required" ? USUAL_CUTOFF : "");
  return k ? `${PATH}@${k}` : PATH;
}

/** Whether a text names the formula, at whatever cutoff. */
export const isOwn = (text: string): boolean => text === PATH || text.startsWith(`${PATH}@`);

/** Where an error stands in what is written: line and column from 1. */
export function placeOf(state: State, line: number | null, column: number | null, message: string): { line: number; column: number } | null {
  if (state.form === "file") return line === null ? null : { line, column: column ?? 1 };
  const told = state.form === "continuation" ? Number(/column (\d+)/.exec(message)?.[1] ?? NaN) : (column ?? NaN) - BEFORE.length;
  if (!Number.isFinite(told)) return null;
  // Breaks of lines became single blanks.
  const text = written(state);
  let at = 0;
  let counted = 0;
  while (at < text.length && counted < told - 1) {
    const gap = /^\s*\n\s*/.exec(text.slice(at));
    at += gap ? gap[0].length : 1;
    counted += 1;
  }
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}

let last = "";

/** Makes the formula known to all workers; the promise says what is wrong with it. A formula that
    cannot be read replaces the one before it all the same: no room may score with that one still. */
export async function define(state: State): Promise<void> {
  const text = fileOf(state);
  const files = text === null ? [] : [{ path: PATH, text }];
  const key = JSON.stringify(files);
  if (key !== last) {
    last = key;
    slow.remember(files);
    reader.remember(files);
  }
  const [defined] = await quick.define<{ cutoff: Cutoff }>(files);
  // The library lets every formula end at a k, even if the formula does not name it.
  const names = /\b(k|cutoff)\b/.test(text ?? "");
  if (key === last) cutoff = names ? (defined?.cutoff ?? "never") : "never";
}
