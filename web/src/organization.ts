// An organization as it is edited, in the notation of `axio organize`: d1 {d2 d3} / d4 | d5.

export interface Organization {
  /** Levels from the top, each of clusters of ids. */
  levels: string[][][];
  discarded: string[];
}

/** What makes an organization one that is edited as text alone: weights, scores and links. */
const BEYOND = /[*=~>]/;

/** Reads the notation; `null` if it holds more than levels and clusters. */
export function parse(text: string): Organization | null {
  if (BEYOND.test(text)) return null;
  const [kept = "", behind = ""] = text.split("|");
  const levels = kept.split("/").map((level) => {
    const clusters: string[][] = [];
    for (const part of level.match(/\{[^{}]*\}|[^\s{}]+/g) ?? []) {
      const ids = part.replace(/[{}]/g, " ").split(/\s+/).filter(Boolean);
      if (ids.length > 0) clusters.push(ids);
    }
    return clusters;
  });
  return { levels: levels.filter((level) => level.length > 0), discarded: behind.split(/\s+/).filter(Boolean) };
}

export function print({ levels, discarded }: Organization): string {
  const cluster = (ids: string[]): string => (ids.length === 1 ? (ids[0] ?? "") : `{${ids.join(" ")}}`);
  const kept = levels
    .map((level) => level.filter((ids) => ids.length > 0))
    .filter((level) => level.length > 0)
    .map((level) => level.map(cluster).join(" "))
    .join(" / ");
  return discarded.length > 0 ? `${kept} | ${discarded.join(" ")}` : kept;
}

/** Where a document stands, or is to go. A cluster of -1 is a new one, a level of half a number too. */
export interface Place {
  level: number;
  cluster: number;
}

/** Takes one occurrence of a document from its place to another; `null` discards it. */
export function moved(organization: Organization, from: Place | null, id: string, to: Place | null): Organization {
  const levels: string[][][] = organization.levels.map((level) => level.map((ids) => [...ids]));
  let discarded = [...organization.discarded];
  if (from) {
    const ids = levels[from.level]?.[from.cluster];
    if (ids) ids.splice(ids.indexOf(id), 1);
  } else {
    discarded = discarded.filter((other) => other !== id);
  }
  if (!to) {
    if (!discarded.includes(id)) discarded.push(id);
  } else if (!Number.isInteger(to.level)) {
    levels.splice(Math.ceil(to.level), 0, [[id]]);
  } else {
    const level = levels[to.level];
    const ids = level?.[to.cluster];
    if (ids && to.cluster >= 0) {
      if (!ids.includes(id)) ids.push(id);
    } else {
      level?.push([id]);
    }
  }
  return {
    levels: levels.map((level) => level.filter((ids) => ids.length > 0)).filter((level) => level.length > 0),
    discarded,
  };
}
