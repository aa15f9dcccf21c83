// From wishes to measures, over the verdicts that the page has: what fits, what is impossible, what to
// give up. web/test holds it against `axio choose`.

import { type Row, verdictOf } from "./verdict";
import type { Lattice } from "../types";

export interface Wanted {
  want: string[];
  columns: { name: string; gist: string }[];
  /** The measures that are shown. */
  rows: Row[];
  /** All measures that are asked, if these are more. */
  all: Row[];
}

export interface Chosen {
  fits: Row[];
  /** Measures that were made to show that a wish can be fulfilled. */
  made: string[];
  impossible: Lattice["contradictions"][number] | null;
  giveUp: { names: string[]; fits: string[] }[];
}

const has = (row: Row, name: string): boolean => verdictOf(row, name)?.verdict === "holds";

/** The smallest contradiction among some properties. */
export function contradiction(want: string[], lattice: Lattice): Chosen["impossible"] {
  const within = lattice.contradictions.filter(({ properties }) => properties.every((name) => want.includes(name)));
  return within.sort((x, y) => x.properties.length - y.properties.length)[0] ?? null;
}

/** Measures of the lattice that have all of some properties, and are no measures in use. */
export function madeFor(want: string[], lattice: Lattice): string[] {
  const having = lattice.feasible.filter(
    ({ properties, measure }) => measure?.endsWith(".toml") && want.every((name) => properties.includes(name)),
  );
  return [...new Set(having.map(({ measure }) => measure as string))];
}

export function choose({ want, rows }: Wanted, lattice: Lattice): Chosen {
  const fits = rows.filter((row) => want.every((name) => has(row, name)));
  if (fits.length > 0 || want.length === 0) return { fits, made: [], impossible: null, giveUp: [] };
  const made = madeFor(want, lattice);
  const sets = new Map<string, { names: string[]; fits: string[] }>();
  const add = (names: string[], metric: string): void => {
    const key = names.join(" ");
    const known = sets.get(key) ?? { names, fits: [] };
    known.fits.push(metric);
    sets.set(key, known);
  };
  for (const row of rows) add(want.filter((name) => !has(row, name)), row.metric);
  for (const { properties, measure } of lattice.feasible) {
    if (measure?.endsWith(".toml")) add(want.filter((name) => !properties.includes(name)), measure);
  }
  const all = [...sets.values()].filter(({ names }) => names.length > 0);
  const part = (x: string[], y: string[]): boolean => x.length < y.length && x.every((name) => y.includes(name));
  const smallest = all.filter((one) => !all.some((other) => part(other.names, one.names)));
  return {
    fits,
    made,
    impossible: made.length > 0 ? null : contradiction(want, lattice),
    giveUp: made.length > 0 ? [] : smallest.sort((x, y) => x.names.length - y.names.length),
  };
}
