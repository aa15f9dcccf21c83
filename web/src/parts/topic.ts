// One topic: its documents as a run ranks them, and what judging one of them would change.

import { h, number, replace, signed } from "../dom";
import { failureOf, quick, reader } from "../engine";
import type { Dropped } from "../files";
import { button, failure } from "./frame";
import { type Ranking, print } from "../ranking";
import { store } from "../state";
import type { Explained, ExplainedDocument, Scored, TopicExplained } from "../types";

export interface TopicRow {
  topic: string;
  value: number | null;
  other: number | null;
  difference: number;
}

/** The topics of two runs, those that differ most first. */
export function topicList(rows: TopicRow[], two: boolean, chosen: string, choose: (topic: string) => void): HTMLElement {
  const sorted = [...rows].sort((x, y) => (two ? Math.abs(y.difference) - Math.abs(x.difference) : (x.value ?? -1) - (y.value ?? -1)));
  // More rows than a person reads would only slow the page down.
  const shown = sorted.slice(0, 300);
  return h(
    "div",
    { class: "topic-scroll", tabindex: 0, role: "region", "aria-label": "Topics" },
    h(
      "table",
      { class: "numbers" },
      h("thead", {}, h("tr", {}, ...["topic", "score", ...(two ? ["baseline", "difference"] : [])].map((title) => h("th", { scope: "col" }, title)))),
      h(
        "tbody",
        {},
        ...shown.map((row) =>
          h(
            "tr",
            { class: row.topic === chosen ? "chosen" : "" },
            h("th", { scope: "row" }, button(row.topic, `Show the documents of topic ${row.topic}`, () => choose(row.topic), { class: "link", "aria-pressed": String(row.topic === chosen) })),
            h("td", {}, number(row.value)),
            two ? h("td", {}, number(row.other)) : null,
            two ? h("td", { class: row.difference < 0 ? "down" : "up" }, signed(row.difference)) : null,
          ),
        ),
      ),
    ),
    sorted.length > shown.length ? h("p", { class: "quiet" }, `The first ${shown.length} of ${sorted.length} topics.`) : null,
  );
}

interface Asked {
  run: number;
  name: string;
  /** The file, if the run was too large to be kept. */
  file: Dropped | null;
  topic: string;
  measure: string;
  maxGrade: number;
  /** Over how many topics the scores are averaged; `null` if they are summed up otherwise. */
  averaged: number | null;
}

const SHOWN = 100;

export class TopicView {
  private title = h("h2", {});
  private content = h("div", { class: "topic-content" });
  readonly element = h("div", { class: "topic" }, this.title, this.content);
  private turn = 0;

  async show(asked: Asked): Promise<void> {
    const mine = ++this.turn;
    this.title.textContent = `Topic ${asked.topic} of ${asked.name}`;
    try {
      const { name, blob } = asked.file ?? { name: "", blob: new Blob() };
      const file = asked.file ? await reader.file(name, blob) : null;
      const told = await reader.call<TopicExplained>({ op: "topic", run: asked.run, file, topic: asked.topic, measure: asked.measure });
      if (mine === this.turn) this.draw(asked, told);
    } catch (error) {
      if (mine === this.turn) replace(this.content, failure(failureOf(error)));
    }
  }

