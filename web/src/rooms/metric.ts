// Your metric: write one, see its scores, let its properties be decided.

import { announce, copy, download, h, number, replace } from "../dom";
import { quoted } from "../command";
import { LibraryError, Stopped, failureOf, quick, slow } from "../engine";
import { type RoomView, button, failure, field, panel, select } from "../parts/frame";
import { look, reason, verdictOf, witness } from "../parts/verdict";
import { type Form, PATH, TEMPLATES, USUAL_CUTOFF, cutoffOfFormula, define, fileOf, isOwn, measureOf, placeOf, written } from "../own";
import { type State, store, words } from "../state";
import type { Check, Described, Scored, Verdicts } from "../types";
import { catalogue } from "../parts/measures";

const GROUPS = ["property", "constraint", "axiom"] as const;

const HELP: Record<Form, string> = {
  formula: "An expression over documents: sum(d in D : …), gain(d), pos(d), ideal(d), R, k; sets D, Rel, Ret.",
  file: "A whole file: scales, sets, a similarity and averages, or a score with parameters.",
  continuation: "The probability that the user reads on behind rank i, such as ((i+1)/(i+2))^2.",
};

export function metric(): RoomView {
  const lines = h("div", { class: "line-numbers", "aria-hidden": "true" });
  const editor = h("textarea", {
    id: "editor",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    rows: "14",
    "aria-label": "Your metric",
    "aria-describedby": "editor-help editor-error",
    oninput: () => {
      number_lines();
      store.set({ text: editor.value }, { typing: true });
    },
    onscroll: () => (lines.scrollTop = editor.scrollTop),
  });
  const help = h("p", { class: "quiet", id: "editor-help" });
  const error = h("div", { id: "editor-error", class: "editor-error", "aria-live": "polite" });
  const controls = h("div", { class: "fields" });
  const cutoff = h("input", {
    type: "number",
    min: "1",
    max: "1000",
    id: "own-k",
    onchange: () => {
      const k = Math.round(Number(cutoff.value));
      store.set({ k: k >= 1 ? String(k) : "" });
    },
  });
  const cutoffField = field("Cutoff k", cutoff, "The last rank that counts");
  const scores = h("div", { class: "own-scores" });
  const verdicts = h("div", { class: "own-verdicts" });
  const status = h("p", { role: "status", class: "quiet" });
  const ask = button("Decide its properties", "Search for cases against every property, constraint and axiom", () => void check(), { class: "primary" });
  const stop = button("Stop", "Stop the search; what was found stays", () => slow.stop(), { disabled: true });
  const command = button("Show the command", "How the command takes it", () => void copy(commandOf(store.state), "Command"));
  const play = button("Use in the playground", "Add it to the measures of the playground", () => use());
  const open = h("div", { class: "cell-detail", tabindex: -1 });
  const element = h(
    "div",
    { class: "room two-columns metric-room" },
    h(
      "div",
      { class: "column" },
      panel("Write it", {}, controls, help, h("div", { class: "editor" }, lines, editor), error, h("div", { class: "actions" },
        button("Download", "Download the file for axio -m", () => save()),
        command,
        play,
        button("Copy link", "Copy a link to this metric", () => void copy(location.href, "Link")),
      )),
    ),
    h(
      "div",
      { class: "column" },
      panel("Its scores on the playground's rankings", {}, scores),
      panel("Its properties", { head: h("div", { class: "actions tight" }, ask, stop) }, status, verdicts, open),
    ),
  );
  let turn = 0;
  let valid = false;
  let checked = "";
  let wrongLine = 0;

  function number_lines(): void {
    const count = editor.value.split("\n").length;
    replace(lines, ...Array.from({ length: count }, (_, i) => h("div", { class: i + 1 === wrongLine ? "wrong-line" : "" }, i + 1)));
  }

  async function update(state: State): Promise<void> {
    const mine = ++turn;
    drawControls(state);
    help.textContent = HELP[state.form as Form] ?? "";
    if (document.activeElement !== editor || editor.value !== state.text) {
      const text = written(state);
      if (editor.value !== text) editor.value = text;
    }
    number_lines();
    if (checked !== key(state)) {
      replace(verdicts, h("p", { class: "quiet" }, "Nothing was decided yet: press the button, and the row fills in as the laboratory searches."));
      replace(open);
      status.textContent = "";
    }
    // What is shown belongs to the formula before this one, which is clear only if the answer is quick.
    const waits = setTimeout(() => mine === turn && replace(scores, h("p", { class: "quiet" }, "Scoring…")), 150);
    try {
      await define(state);
      if (mine !== turn) return;
      drawCutoff(state);
      const [described] = await quick.call<Described[]>({ op: "measures", texts: [measureOf(state)] });
      if (described?.error) throw new LibraryError(described.error);
      if (mine !== turn) return;
      tell(null);
      await score(state, mine).catch((wrong) => mine === turn && replace(scores, failure(failureOf(wrong))));
    } catch (caught) {
      if (mine !== turn) return;
      replace(scores, h("p", { class: "quiet" }, "There are no scores while this cannot be read."));
      const told = failureOf(caught);
      const place = placeOf(state, told.line, told.column, told.message);
      // The lines behind the first point at the place, which the page does itself.
      tell({ message: told.message.split("\n")[0] ?? "", help: told.help, place });
    } finally {
      clearTimeout(waits);
    }
  }

  function tell(wrong: { message: string; help: string | null; place: { line: number; column: number } | null } | null): void {
    valid = wrong === null;
    for (const needs of [ask, command, play]) needs.disabled = !valid;
    editor.setAttribute("aria-invalid", String(!valid));
    wrongLine = wrong?.place?.line ?? 0;
    number_lines();
    if (!wrong) {
      replace(error, h("p", { class: "right" }, "✓ It can be read."));
      return;
    }
    const { message, place } = wrong;
    const text = editor.value.split("\n")[(place?.line ?? 0) - 1];
    replace(
      error,
      h("p", { class: "wrong" }, place ? `Line ${place.line}, column ${place.column}: ` : "", message),
      place && text !== undefined
        ? h("pre", { "aria-hidden": "true" }, `${text}\n${" ".repeat(Math.max(0, place.column - 1))}^`)
        : null,
      wrong.help ? h("p", { class: "quiet" }, `Help: ${wrong.help}`) : null,
    );
  }

  async function score(state: State, mine: number): Promise<void> {
    const rankings = state.two === "1" ? [state.a, state.b] : [state.a];
    const others = words(state.m).filter((text) => !isOwn(text) && text !== measureOf(state)).slice(0, 4);
    const scored = await quick.call<Scored>({ op: "score", rankings, measures: [measureOf(state), ...others] });
    if (mine !== turn) return;
    const wrong = scored.errors.find(({ text }) => text === measureOf(state));
    if (wrong) throw new LibraryError(wrong.error);
    const name = (text: string): string => (isOwn(text) ? text.replace(PATH, "yours") : text === measureOf(state) ? "yours" : text);
    replace(
      scores,
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores of your metric" },
        h(
          "table",
          { class: "numbers" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "ranking"), ...scored.texts.map((text) => h("th", { scope: "col" }, name(text))))),
          h(
            "tbody",
            {},
            ...scored.document.rankings.map((ranking) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, h("code", {}, ranking.ranking)),
                ...ranking.measures.map((m, i) =>
                  h("td", { class: i === 0 ? "own-value" : "", title: m.undefined, "data-score": m.value ?? "" }, m.undefined ? "undefined" : number(m.value))),
              ),
            ),
          ),
        ),
      ),
    );
  }

  const key = (state: State): string => `${state.form}\n${state.k}\n${written(state)}`;

  async function check(): Promise<void> {
    if (!valid) return;
    const state = store.state;
    checked = key(state);
    const { checks } = await catalogue();
    const found: Verdicts["metrics"][number] = { metric: measureOf(state), verdicts: [] };
    const asked = new Set<string>();
    draw(found, checks, asked);
    ask.disabled = true;
    stop.disabled = false;
    const start = performance.now();
    try {
      for (const group of GROUPS) {
        status.textContent = `Deciding: ${group === "property" ? "properties" : `${group}s`}…`;
        const answer = await slow.call<Verdicts>({ op: "check", measure: measureOf(state), groups: [group] });
        if (checked !== key(store.state)) return;
        found.verdicts.push(...(answer.metrics[0]?.verdicts ?? []));
        asked.add(group);
        draw(found, checks, asked);
      }
      status.textContent = `Decided in ${((performance.now() - start) / 1000).toFixed(1)} s. Click a cell for its witness or proof.`;
      announce(`Decided: ${found.verdicts.filter((v) => v.verdict === "holds").length} hold`);
    } catch (caught) {
      if (caught instanceof Stopped) status.textContent = "Stopped. What was decided stays.";
      else replace(open, failure(failureOf(caught)));
    } finally {
      ask.disabled = !valid;
      stop.disabled = true;
    }
  }

  function draw(found: Verdicts["metrics"][number], checks: Check[], asked: Set<string>): void {
    const cell = (one: Check): HTMLElement => {
      const finding = verdictOf(found, one.name);
      const seen = look(finding);
      const waiting = !asked.has(one.group);
      return h(
        "button",
        {
          type: "button",
          class: `own-cell verdict ${waiting ? "waiting" : seen.kind}`,
          disabled: waiting || !finding,
          title: finding ? `${seen.word}. ${reason(finding)}` : one.meaning,
          onclick: () => {
            if (!finding) return;
            replace(
              open,
              h("h3", {}, one.title ? `${one.name}: ${one.title}` : one.name),
              h("p", { class: "statement" }, one.meaning),
              h("p", {}, h("strong", {}, seen.word)),
              finding.witness ? witness(found.metric, finding.group, finding.witness) : h("p", {}, reason(finding)),
            );
          },
        },
        h("span", { class: "own-name" }, one.name),
        h("span", { class: "own-symbol", "aria-hidden": "true" }, waiting ? "…" : seen.symbol),
        h("span", { class: "unseen" }, waiting ? "not decided yet" : seen.word),
      );
    };
    replace(verdicts, ...GROUPS.map((group) => h("div", { class: "own-group" }, ...checks.filter((one) => one.group === group).map(cell))));
  }

  function drawControls(state: State): void {
    if (controls.contains(document.activeElement)) {
      const id = document.activeElement?.id;
      queueMicrotask(() => (id ? document.getElementById(id)?.focus() : undefined));
    }
    const templates = TEMPLATES[state.form as Form] ?? [];
    replace(
      controls,
      field(
        "Write",
        select(
          [
            ["formula", "a formula"],
            ["file", "a component file"],
            ["continuation", "a continuation probability c(i)"],
          ],
          state.form,
          (form) => store.set({ form, text: "" }),
          { id: "form" },
        ),
        "In which form it is written",
      ),
      field(
        "Start from",
        select(
          [["", "choose a template…"], ...templates.map(({ name }, i): [string, string] => [String(i), name])],
          "",
          (i) => store.set({ text: templates[Number(i)]?.text ?? "" }),
          { id: "template" },
        ),
        "Replaces your text",
      ),
      state.form === "continuation" ? null : cutoffField,
    );
    drawCutoff(state);
  }

  /** A formula without k has no cutoff; one that computes with k needs one. */
  function drawCutoff(state: State): void {
    const takes = cutoffOfFormula();
    cutoff.disabled = takes === "never";
    cutoff.placeholder = { never: "no k", optional: "none", required: USUAL_CUTOFF }[takes];
    if (document.activeElement !== cutoff) cutoff.value = takes === "never" ? "" : state.k;
  }

  function save(): void {
    const text = fileOf(store.state);
    download(PATH, text ?? `# axio takes this user as a parameter: -m '${measureOf(store.state)}'\n`);
  }

  function use(): void {
    const measure = measureOf(store.state);
    const all = [measure, ...words(store.state.m).filter((text) => !isOwn(text) && text !== measure)];
    store.set({ room: "playground", m: all.join(" "), s: measure });
  }

  const unsubscribe = store.subscribe((state) => {
    if (state.room === "metric") void update(state);
  });
  void update(store.state);
  return {
    element,
    leave: () => {
      unsubscribe();
      if (!stop.disabled) slow.stop();
    },
  };
}

function commandOf(state: State): string {
  const measure = quoted(measureOf(state));
  return `axio score -m ${measure} -- ${quoted(state.a)}\naxio check ${measure}`;
}
