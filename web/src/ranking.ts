// A ranking as it is edited, in the notation of `axio score`: 1-0[11]+2.

export interface Doc {
  /** `null` if nobody judged it. */
  grade: number | null;
  /** It has the same score as the document before it. */
  tied: boolean;
}

export interface Ranking {
  docs: Doc[];
  unretrieved: number[];
}

/** Reads the notation; an error says where it is wrong. */
export function parse(text: string): Ranking {
  const trimmed = text.trim();
  const [head = "", behind = ""] = trimmed.split(/\|(.*)/s);
  const ranking = head.split("+")[0] ?? "";
  const apart = /[\s.,]/.test(ranking.trim());
  const docs: Doc[] = [];
  const unretrieved: number[] = [];
  let open = false;
  let first = true;
  let at = 0;
  const wrong = (what: string): never => {
    const found = head[at] === undefined ? "the end" : `“${head[at]}” at character ${at + 1}`;
    throw new Error(`found ${found}, expected ${what}`);
  };
  const push = (grade: number | null): void => {
    docs.push({ grade, tied: open && !first });
    first = false;
  };
  while (at < head.length) {
    const c = head[at] ?? "";
    if (/[\s,]/.test(c)) at += 1;
    else if (c === "[" && !open) {
      [open, first] = [true, true];
      at += 1;
    } else if (c === "]" && open) {
      open = false;
      at += 1;
    } else if (c === "-") {
      push(null);
      at += 1;
    } else if (c === "+" && !open) {
      const more = /^\+(\d+)(?::(\d*\.?\d+))?/.exec(head.slice(at));
      if (!more) return wrong("a number of documents behind +");
      const count = Math.min(Number(more[1]), 1000);
      for (let i = 0; i < count; i += 1) unretrieved.push(more[2] ? Number(more[2]) : 1);
      at += more[0].length;
    } else if (/[\d.]/.test(c)) {
      const token = apart ? (/^\d*\.?\d*/.exec(head.slice(at))?.[0] ?? c) : c;
      const grade = Number(token);
      if (!Number.isFinite(grade) || token === ".") return wrong("a grade");
      push(grade);
      at += token.length;
    } else return wrong("a grade, -, [, ], + or |");
  }
  if (open) return wrong("]");
  const tail = behind.trim();
  const grades = /[\s.,]/.test(tail) ? tail.split(/[\s,]+/) : [...tail];
  for (const token of grades.filter(Boolean)) {
    const grade = Number(token);
    if (!Number.isFinite(grade)) throw new Error(`found “${token}” behind |, expected grades`);
    unretrieved.push(grade);
  }
  if (docs.length === 0) throw new Error("no document: write the grade of each from the top");
  return { docs, unretrieved };
}

/** Writes the notation. */
export function print({ docs, unretrieved }: Ranking): string {
  const short = (grade: number | null): boolean =>
    grade === null || (Number.isInteger(grade) && grade >= 0 && grade <= 9);
  const apart = docs.some((doc) => !short(doc.grade));
  const token = (grade: number | null): string => (grade === null ? "-" : String(grade));
  let text = "";
  docs.forEach((doc, i) => {
    const tiedNext = docs[i + 1]?.tied ?? false;
    if (apart && i > 0) text += " ";
    if (tiedNext && !doc.tied) text += "[";
    text += token(doc.grade);
    if (doc.tied && !tiedNext) text += "]";
  });
  // A single grade of more than one digit would be read as several.
  if (apart && docs.length === 1) text += ",";
  const counts = new Map<number, number>();
  for (const grade of unretrieved) counts.set(grade, (counts.get(grade) ?? 0) + 1);
  for (const [grade, count] of [...counts].sort(([x], [y]) => y - x)) {
    text += grade === 1 ? `+${count}` : `+${count}:${grade}`;
  }
  return text;
}

/** Mends what a move or a removal leaves: the first document is tied with nothing. */
export function mended(docs: Doc[]): Doc[] {
  return docs.map((doc, i) => (i === 0 && doc.tied ? { ...doc, tied: false } : doc));
}

/** The highest grade of rankings, at least 1. */
export function highest(rankings: Ranking[]): number {
  const grades = rankings.flatMap(({ docs, unretrieved }) => [
    ...docs.map((doc) => doc.grade ?? 0),
    ...unretrieved,
  ]);
  return Math.max(1, ...grades);
}

/** The state of a witness: the first k were retrieved. */
export function ofState(gains: number[], k: number): Ranking {
  const docs = gains.slice(0, k).map((grade) => ({ grade, tied: false }));
  return { docs, unretrieved: gains.slice(k).filter((grade) => grade > 0) };
}
