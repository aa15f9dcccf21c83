// Organizations: levels and clusters of documents beside a gold standard.

import { copy, h, number, plural, replace } from "../dom";
import { quoted } from "../command";
import { failureOf, quick } from "../engine";
import { Board, type Line } from "../parts/board";
import { type RoomView, button, failure, field, panel, select } from "../parts/frame";
import { type Organization, parse, print } from "../organization";
import { type State, store } from "../state";
import { ORGANIZATIONS, exampleOf } from "./examples";
import type { Organized } from "../types";

const EMPTY: Organization = { levels: [], discarded: [] };

export function organizations(): RoomView {
  const side = (which: "gold" | "org", name: string): { element: HTMLElement; board: Board; text: HTMLInputElement; wrong: HTMLElement } => {
    const board = new Board(name, (organization: Organization) => store.set({ [which]: print(organization) }));
    const text = h("input", {
      type: "text",
      class: "notation",
      spellcheck: "false",
      "aria-label": `${name} as text`,
      title: "Levels between slashes, clusters in braces, what is discarded behind a bar",
      oninput: () => store.set({ [which]: text.value }, { typing: true }),
    });
    const wrong = h("div");
    return { element: panel(name, { class: `org-side ${which}`, head: text }, wrong, board.element), board, text, wrong };
  };
  const gold = side("gold", "Gold standard");
  const system = side("org", "System");
  const controls = h("div");
  const problem = h("div", { class: "problem" });
  const scores = h("div", { class: "org-scores" });
  const differences = h("div", { class: "differences" });
  // It comes with the scores: before them it would only move.
  const relations = panel("Relations lost and invented", { hidden: true }, differences);
  const element = h(
    "div",
    { class: "room organizations" },
    h("div", { class: "column" }, h("div", { class: "two-columns sides" }, gold.element, system.element), panel("Settings", { class: "controls" }, controls)),
    h("div", { class: "column" }, problem, panel("Scores", {}, scores), relations),
  );
  let turn = 0;
  for (const [one, text] of [[gold, store.state.gold], [system, store.state.org]] as const) {
    const parsed = parse(text);
    if (parsed) one.board.show(parsed, []);
  }

  async function update(state: State): Promise<void> {
    const mine = ++turn;
    drawControls(state);
    for (const [one, text] of [[gold, state.gold], [system, state.org]] as const) {
      if (document.activeElement !== one.text) one.text.value = text;
    }
    try {
      const answer = await quick.call<Organized>({
        op: "organize",
        gold: state.gold,
        system: state.org,
        finite: state.finite === "1",
        variant: state.finite === "1" ? undefined : state.finite === "9" ? "table9" : "printed",
        differences: 24,
      });
      if (mine !== turn) return;
      replace(problem);
      draw(state, answer);
    } catch (error) {
      if (mine !== turn) return;
      replace(problem, failure(failureOf(error)));
      // The scores of another state would look like those of this one.
      for (const [one, text] of [[gold, state.gold], [system, state.org]] as const) one.board.show(parse(text) ?? EMPTY, []);
      replace(scores);
      replace(differences);
      relations.hidden = true;
    }
  }

  function draw(state: State, answer: Organized): void {
    const found = answer.document.systems[0];
    if (!found) return;
    relations.hidden = false;
    const told = Object.values(found.explain ?? {})[0] ?? { lost: [], invented: [] };
    const line = (kind: "lost" | "invented") => ({ relation, weight }: { relation: string; weight: number }): Line & { weight: number } => {
      const [, from = "", word = "", to = ""] = /^(\S+) (\S+) (\S+)$/.exec(relation) ?? [];
      return { from, to, kind, weight, words: word ? `${from} ${word} ${to}: ${kind}` : `${relation}: ${kind}` };
    };
    const lines = [...told.lost.map(line("lost")), ...told.invented.map(line("invented"))];
    // What was lost stands in the gold standard, what was invented in the system.
    const sides = [[gold, state.gold, "lost"], [system, state.org, "invented"]] as const;
    for (const [one, text, kind] of sides) {
      const parsed = parse(text);
      const drawn = state.lines === "1" ? lines.filter((line) => line.kind === kind) : [];
      replace(one.wrong, parsed ? null : h("p", { class: "quiet" }, "Weights, scores and links are edited as text."));
      one.board.show(parsed ?? EMPTY, drawn);
    }
    const { mean } = found;
    const about = new Map(answer.measures.map((measure) => [measure.name, measure]));
    const big = ["R", "S", "F"].map((name) =>
      h(
        "div",
        { class: "big", title: about.get(name)?.summary },
        h("span", { class: "big-name" }, name === "F" ? "F of both" : (about.get(name)?.title ?? name)),
        h("span", { class: "number big-number", "data-measure": name, "data-score": mean[name] ?? "" }, number(mean[name])),
      ),
    );
    const row = (name: string): HTMLElement =>
      h(
        "tr",
        { title: about.get(name)?.summary },
        h("th", { scope: "row" }, about.get(name)?.title ?? name),
        h("td", { "data-measure": name, "data-score": mean[name] ?? "" }, mean[name] === null ? "undefined" : number(mean[name])),
      );
    const tasks = [...new Set(answer.measures.map(({ task }) => task))];
    const details = tasks.map((task) => {
      const names = answer.measures.filter((measure) => measure.task === task && !["R", "S", "F"].includes(measure.name)).map(({ name }) => name);
      return h(
        "details",
        { open: task !== "filtering" && mean[names[0] ?? ""] !== null },
        h("summary", {}, `${task}: ${plural(names.length, "measure")}`),
        h("table", { class: "numbers" }, h("tbody", {}, ...names.map(row))),
      );
    });
    // What was open stays open.
    const before = new Map([...scores.querySelectorAll("details")].map((d, i) => [i, d.open]));
    details.forEach((d, i) => (d.open = before.get(i) ?? d.open));
    replace(scores, h("div", { class: "bigs" }, ...big), ...details);
    const list = (kind: "lost" | "invented", title: string): HTMLElement => {
      const rows = told[kind];
      return h(
        "div",
        {},
        h("h3", { class: kind }, `${title} (${rows.length})`),
        rows.length === 0
          ? h("p", { class: "quiet" }, "none")
          : h("ul", {}, ...rows.map(({ relation, weight }) => h("li", {}, relation, h("span", { class: "quiet" }, ` ${number(weight)}`)))),
      );
    };
    replace(differences, h("div", { class: "two-columns" }, list("lost", "Lost"), list("invented", "Invented")));
  }

  function drawControls(state: State): void {
    if (controls.contains(document.activeElement)) {
      const id = document.activeElement?.id;
      queueMicrotask(() => (id ? document.getElementById(id)?.focus() : undefined));
    }
    const box = h("input", {
      type: "checkbox",
      id: "org-lines",
      checked: state.lines === "1",
      onchange: () => store.set({ lines: box.checked ? "1" : "0" }),
    });
    replace(
      controls,
      h(
        "div",
        { class: "fields" },
        field(
          "Examples",
          select([["", "Open an example…"], ...ORGANIZATIONS.map(({ name }, i): [string, string] => [String(i), name])], "", (i) => {
            const example = ORGANIZATIONS[Number(i)];
            if (example) store.set(example.state);
          }, { id: "org-example" }),
          exampleOf(state, ORGANIZATIONS)?.about ?? "Those of Table 9 in the paper, and others",
        ),
        field(
          "Collection",
          select(
            [
              ["1", "these documents alone"],
              ["0", "a tail of discarded documents"],
              ["9", "a tail, as in Table 9"],
            ],
            state.finite,
            (finite) => store.set({ finite }),
            { id: "org-finite" },
          ),
          "Whether more was discarded than is shown",
        ),
        h("label", { class: "check" }, box, "Draw the relations lost and invented"),
      ),
      h(
        "div",
        { class: "actions" },
        button("New document", "Add a document to the system, on a level below all others", () => fresh(), { id: "org-add" }),
        button("Start from the gold standard", "Make the system equal to the gold standard", () => store.set({ org: store.state.gold }), { id: "org-same" }),
        button("Show the command", "The same on the command line", () => void copy(commandOf(store.state), "Command"), { id: "org-command" }),
        button("Copy link", "Copy a link to exactly this state", () => void copy(location.href, "Link"), { id: "org-link" }),
      ),
    );
  }

  function fresh(): void {
    const known = `${store.state.gold} ${store.state.org}`;
    let n = 1;
    while (new RegExp(`\\bd${n}\\b`).test(known)) n += 1;
    const parsed = parse(store.state.org);
    if (parsed) store.set({ org: print({ ...parsed, levels: [...parsed.levels, [[`d${n}`]]] }) });
  }

  const unsubscribe = store.subscribe((state) => {
    if (state.room === "organizations") void update(state);
  });
  void update(store.state);
  return { element, leave: unsubscribe };
}

export function commandOf(state: State): string {
  const finite = state.finite === "1" ? " --finite" : state.finite === "9" ? " --variant table9" : "";
  return `axio organize${finite} --explain --notation ${quoted(state.gold)} ${quoted(state.org)}`;
}
