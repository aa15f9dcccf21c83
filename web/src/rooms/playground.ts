// The playground: change a ranking, and see what measures make of it.

import { announce, copy, download, h, plural, redraw, replace } from "../dom";
import { quoted } from "../command";
import { failureOf, quick } from "../engine";
import { type RoomView, button, failure, field, panel, select } from "../parts/frame";
import { Cards, type Share } from "../parts/cards";
import { Detail } from "../parts/detail";
import { MeasureTable } from "../parts/measures";
import { PATH } from "../own";
import { type Ranking, highest, parse, print } from "../ranking";
import { type State, store, words } from "../state";
import type { Explained, Scored } from "../types";
import { RANKINGS, TABLE_9, exampleOf } from "./examples";

type Side = "a" | "b";

/** Those of Table 9 are no rankings: they open in their own room. */
const EXAMPLES = [...RANKINGS, ...TABLE_9];

interface Panel {
  element: HTMLElement;
  cards: Cards;
  text: HTMLInputElement;
  wrong: HTMLElement;
  rest: HTMLElement;
}

export function playground(): RoomView {
  const panels: Record<Side, Panel> = { a: side("a"), b: side("b") };
  const measures = new MeasureTable();
  const detail = new Detail();
  const problem = h("div", { class: "problem" });
  const settings = h("div");
  const example = h("div", { class: "example-field" });
  const controls = panel("Settings", { class: "controls", head: example }, settings);
  // In the order of a small screen: what changes stands right below what changes it.
  const found = h("div", { class: "column" }, problem, measures.element, detail.element);
  const element = h("div", { class: "room playground" }, panels.a.element, panels.b.element, found, controls);

  /** What was scored last, for the change since then. */
  let turn = 0;

  async function update(state: State): Promise<void> {
    const mine = ++turn;
    const two = state.two === "1";
    panels.b.element.hidden = !two;
    const texts = two ? [state.a, state.b] : [state.a];
    const { m, grade, ties, tail } = state;
    const about = exampleOf(state, RANKINGS)?.name;
    redraw(settings, [m, grade, ties, tail, two, about], () => drawControls(state, settings, example));
    const top = Number(state.grade) || undefined;
    const shown: Record<Side, Ranking | null> = { a: draw("a"), b: two ? draw("b") : null };
    if (!shown.a || (two && !shown.b)) {
      clear("There are no scores while a ranking cannot be read.");
      return;
    }
    const chosen = words(state.m);
    const reading = { ties: state.ties, max_grade: top };
    try {
      const request = {
        op: "score",
        rankings: texts,
        measures: chosen,
        ranges: true,
        tail: state.tail,
        ...reading,
      };
      const like = weight(state, [shown.a, shown.b]);
      const scored =
        (like === undefined ? undefined : quick.now<Scored>(request, like)) ??
        (await quick.call<Scored>(request, like));
      if (mine !== turn) return;
      replace(problem);
      await measures.show(scored, chosen, two);
      if (mine !== turn) return;
      measures.element.dataset.of = [...texts, ...chosen, ties].join(" ");
      // The scores do not wait for the measure that is taken apart.
      const explained = await Promise.all(
        texts.map((ranking) =>
          state.s
            ? quick.call<Explained>({ op: "explain", ranking, measure: state.s, ...reading }).catch(() => null)
            : null,
        ),
      );
      if (mine !== turn) return;
      shares("a", explained[0] ?? null);
      shares("b", explained[1] ?? null);
      detail.show(state.s, explained.filter((one): one is Explained => one !== null));
    } catch (error) {
      if (mine !== turn) return;
      clear("There are no scores.");
      replace(problem, failure(failureOf(error)));
    }

    /** The scores of another state would look like those of this one. */
    function clear(why: string): void {
      replace(problem);
      measures.clear(why);
      void detail.show(state.s, []);
      panels.a.cards.clearShares();
      panels.b.cards.clearShares();
    }

    function draw(which: Side): Ranking | null {
      const { text, wrong, cards, rest } = panels[which];
      if (document.activeElement !== text) text.value = state[which];
      try {
        const ranking = parse(state[which]);
        replace(wrong);
        cards.show(ranking);
        redraw(rest, ranking.unretrieved, () => drawRest(rest, which, ranking.unretrieved));
        return ranking;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        replace(wrong, h("p", { class: "wrong", role: "alert" }, message));
        return null;
      }
    }

    function shares(which: Side, explained: Explained | null): void {
      const ranking = shown[which];
      if (!ranking) return;
      const parts = (explained?.documents ?? []).filter((d) => d.rank !== null);
      const largest = Math.max(1e-12, ...parts.map((d) => Math.abs(d.contribution ?? 0)));
      const told = parts.map((d): Share | null =>
        d.contribution === null
          ? null
          : {
              share: d.contribution / largest,
              words: `adds ${d.contribution.toFixed(4)} to ${explained?.measure ?? ""}`,
            },
      );
      panels[which].cards.show(ranking, told);
    }
  }

  function side(which: Side): Panel {
    const name = `Ranking ${which.toUpperCase()}`;
    const set = (ranking: Ranking): void => store.set({ [which]: print(ranking) });
    const cards = new Cards({
      label: name,
      change: set,
      top: () => {
        const grade = Number(store.state.grade);
        if (grade > 0) return grade;
        try {
          return highest([parse(store.state.a), parse(store.state.b)]);
        } catch {
          return 1;
        }
      },
    });
    const text = h("input", {
      type: "text",
      class: "notation",
      "aria-label": `${name} as text`,
      spellcheck: "false",
      autocomplete: "off",
      title: "The grade of each document from the top; - unjudged, +2 two relevant ones not retrieved, [10] a tie",
      oninput: () => store.set({ [which]: text.value }, { typing: true }),
      onblur: () => void update(store.state),
    });
    const wrong = h("div");
    const rest = h("div", { class: "rest" });
    return {
      element: panel(name, { class: `side side-${which}`, head: h("div", { class: "side-head" }, text, rest) }, wrong, cards.element),
      cards,
      text,
      wrong,
      rest,
    };
  }

  /** The documents that were not retrieved, as counters by grade. */
  function drawRest(place: HTMLElement, which: Side, unretrieved: number[]): void {
    const focused = place.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.act
      : undefined;
    const grades = [...new Set([1, ...unretrieved])].filter((g) => g > 0).sort();
    const change = (grade: number, by: number): void => {
      const ranking = parse(store.state[which]);
      const rest = [...ranking.unretrieved];
      if (by > 0) rest.push(grade);
      else rest.splice(rest.indexOf(grade), 1);
      store.set({ [which]: print({ ...ranking, unretrieved: rest }) });
    };
    const counter = (grade: number): HTMLElement => {
      const count = unretrieved.filter((other) => other === grade).length;
      const of = grades.length > 1 ? ` of grade ${grade}` : "";
      return h(
        "span",
        { class: "counter" },
        button("−", `One document${of} fewer that was not retrieved`, () => change(grade, -1), {
          disabled: count === 0,
          "data-act": `less-${grade}`,
          "aria-label": `One document${of} fewer that was not retrieved`,
        }),
        h("output", {}, count, of),
        button("+", `One more document${of} that was not retrieved`, () => change(grade, 1), {
          "data-act": `more-${grade}`,
          "aria-label": `One more document${of} that was not retrieved`,
        }),
      );
    };
    replace(
      place,
      h("span", { class: "rest-label", title: "Relevant documents that the ranking lacks" }, "not retrieved"),
      ...grades.map(counter),
    );
    if (focused) place.querySelector<HTMLElement>(`[data-act="${focused}"]`)?.focus();
  }

  const stop = store.subscribe((state, before) => {
    if (state.room !== "playground") return;
    measures.act(before);
    void update(state);
  });
  void update(store.state);
  return { element, leave: stop };
}

