// Properties: measures by what is proved and refuted of them, and what can be had together.

import { h, plural, replace } from "../dom";
import { Stopped, asset, failureOf, quick, slow } from "../engine";
import { lattice } from "../parts/lattice";
import { type RoomView, button, failure, field, panel, select } from "../parts/frame";
import { catalogue } from "../parts/measures";
import { type Row, look, reason, verdictOf, witness } from "../parts/verdict";
import { type Wanted, choose } from "../parts/wishes";
import { type State, store, words } from "../state";
import type { Catalogue, Lattice, Verdicts } from "../types";

interface Known {
  catalogue: Catalogue;
  rows: Row[];
  lattice: Lattice;
}

let loaded: Promise<Known> | undefined;
function load(): Promise<Known> {
  loaded ??= Promise.all([
    catalogue(),
    asset("verdicts.json").then((text) => (JSON.parse(text) as Verdicts).metrics),
    quick.call<Lattice>({ op: "lattice" }),
  ]).then(([known, rows, together]) => ({ catalogue: known, rows, lattice: together }));
  loaded.catch(() => (loaded = undefined));
  return loaded;
}

const bare = (metric: string): string => metric.split(/[@(]/)[0] ?? metric;
const label = (row: Row): string => (row.finite ? `${row.metric} (finite)` : row.metric);

export function properties(): RoomView {
  const wishes = h("div", { class: "wishes" });
  const outcome = h("div", { class: "outcome" });
  const filters = h("div", { class: "fields" });
  const board = h("div", { class: "board" });
  const detail = h("div", { class: "cell-detail", tabindex: -1 }, h("p", { class: "quiet" }, "Loading the verdicts…"));
  const matrixPanel = panel("Measures by properties", { class: "matrix-panel" }, filters, board);
  const element = h(
    "div",
    { class: "room properties" },
    h("div", { class: "column" }, matrixPanel),
    h(
      "div",
      { class: "column" },
      panel("What do you want?", { class: "wish-panel" }, wishes, outcome),
      panel("This cell", { class: "cell-panel" }, detail),
    ),
  );
  let leaving = false;

  async function update(state: State, before?: State): Promise<void> {
    try {
      const known = await load();
      if (leaving || store.state.room !== "properties") return;
      draw(known, state, before);
    } catch (error) {
      replace(board, failure(failureOf(error)));
    }
  }

  function draw(known: Known, state: State, before?: State): void {
    const wanted = ofTask(known, state);
    const chosen = choose(wanted, known.lattice);
    const only = (...keys: (keyof State)[]): boolean =>
      before !== undefined &&
      (Object.keys(state) as (keyof State)[]).every((key) => keys.includes(key) || state[key] === before[key]);
    if (!only("cell")) {
      drawFilters(known, state, wanted);
      drawWishes(wanted);
      drawOutcome(wanted, chosen);
      if (state.view === "lattice" && state.task === "ranking") {
        replace(board, lattice(wanted, known.lattice, board.clientWidth || 640));
      } else {
        drawMatrix(known, state, wanted, chosen.fits.length > 0 || wanted.want.length === 0 ? chosen.fits : null);
      }
    } else {
      for (const cell of board.querySelectorAll<HTMLElement>("[data-cell]")) {
        const here = cell.dataset.cell === state.cell;
        cell.classList.toggle("open", here);
        cell.setAttribute("aria-selected", String(here));
      }
    }
    drawDetail(known, state);
  }

  function drawFilters(known: Known, state: State, wanted: Wanted): void {
    const focus = document.activeElement?.id;
    const families = [...new Set(wanted.rows.map((row) => familyOf(known, row)))].sort();
    const find = h("input", {
      type: "search",
      id: "find-measure",
      value: state.find,
      placeholder: "nDCG",
      oninput: () => store.set({ find: find.value }, { typing: true }),
    });
    const shown = words(state.groups);
    const group = (name: string, text: string): HTMLElement => {
      const box = h("input", {
        type: "checkbox",
        checked: shown.includes(name),
        id: `group-${name}`,
        onchange: () => {
          const next = ["property", "constraint", "axiom"].filter((other) =>
            other === name ? box.checked : shown.includes(other),
          );
          store.set({ groups: next.join(" ") || "property" });
        },
      });
      return h("label", { class: "check" }, box, text);
    };
    replace(
      filters,
      field(
        "Kind of output",
        select(
          [
            ["ranking", "rankings"],
            ["diversity", "rankings by subtopic"],
            ["clustering", "clusterings"],
            ["filtering", "filterings"],
          ],
          state.task,
          (task) => store.set({ task, want: "", cell: "", family: "", sort: "", view: "matrix" }),
          { id: "task" },
        ),
        "What the measures score",
      ),
      field(
        "Family",
        select([["", "all"], ...families.map((f): [string, string] => [f, f.replaceAll("_", " ")])], state.family, (family) => store.set({ family }), { id: "family" }),
        "Measures that are computed alike",
      ),
      field("Find", find, "A part of a name or title"),
      state.task === "ranking"
        ? h(
            "fieldset",
            { class: "groups" },
            h("legend", {}, "Columns"),
            group("property", "properties"),
            group("constraint", "constraints"),
            group("axiom", "axioms"),
          )
        : null,
      state.task === "ranking"
        ? field(
            "View",
            select(
              [
                ["matrix", "matrix"],
                ["lattice", "diagram"],
              ],
              state.view,
              (view) => store.set({ view }),
              { id: "view" },
            ),
            "A table, or what goes together",
          )
        : null,
    );
    if (focus && filters.querySelector(`#${CSS.escape(focus)}`)) {
      const again = document.getElementById(focus) as HTMLInputElement;
      again.focus();
      if (focus === "find-measure") again.setSelectionRange(again.value.length, again.value.length);
    }
  }

  function drawWishes(wanted: Wanted): void {
    const focus = wishes.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.wish
      : undefined;
    const chip = (name: string, gist: string): HTMLElement =>
      h(
        "button",
        {
          type: "button",
          class: "chip",
          title: gist,
          "data-wish": name,
          "aria-pressed": String(wanted.want.includes(name)),
          onclick: () => {
            const rest = wanted.want.filter((other) => other !== name);
            store.set({ want: (rest.length < wanted.want.length ? rest : [...rest, name]).join(" ") });
          },
        },
        name,
      );
    replace(
      wishes,
      h("div", { class: "chips", role: "group", "aria-label": "Properties to ask for" }, ...wanted.columns.map(({ name, gist }) => chip(name, gist))),
      wanted.want.length > 0
        ? button("Clear", "Ask for nothing", () => store.set({ want: "" }), { class: "link" })
        : null,
    );
    if (focus) wishes.querySelector<HTMLElement>(`[data-wish="${CSS.escape(focus)}"]`)?.focus();
  }

  function drawOutcome(wanted: Wanted, chosen: ReturnType<typeof choose>): void {
    if (wanted.want.length === 0) {
      replace(outcome, h("p", { class: "quiet" }, "Pick properties: the matrix keeps the measures that have them all. Not all of them go together; if none is left, you see why."));
      return;
    }
    const parts: (HTMLElement | null)[] = [
      h(
        "p",
        { class: "told", role: "status" },
        chosen.fits.length > 0
          ? `${plural(chosen.fits.length, "measure has", "measures have")} all of these.`
          : chosen.made.length > 0
            ? `No measure in use has all of these, but they can be had: ${chosen.made.join(", ")} was made to show it.`
            : chosen.impossible
              ? "No measure can have all of these."
              : "No measure here has all of these.",
      ),
    ];
    if (chosen.fits.length > 0) {
      parts.push(h("p", {}, chosen.fits.slice(0, 24).map(label).join(", "), chosen.fits.length > 24 ? ", …" : ""));
    }
    if (chosen.impossible && chosen.fits.length === 0) {
      parts.push(
        h("h3", {}, `Why not: ${chosen.impossible.properties.join(", ")}`),
        derivation(chosen.impossible.derivation),
      );
    }
    if (chosen.giveUp.length > 0) {
      parts.push(
        h("h3", {}, "Give up one of these"),
        h(
          "ul",
          { class: "give-up" },
          ...chosen.giveUp.slice(0, 6).map(({ names, fits }) =>
            h(
              "li",
              {},
              button(names.join(" and "), "Take it back", () =>
                store.set({ want: wanted.want.filter((w) => !names.includes(w)).join(" ") }), { class: "link" }),
              ` leaves ${fits.slice(0, 6).join(", ")}${fits.length > 6 ? ` and ${fits.length - 6} more` : ""}`,
            ),
          ),
        ),
      );
    }
    replace(outcome, ...parts);
  }

  function drawMatrix(known: Known, state: State, wanted: Wanted, fits: Row[] | null): void {
    const needle = state.find.toLowerCase();
    const title = (row: Row): string => known.catalogue.measures.find((m) => m.name === bare(row.metric))?.title ?? "";
    let rows = wanted.rows
      .filter((row) => !state.family || familyOf(known, row) === state.family)
      .filter((row) => !needle || `${row.metric} ${title(row)}`.toLowerCase().includes(needle))
      .filter((row) => wanted.want.length === 0 || fits === null || fits.includes(row));
    const order = ["proved", "searched", "weak", "undecided", "none", "violated"];
    if (state.sort) {
      const rank = (row: Row): number => order.indexOf(look(verdictOf(row, state.sort)).kind);
      rows = [...rows].sort((x, y) => rank(x) - rank(y));
    }
    const focused = board.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.cell
      : undefined;
    const columns = wanted.columns;
    const first = state.cell || (rows[0] && columns[0] ? `${label(rows[0])} ${columns[0].name}` : "");
    const head = h(
      "tr",
      { role: "row" },
      h("th", { scope: "col", role: "columnheader", class: "corner" }, `${rows.length} of ${wanted.rows.length}`),
      ...columns.map(({ name, gist }) =>
        h(
          "th",
          { scope: "col", role: "columnheader", "aria-sort": state.sort === name ? "descending" : "none" },
          button(name, `${gist}. Click to sort.`, () => store.set({ sort: state.sort === name ? "" : name }), { class: "column-head" }),
        ),
      ),
    );
    const cell = (row: Row, name: string): HTMLElement => {
      const finding = verdictOf(row, name);
      const { symbol, word, kind } = look(finding);
      const key = `${label(row)} ${name}`;
      const open = key === state.cell;
      return h(
        "td",
        {
          role: "gridcell",
          class: `verdict ${kind}${open ? " open" : ""}`,
          tabindex: key === first ? 0 : -1,
          "data-cell": key,
          "aria-selected": String(open),
          "data-why": finding ? `${word}. ${reason(finding)}` : word,
        },
        h("span", { "aria-hidden": "true" }, symbol),
        h("span", { class: "unseen" }, `${label(row)}, ${name}: ${word}${finding ? `. ${reason(finding)}` : ""}`),
      );
    };
    const body: HTMLElement[] = [];
    let family = "";
    for (const row of rows) {
      const own = familyOf(known, row);
      if (!state.sort && own !== family) {
        family = own;
        body.push(h("tr", { class: "family", role: "row" }, h("th", { role: "rowheader", colspan: columns.length + 1, scope: "rowgroup" }, family.replaceAll("_", " "))));
      }
      body.push(
        h(
          "tr",
          { role: "row" },
          h("th", { scope: "row", role: "rowheader", title: title(row) }, label(row)),
          ...columns.map(({ name }) => cell(row, name)),
        ),
      );
    }
    const table = h(
      "table",
      { class: "matrix", role: "grid", "aria-label": "Verdicts: measures by properties" },
      h("thead", { role: "rowgroup" }, head),
      h("tbody", { role: "rowgroup" }, ...body),
    );
    table.addEventListener("click", (event) => {
      const hit = (event.target as Element).closest<HTMLElement>("[data-cell]");
      if (hit) openCell(hit);
    });
    table.addEventListener("keydown", (event) => walk(event, table));
    // The one-line reason of the cell under the pointer or the focus.
    const why = h("p", { class: "why quiet", "aria-hidden": "true" }, "Point at a cell, or go to it with the arrow keys: its reason stands here.");
    for (const kind of ["pointerover", "focusin"]) {
      table.addEventListener(kind, (event) => {
        const cell = (event.target as Element).closest<HTMLElement>("[data-cell]");
        if (cell) why.textContent = `${cell.dataset.cell ?? ""}: ${cell.dataset.why ?? ""}`;
      });
    }
    const scroll = h("div", { class: "matrix-scroll", role: "region", "aria-label": "Matrix", tabindex: rows.length ? undefined : 0 }, table);
    const before = board.querySelector(".matrix-scroll");
    const [top, left] = [before?.scrollTop ?? 0, before?.scrollLeft ?? 0];
    replace(
      board,
      rows.length === 0 ? h("p", { class: "quiet" }, "No measure is left: take a filter or a wish back.") : scroll,
      rows.length === 0 ? null : why,
      h(
        "p",
        { class: "legend quiet" },
        ...[
          ["proved", "✓", "proved"],
          ["searched", "✓", "no case against it found"],
          ["violated", "✗", "a case against it"],
          ["weak", "~", "ties only"],
          ["undecided", "?", "not decided"],
          ["none", "·", "makes no sense"],
        ].flatMap(([kind, symbol, text]) => [h("span", { class: `key verdict ${kind ?? ""}` }, symbol), ` ${text ?? ""}  `]),
      ),
    );
    scroll.scrollTop = top;
    scroll.scrollLeft = left;
    if (focused) board.querySelector<HTMLElement>(`[data-cell="${CSS.escape(focused)}"]`)?.focus();
  }

  function openCell(cell: HTMLElement): void {
    for (const other of board.querySelectorAll<HTMLElement>('[data-cell][tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus();
    store.set({ cell: cell.dataset.cell ?? "" });
    // On a small screen it stands below.
    detail.closest(".panel")?.scrollIntoView({ block: "nearest" });
  }

  function walk(event: KeyboardEvent, table: HTMLElement): void {
    const here = (event.target as Element).closest<HTMLElement>("[data-cell]");
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      openCell(here);
      return;
    }
    const rows = [...table.querySelectorAll<HTMLElement>("tbody tr:not(.family)")];
    const cells = rows.map((row) => [...row.querySelectorAll<HTMLElement>("[data-cell]")]);
    const y = cells.findIndex((row) => row.includes(here));
    const x = cells[y]?.indexOf(here) ?? 0;
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      Home: [0, -x],
      End: [0, (cells[y]?.length ?? 1) - 1 - x],
      PageUp: [-10, 0],
      PageDown: [10, 0],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const to = cells[Math.max(0, Math.min(cells.length - 1, y + step[0]))];
    const next = to?.[Math.max(0, Math.min(to.length - 1, x + step[1]))];
    if (!next) return;
    here.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  function drawDetail(known: Known, state: State): void {
    const at = state.cell.lastIndexOf(" ");
    const [name, check] = [state.cell.slice(0, at), state.cell.slice(at + 1)];
    const row = known.rows.find((other) => label(other) === name);
    const statement = known.catalogue.checks.find((other) => other.name === check);
    const heading = element.querySelector(".cell-panel h2");
    if (heading) heading.textContent = row ? `${name}: ${check}` : "This cell";
    if (!row) {
      replace(detail, h("p", { class: "quiet" }, "Click a cell, or go to it with the arrow keys and press Enter: a No opens its witness, a Yes its proof or how far was searched."));
      return;
    }
    const findings = row.verdicts.filter((finding) => finding.name === check);
    const version = (f: (typeof findings)[number]): string =>
      f.scope ?? (f.restrict ? `ranks ${f.restrict === "keep" ? "kept" : "counted anew"}` : f.rankings ? `systems rank ${f.rankings === "full" ? "all documents" : "some or all"}` : "");
    const again = h("div", { class: "again" });
    replace(
      detail,
      statement
        ? h("p", { class: "statement" }, statement.title ? h("strong", {}, `${statement.title}. `) : null, statement.meaning)
        : h("p", { class: "statement" }, gistOf(known, check)),
      ...findings.map((finding) => {
        const { symbol, word, kind } = look(finding);
        return h(
          "div",
          { class: "finding" },
          h("p", {}, h("span", { class: `key verdict ${kind}` }, symbol), " ", h("strong", {}, word), version(finding) ? ` (${version(finding)})` : ""),
          finding.witness ? witness(row.metric, finding.group, finding.witness) : h("p", {}, reason(finding)),
        );
      }),
      h(
        "div",
        { class: "actions" },
        button("Decide it again, here", "Run the search or the proof in this browser", () => void decide(row, findings[0]?.group ?? "property", check, again)),
      ),
      again,
    );
  }

  async function decide(row: Row, group: string, check: string, place: HTMLElement): Promise<void> {
    replace(
      place,
      h("p", { role: "status" }, "Searching… ", button("Stop", "Stop the search", () => slow.stop())),
    );
    const start = performance.now();
    try {
      const found = await slow.call<Verdicts>({ op: "check", measure: row.metric, groups: [group] });
      const same = found.metrics.find((metric) => metric.finite === row.finite);
      const finding = same && verdictOf(same, check);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      replace(place, h("p", { role: "status" }, finding ? `${look(finding).word}: ${reason(finding)} (${seconds} s)` : "No answer."));
    } catch (error) {
      replace(place, error instanceof Stopped ? h("p", { role: "status" }, "Stopped.") : failure(failureOf(error)));
    }
  }

  const stop = store.subscribe((state, before) => {
    if (state.room === "properties") void update(state, before);
  });
  void update(store.state);
  return {
    element,
    leave: () => {
      leaving = true;
      stop();
    },
  };
}

function gistOf(known: Known, check: string): string {
  for (const list of Object.values(known.catalogue.wishes)) {
    const found = list.find(({ name }) => name === check);
    if (found) return found.gist;
  }
  return "";
}

function familyOf(known: Known, row: Row): string {
  return known.catalogue.measures.find((m) => m.name === bare(row.metric))?.family ?? "other";
}

const DIVERSITY = "aspect-diversity";

/** The rows and the columns of a task. */
function ofTask(known: Known, state: State): Wanted {
  const want = words(state.want);
  const isOrganization = (row: Row): boolean => row.finite !== undefined;
  const isDiversity = (row: Row): boolean => verdictOf(row, DIVERSITY) !== undefined;
  if (state.task !== "ranking") {
    const columns = known.catalogue.wishes[state.task] ?? [];
    const speaks = (row: Row): boolean =>
      columns.some(({ name }) => {
        const found = verdictOf(row, name);
        return found !== undefined && found.verdict !== "n/a";
      });
    const fits = (row: Row): boolean => (state.task === "diversity" ? isDiversity(row) : isOrganization(row));
    return { want, columns, rows: known.rows.filter((row) => fits(row) && speaks(row)), all: [] };
  }
  const groups = words(state.groups);
  const gists = new Map(known.catalogue.wishes.ranking?.map(({ name, gist }) => [name, gist]));
  const checks = known.catalogue.checks.filter((check) => groups.includes(check.group) || want.includes(check.name));
  const columns = checks.map((check) => ({
    name: check.name,
    gist: gists.get(check.name) ?? `${check.title ?? ""}: ${check.meaning}`,
  }));
  const rows = known.rows.filter((row) => !isOrganization(row) && !isDiversity(row));
  const all = known.rows.filter((row) => !isOrganization(row));
  return { want, columns, rows, all };
}

/** The steps of a contradiction: rankings, with the property under each arrow. */
function derivation(text: string): HTMLElement {
  const lines = text.trimEnd().split("\n");
  const parts = lines.map((line) => {
    const steps = line.trim().split(/\s(≤|<|=)\s/);
    // What comes before the chains is a sentence.
    if (steps.length < 3 || /^Of the /.test(line)) return h("p", {}, line.trim());
    const chain: HTMLElement[] = [];
    steps.forEach((step, i) => {
      if (i % 2 === 1) return;
      const named = /^(.*?)\s*(?:\(([^)]*)\))?([:.].*)?$/.exec(step);
      if (i > 0) {
        chain.push(h("span", { class: "arrow" }, h("span", {}, steps[i - 1] ?? ""), h("small", {}, named?.[2] ?? "")));
      }
      chain.push(h("code", {}, named?.[1] ?? step));
      if (named?.[3]) chain.push(h("span", {}, named[3]));
    });
    return h("p", { class: "chain" }, ...chain);
  });
  return h("div", { class: "derivation" }, ...parts);
}