  private draw(asked: Asked, { document, unretrieved }: TopicExplained): void {
    const ranked = document.documents.filter((d) => d.rank !== null);
    const ranking: Ranking = { docs: ranked.map((d) => ({ grade: d.grade ?? null, tied: false })), unretrieved };
    const missed = unretrieved.filter((grade) => grade > 0).length;
    const answer = h("div", { class: "what-if", role: "status" }, h("p", { class: "quiet" }, "Click a document to see what judging it otherwise would change."));
    const grade = (d: ExplainedDocument): string => (d.grade === null || d.grade === undefined ? (d.alpha ?? "?") : String(d.grade));
    const judged = (d: ExplainedDocument): boolean => d.grade !== null && d.grade !== undefined;
    const row = (d: ExplainedDocument, i: number): HTMLElement =>
      h(
        "tr",
        { class: judged(d) ? ((d.grade ?? 0) > 0 ? "relevant" : "") : "unjudged" },
        h("td", {}, d.rank ?? ""),
        h("th", { scope: "row" }, button(d.document, `What would judging ${d.document} change?`, () => void this.whatIf(asked, document, ranking, i, d, answer), { class: "link document-id" })),
        h("td", {}, grade(d)),
        h("td", {}, number(d.contribution)),
        h("td", {}, d.if_relevant === null || d.if_relevant === undefined ? "" : signed(d.if_relevant)),
      );
    replace(
      this.content,
      h("p", {}, `${document.undefined ? `Undefined: ${document.undefined}` : `Score ${number(document.score)}`}. `, missed > 0 ? `${missed} relevant not retrieved.` : "Every relevant document was retrieved."),
      answer,
      h(
        "div",
        { class: "topic-scroll", tabindex: 0, role: "region", "aria-label": "Documents" },
        h(
          "table",
          { class: "numbers documents" },
          h("thead", {}, h("tr", {}, ...["rank", "document", "grade", "adds", "if relevant"].map((t) => h("th", { scope: "col" }, t)))),
          h("tbody", {}, ...ranked.slice(0, SHOWN).map(row)),
        ),
        ranked.length > SHOWN ? h("p", { class: "quiet" }, `The first ${SHOWN} of ${ranked.length} documents.`) : null,
      ),
      h(
        "div",
        { class: "actions" },
        button("Open in the playground", "Change this ranking by hand (its first 50 documents)", () => {
          const docs = ranking.docs.slice(0, 50);
          const below = ranking.docs.slice(50).flatMap((d) => (d.grade !== null && d.grade > 0 ? [d.grade] : []));
          const rest = [...ranking.unretrieved.filter((g) => g > 0), ...below];
          store.set({ room: "playground", a: print({ docs, unretrieved: rest }), two: "0", s: asked.measure, m: [...new Set([asked.measure, ...store.state.rm.split(" ")])].join(" "), grade: String(asked.maxGrade) });
        }),
      ),
    );
  }

  /** Scores the ranking once for every grade that the document could have. */
  private async whatIf(asked: Asked, before: Explained, ranking: Ranking, at: number, doc: ExplainedDocument, place: HTMLElement): Promise<void> {
    const grades = Array.from({ length: Math.min(9, Math.floor(asked.maxGrade)) + 1 }, (_, grade) => grade);
    const other = (grade: number): string =>
      print({ ...ranking, docs: ranking.docs.map((d, i) => (i === at ? { ...d, grade } : d)) });
    try {
      const scored = await quick.call<Scored>({
        op: "score",
        rankings: [print(ranking), ...grades.map(other)],
        measures: [asked.measure],
        max_grade: asked.maxGrade,
      });
      const values = scored.document.rankings.map((one) => one.measures[0]?.value ?? null);
      const now = values[0] ?? null;
      if (scored.errors[0]) throw new Error(scored.errors[0].error.message);
      const same = (now === null && before.score === null) || Math.abs((now ?? 0) - (before.score ?? 0)) < 1e-12;
      replace(
        place,
        h("p", {}, h("strong", {}, doc.document), doc.grade === null || doc.grade === undefined ? " is unjudged. Were it judged…" : ` has grade ${doc.grade}. Were it judged otherwise…`),
        h(
          "ul",
          { class: "what-if-grades" },
          ...grades.map((grade, i) => {
            const value = values[i + 1] ?? null;
            const change = value !== null && now !== null ? signed(value - now) : "";
            const inMean = value !== null && now !== null && asked.averaged ? `, mean ${signed((value - now) / asked.averaged)}` : "";
            return h("li", { class: grade === doc.grade ? "now" : "" }, `grade ${grade}: `, h("strong", {}, number(value)), grade === doc.grade ? " as it is" : ` ${change}${inMean}`);
          }),
        ),
        same ? null : h("p", { class: "quiet" }, "This measure reads more than grades; the numbers hold for the grades alone."),
      );
    } catch (error) {
      replace(place, failure(failureOf(error)));
    }
  }
}