function drawControls(state: State, place: HTMLElement, example: HTMLElement): void {
  if (place.contains(document.activeElement)) {
    const id = document.activeElement?.id;
    queueMicrotask(() => (id ? document.getElementById(id)?.focus() : undefined));
  }
  const examples: [string, string][] = [
    ["", "Open an example…"],
    ...EXAMPLES.map(({ name }, i): [string, string] => [String(i), name]),
  ];
  const cutoff = /@(\d+)/.exec(state.m)?.[1] ?? "";
  const k = h("input", {
    type: "number",
    min: "1",
    max: "1000",
    value: cutoff,
    id: "play-k",
    onchange: () => {
      const depth = Math.max(1, Math.round(Number(k.value)) || 10);
      const cut = (text: string): string => text.replace(/@\d+/g, `@${depth}`);
      const { m, s } = store.state;
      store.set({ m: [...new Set(words(cut(m)))].join(" "), s: cut(s) });
    },
  });
  const grade = h("input", {
    type: "number",
    min: "1",
    max: "100",
    id: "play-grade",
    value: state.grade,
    placeholder: "auto",
    onchange: () => store.set({ grade: Number(grade.value) > 0 ? grade.value : "" }),
  });
  const shown = exampleOf(state, RANKINGS);
  replace(
    example,
    select(examples, "", (i) => open(Number(i)), { id: "play-example", "aria-label": "Open an example", title: "Rankings from papers and for teaching, ready to change" }),
  );
  replace(
    place,
    shown ? h("p", { class: "about-example" }, h("strong", {}, shown.name), `. ${shown.about}.`) : null,
    h(
      "div",
      { class: "fields" },
      field("Cutoff k", k, "Sets every @k"),
      field("Top grade", grade, "The highest possible"),
      field(
        "Ties",
        select(
          [
            ["file", "as written"],
            ["average", "mean over orders"],
            ["range", "lowest to highest"],
          ],
          state.ties,
          (ties) => store.set({ ties }),
          { id: "play-ties" },
        ),
        "How ties are ordered",
      ),
      field(
        "Below the end",
        select(
          [
            ["none", "nothing"],
            ["unknown", "unjudged documents"],
          ],
          state.tail,
          (tail) => store.set({ tail }),
          { id: "play-tail" },
        ),
        "What ranges assume",
      ),
    ),
    h(
      "div",
      { class: "actions" },
      button(state.two === "1" ? "One ranking" : "Two rankings", "Compare with a second ranking, or not", () =>
        store.set({ two: store.state.two === "1" ? "0" : "1" }), { id: "play-two" }),
      button("Swap", "Exchange the two rankings", () =>
        store.set({ a: store.state.b, b: store.state.a }), { id: "play-swap", disabled: state.two !== "1" }),
      button("Copy link", "Copy a link to exactly this state", () => void copy(location.href, "Link"), { id: "play-link" }),
      button("Show the command", "The same on the command line", () => showCommand(), { id: "play-command" }),
      button("As files", "Download judgements and runs in TREC format", () => files(), { id: "play-files" }),
    ),
  );
}

function open(i: number): void {
  const example = EXAMPLES[i];
  if (!example) return;
  if ("org" in example.state) store.set({ room: "organizations", ...example.state });
  else store.set({ two: "b" in example.state ? "1" : "0", ...example.state });
  announce(example.about);
}

/** Names the states that take about as long to score; none if that cannot be told beforehand. */
function weight({ m, ties, tail }: State, rankings: (Ranking | null)[]): string | undefined {
  if (ties !== "file" || m.includes(PATH)) return undefined;
  const size = (of: Ranking | null): number => (of ? of.docs.length + of.unretrieved.length : 0);
  const documents = rankings.reduce((sum, ranking) => sum + size(ranking), 0);
  return documents > 500 ? undefined : [m, tail, Math.ceil(documents / 50)].join(" ");
}

/** The command that prints the same numbers. */
export function command(state: State): string {
  const rankings = state.two === "1" ? [state.a, state.b] : [state.a];
  const options = [`-m ${quoted(state.m)}`];
  options.push(state.ties === "range" ? "--ties range" : `--ranges --tail ${state.tail}`);
  if (state.ties === "average") options.push("--ties average");
  if (state.grade) options.push(`--max-grade ${state.grade}`);
  return `axio score ${options.join(" ")} -- ${rankings.map(quoted).join(" ")}`;
}

function showCommand(): void {
  const text = command(store.state);
  const dialog = h(
    "dialog",
    { class: "sheet", "aria-label": "The command" },
    h("p", {}, "The command prints the same numbers, bit for bit:"),
    h("pre", { tabindex: 0 }, text),
    h(
      "div",
      { class: "actions" },
      button("Copy", "Copy the command", () => void copy(text, "Command")),
      button("Close", "Close", () => dialog.close()),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Judgements and a run in TREC format: each ranking is a topic. */
function files(): void {
  const sides: Side[] = store.state.two === "1" ? ["a", "b"] : ["a"];
  let qrels = "";
  let run = "";
  let judged = 0;
  for (const which of sides) {
    const ranking = parse(store.state[which]);
    let group = ranking.docs.length;
    ranking.docs.forEach((doc, i) => {
      if (!doc.tied) group -= 1;
      run += `${which} Q0 d${i + 1} ${i + 1} ${group + 1} playground\n`;
      if (doc.grade !== null) qrels += `${which} 0 d${i + 1} ${doc.grade}\n`;
    });
    ranking.unretrieved.forEach((grade, i) => (qrels += `${which} 0 u${i + 1} ${grade}\n`));
    judged += ranking.docs.length;
  }
  download("playground.qrels", qrels);
  download("playground.run", run);
  announce(`${plural(judged, "document")} written to two files`);
}
