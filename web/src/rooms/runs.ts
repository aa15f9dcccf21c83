// Your runs: judgements and runs scored, compared and taken apart in the browser.

import { announce, copy, download, h, plural, replace } from "../dom";
import { quoted } from "../command";
import { LibraryError, Stopped, asset, failureOf, plotting, reader } from "../engine";
import { type Dropped, rememberNames, rememberedNames, roleOf, size } from "../files";
import { figure } from "../parts/figure";
import { type RoomView, button, failure, field, panel, select } from "../parts/frame";
import { resultsTable } from "../parts/results";
import { TopicView, type TopicRow, topicList } from "../parts/topic";
import { fileOf, isOwn } from "../own";
import { Viewer } from "../parts/viewer";
import { type State, store, words } from "../state";
import type { Drawn, Failure, Results, Warning } from "../types";

const EXAMPLES: Record<string, { title: string; qrels: string; runs: string[] }> = {
  web: {
    title: "Web search: 20 topics, 4 runs",
    qrels: "web-qrels.txt",
    runs: ["web-bm25.run", "web-bm25-rm3.run", "web-dense.run", "web-hybrid.run"],
  },
  passages: {
    title: "Passages: 3 runs",
    qrels: "passages-qrels.txt",
    runs: ["passages-bm25.run", "passages-dense.run", "passages-reranked.run"],
  },
};

/** Runs of up to so many bytes stay in memory after they were scored. */
const KEPT = 64 << 20;

/** Files are no part of a link; they last as long as the page. */
let dropped: Dropped[] = [];

/** The names of files that the page had before it was loaded again. */
let gone = rememberedNames();

function keep(files: Dropped[]): void {
  dropped = files;
  gone = gone.filter((name) => !files.some((file) => file.name === name));
  rememberNames([...gone, ...files.map(({ name }) => name)]);
}

interface Study {
  key: string;
  /** Why nothing can be scored. */
  lacks: string | null;
  /** What is wrong with the files that are left out. */
  failures: Map<Dropped, Failure>;
  results: Results;
  judgements: Dropped;
  /** The runs that were scored. */
  files: Dropped[];
  kept: boolean[];
  generation: number;
  maxGrade: number;
  /** The baseline of the results. */
  baseline: number | null;
  /** The plots of the report that were drawn, by measure and baseline. */
  drawn: Map<string, Promise<Drawn[]>>;
}

let study: Study | undefined;

const exampleName = (file: string): string => file.replace(/^[a-z]+-/, "");

async function exampleFiles(name: string): Promise<Dropped[]> {
  const example = EXAMPLES[name];
  if (!example) return [];
  const read = async (file: string, role: Dropped["role"]): Promise<Dropped> => ({
    name: exampleName(file),
    blob: new Blob([await asset(`examples/${file}`)]),
    role,
  });
  return Promise.all([read(example.qrels, "judgements"), ...example.runs.map((file) => read(file, "run"))]);
}

/** What is missing before anything can be scored. */
function missing(judgements: number, runs: number): string | null {
  if (judgements === 0) return "A file of judgements is missing: drop one, choose it in the list of files, or open an example.";
  return runs === 0 ? "A run is missing: drop one, or open an example." : null;
}

/** What is still missing once the files were read. */
function unreadable(judgements: number, runs: number): string | null {
  if (judgements > 1) return "There are several files of judgements: say of all but one that they are runs, or remove them.";
  if (judgements === 0) return "No file can be read as judgements: the list of files says why.";
  return runs === 0 ? "No run can be scored: the list of files says why." : null;
}

/** The library broke down at a file, and has lost the others. */
class Restart extends Error {}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;

export function runs(): RoomView {
  const chooser = h("input", { type: "file", multiple: true, id: "files", class: "unseen", "aria-label": "Choose judgements and runs", title: "Choose judgements and runs", onchange: () => void take([...(chooser.files ?? [])]) });
  const zone = h(
    "div",
    { class: "drop" },
    h("p", {}, h("strong", {}, "Drop judgements and runs"), " or ", h("label", { for: "files", class: "button" }, "choose files"), chooser),
    h("p", { class: "quiet" }, "TREC, MS MARCO, CSV, TSV, JSON, BEIR or Parquet, plain or compressed (gzip, bzip2, lz4, zstd), up to 500 MB each"),
  );
  const example = h("div", { class: "example-field" });
  const list = h("ul", { class: "file-list", tabindex: 0, "aria-label": "Files" });
  const progress = h("div", { class: "progress", hidden: true }, h("progress", { max: "1", value: "0", "aria-label": "Reading" }), h("span", { role: "status" }), button("Cancel", "Stop reading and scoring", () => reader.stop()));
  const controls = h("div");
  const table = h("div", { class: "results" });
  const topics = h("div", { class: "topics" });
  const viewer = new Viewer();
  const topicView = new TopicView();
  const element = h(
    "div",
    { class: "room runs-room" },
    // In the order of a small screen.
    panel("Files", { class: "files-panel", head: example }, zone, list, progress),
    h("div", { class: "column" }, panel("Scores", { class: "scores-panel" }, table), viewer.element),
    panel("Topics, by difference", { class: "topics-panel" }, topics),
    panel("How to score", { class: "controls" }, controls),
  );
  for (const kind of ["dragenter", "dragover"]) {
    element.addEventListener(kind, (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
  }
  element.addEventListener("dragleave", (event) => {
    if (!element.contains(event.relatedTarget as Node | null)) zone.classList.remove("over");
  });
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    void take([...((event as DragEvent).dataTransfer?.files ?? [])]);
  });
  let turn = 0;

  async function take(files: File[]): Promise<void> {
    if (files.length === 0) return;
    const added = await Promise.all(files.map(async (file): Promise<Dropped> => ({ name: file.name, blob: file, role: await roleOf(file.name, file) })));
    const names = new Set(added.map(({ name }) => name));
    keep([...dropped.filter(({ name }) => !names.has(name)), ...added]);
    chooser.value = "";
    announce(`${plural(added.length, "file")} added`);
    if (store.state.example) store.set({ example: "", base: "", topic: "", run: "", show: "" });
    else void update(store.state);
  }

  const keyOf = (state: State, files: Dropped[]): string =>
    JSON.stringify([
      state.rm,
      words(state.rm).some(isOwn) ? fileOf(state) : "",
      state.rties,
      state.rmissing,
      files.map(({ name, role, blob }) => [name, role, blob.size, blob instanceof File ? blob.lastModified : 0]),
    ]);

  async function update(state: State): Promise<void> {
    const mine = ++turn;
    drawControls(state);
    const files = state.example ? await exampleFiles(state.example).catch(() => []) : dropped;
    if (mine !== turn) return;
    const key = keyOf(state, files);
    if (study?.key !== key) study = undefined;
    drawFiles(state, files);
    const judgements = files.filter(({ role }) => role === "judgements");
    const runFiles = files.filter(({ role }) => role === "run");
    const lacks = missing(judgements.length, runFiles.length);
    if (lacks) {
      clear(h("p", { class: "quiet" }, lacks));
      return;
    }
    try {
      if (!study || study.generation !== reader.generation) {
        reader.stop();
        study = undefined;
        replace(table, h("p", { class: "quiet", role: "status" }, "Reading and scoring…"));
        // It would only move when the scores come.
        viewer.element.hidden = true;
        const made = await analyse(state, key, judgements, runFiles);
        if (mine !== turn) return;
        study = made;
        if (study.failures.size > 0) {
          announce(`${plural(study.failures.size, "file")} left out`);
          drawFiles(state, files);
          drawControls(state);
        }
      }
      if (study.lacks) {
        clear(h("p", { class: "quiet", role: "status" }, study.lacks));
        return;
      }
      const baseline = Math.max(0, study.files.findIndex(({ name }) => name === state.base));
      if (study.baseline !== baseline) {
        study.results = await reader.call<Results>({ op: "results", baseline });
        study.baseline = baseline;
      }
      if (mine === turn) await draw(state, study, baseline, () => mine === turn);
    } catch (error) {
      if (mine !== turn && error instanceof Stopped) return;
      progress.hidden = true;
      clear(error instanceof Stopped ? h("p", { role: "status" }, "Cancelled. ", button("Start again", "Read the files again", () => void update(store.state))) : failure(failureOf(error)));
    }
  }

  function clear(told: HTMLElement): void {
    replace(table, told);
    viewer.element.hidden = false;
    replace(topics, h("p", { class: "quiet" }, "Topics appear with the scores; those that differ most come first."));
    replace(viewer.show(store.state.plot), h("p", { class: "quiet" }, "Plots and documents appear with the scores."));
  }

  /** Scores what can be scored: a file that cannot be read is left out, and says why in the list. */
  async function analyse(state: State, key: string, judgements: Dropped[], files: Dropped[]): Promise<Study> {
    const bar = progress.querySelector("progress") as HTMLProgressElement;
    const status = progress.querySelector("span") as HTMLElement;
    const total = [...judgements, ...files].reduce((sum, { blob }) => sum + blob.size, 0) || 1;
    let done = 0;
    const failures = new Map<Dropped, Failure>();
    // A flash of progress for small files would only move the page.
    const showing = setTimeout(() => (progress.hidden = false), 250);
    const hand = async ({ name, blob }: Dropped): Promise<number> => {
      status.textContent = `Reading ${name}`;
      const file = await reader.file(name, blob, (share) => (bar.value = (done + share * blob.size) / total));
      done += blob.size;
      return file;
    };
    /** The library's answers about the files that can be read. */
    const read = async <T>(all: Dropped[], request: (file: Dropped, number: number) => Record<string, unknown>, about: (file: Dropped, wrong: Failure) => boolean): Promise<[Dropped, T][]> => {
      const found: [Dropped, T][] = [];
      for (const file of all.filter((one) => !failures.has(one))) {
        let number: number | null = null;
        try {
          number = await hand(file);
          found.push([file, await reader.call<T>(request(file, number))]);
        } catch (error) {
          if (!(error instanceof LibraryError) || (number !== null && reader.runs && !about(file, error.failure))) throw error;
          failures.set(file, error.failure);
          if (!reader.runs) throw new Restart();
        }
      }
      return found;
    };
    const once = async (): Promise<Study> => {
      done = 0;
      const judged = await read<{ max_grade: number }>(judgements, (_, file) => ({
        op: "judgements",
        file,
        measures: words(state.rm),
        ties: state.rties,
        missing: state.rmissing,
        ranges: true,
      // With the judgements the measures are read, and what is wrong with those is wrong with no file.
      }), ({ name }, wrong) => wrong.file === name);
      const scored = judged.length !== 1 ? [] : await read<{ kept: boolean }>(files, ({ name, blob }, file) => {
        status.textContent = `Scoring ${name}`;
        return { op: "run", file, keep: blob.size <= KEPT };
      }, () => true);
      return {
        key,
        lacks: unreadable(judged.length, scored.length),
        failures,
        results: { means: [], evaluation: { runs: [], warnings: [] }, comparison: null, warnings: [] },
        judgements: judged[0]?.[0] ?? (judgements[0] as Dropped),
        files: scored.map(([file]) => file),
        kept: scored.map(([, { kept }]) => kept),
        generation: reader.generation,
        maxGrade: judged[0]?.[1].max_grade ?? 1,
        baseline: null,
        drawn: new Map(),
      };
    };
    try {
      for (;;) {
        try {
          return await once();
        } catch (error) {
          if (!(error instanceof Restart)) throw error;
        }
      }
    } finally {
      clearTimeout(showing);
      progress.hidden = true;
      bar.value = 0;
    }
  }

  async function draw(state: State, { results, files, judgements, kept, maxGrade, drawn }: Study, base: number, current: () => boolean): Promise<void> {
    const names = results.evaluation.runs.map(({ name }) => name);
    const measures = results.evaluation.runs[0]?.measures.map(({ measure }) => measure) ?? [];
    const measure = measures.includes(state.show) ? state.show : (measures[0] ?? "");
    const others = names.map((_, i) => i).filter((i) => i !== base);
    const chosen = names.length === 1 ? 0 : (others.find((i) => files[i]?.name === state.run) ?? others[0] ?? 0);
    const focus = document.activeElement?.id;
    // What reading took, for whoever wonders.
    list.dataset.memory = String(reader.memory);
    replace(
      table,
      resultsTable(results, measure, base, (next) => store.set({ show: next })),
      warnings([...results.evaluation.warnings, ...results.warnings]),
      h(
        "div",
        { class: "actions" },
        button("Report", "Download the page of axio report: tables, plots, the properties of the measures", () => void saveReport(judgements, files, base)),
        ...([["CSV", "evaluation", "csv", "text/csv"], ["LaTeX", names.length > 1 ? "means" : "evaluation", "latex", "text/plain"], ["JSON", "", "json", "application/json"]] as const).map(([title, what, format, type]) =>
          button(title, `Download the scores as ${title}`, () => void save(what, format, type, base)),
        ),
        button("Show the command", "Copy the same for the command line", () => void copy(commandOf("compare", store.state, judgements, files), "Command")),
      ),
    );
    const at = (i: number): Record<string, number | null> => results.evaluation.runs[i]?.measures.find((m) => m.measure === measure)?.topics ?? {};
    const alone = chosen === base;
    const rows = Object.entries(at(chosen)).map(([topic, value]): TopicRow => {
      const other = alone ? null : (at(base)[topic] ?? null);
      return { topic, value, other, difference: (value ?? 0) - (other ?? 0) };
    });
    const choose = (topic: string): void => {
      store.set({ topic, run: files[chosen]?.name ?? "", plot: "topic" });
      viewer.element.scrollIntoView({ block: "nearest" });
    };
    replace(topics, topicList(rows, !alone, state.topic, choose));
    viewer.element.hidden = false;
    const place = viewer.show(state.plot);
    const pick = others.length > 1
      ? select(others.map((i): [string, string] => [files[i]?.name ?? "", names[i] ?? ""]), files[chosen]?.name ?? "", (run) => store.set({ run }), { id: "pick-run", "aria-label": "The run whose topics are shown", title: "The run whose topics are shown" })
      : null;
    const heading = h("p", { class: "pick" }, h("strong", {}, measure), names.length > 1 ? h("span", {}, "of ") : null, pick ?? names[chosen] ?? "", alone ? null : h("span", {}, `against ${names[base] ?? ""}`));
    const compared = results.comparison?.measures.find((one) => one.measure === measure);
    const shown = await view();
    if (!current()) return;
    replace(place, ...shown);
    // The viewer keeps the focus on its own tabs.
    if (focus && !focus.startsWith("tab-")) document.getElementById(focus)?.focus();

    async function view(): Promise<(HTMLElement | null)[]> {
      const nothing = (text: string): HTMLElement[] => [h("p", { class: "quiet" }, text)];
      if (state.plot === "topic") {
        if (!rows.some(({ topic }) => topic === state.topic)) return nothing("Click a topic on the left, or a bar in “By topic”: its documents appear here, with what each adds to the score.");
        const file = kept[chosen] ? null : (files[chosen] ?? null);
        if (file) replace(place, h("p", { role: "status" }, `${file.name} was too large to be kept: it is read once more…`));
        const summary = results.evaluation.runs[chosen]?.measures.find((m) => m.measure === measure)?.summary;
        await topicView.show({ run: chosen, name: names[chosen] ?? "", file, topic: state.topic, measure, maxGrade, averaged: summary === "mean" ? (results.means.find((one) => one.measure === measure)?.topics ?? rows.length) : null });
        return [heading, topicView.element];
      }
      if (state.plot === "differences") {
        const { differences } = await plotting();
        return [heading, differences(rows, [names[chosen] ?? "", alone ? "nothing" : (names[base] ?? "")], state.topic, choose, viewer.width)];
      }
      if (["distributions", "curve", "agreement", "joint"].includes(state.plot)) {
        const key = `${base} ${measure}`;
        const asked = drawn.get(key) ?? reader.call<Drawn[]>({ op: "figures", measure, baseline: base });
        drawn.set(key, asked);
        const waits = setTimeout(() => replace(place, h("p", { class: "quiet", role: "status" }, "Drawing…")), 200);
        const found = (await asked.finally(() => clearTimeout(waits))).filter(({ section }) => section === state.plot);
        if (found.length > 0) return found.map(figure);
        return nothing(
          { agreement: "At least three runs and two measures are needed.", joint: "At least two runs are needed, by measures of grades alone; runs above 64 MB are not kept for it.", curve: "Runs above 64 MB have no curve here; the command draws it." }[state.plot] ?? "There is nothing to draw.",
        );
      }
      if (!compared) return nothing("One run has a mean, as in the table; drop another to see intervals.");
      const { intervals } = await plotting();
      return [intervals(compared, viewer.width)];
    }
  }

  /** The page that the command would write. */
  async function saveReport(judgements: Dropped, files: Dropped[], baseline: number): Promise<void> {
    const status = progress.querySelector("span") as HTMLElement;
    status.textContent = "Making the report: the properties of the measures are decided";
    progress.querySelector("progress")?.removeAttribute("value");
    progress.hidden = false;
    try {
      const command = commandOf("report", store.state, judgements, files);
      const page = await reader.call<string>({ op: "report", command, baseline, chosen: files[baseline]?.name === store.state.base });
      download("report.html", page, "text/html");
      announce("The report is made");
    } catch (error) {
      clear(error instanceof Stopped ? h("p", { role: "status" }, "Cancelled. ", button("Start again", "Read the files again", () => void update(store.state))) : failure(failureOf(error)));
    } finally {
      progress.hidden = true;
    }
  }

  async function save(what: string, format: string, type: string, baseline: number): Promise<void> {
    const text = what ? await reader.call<string>({ op: "render", table: what, format, baseline }) : JSON.stringify(study?.results, null, 1);
    download(`axiometrics.${format === "latex" ? "tex" : format}`, text, type);
  }

  function drawFiles(state: State, files: Dropped[]): void {
    const failures = study?.failures ?? new Map<Dropped, Failure>();
    const wrong = (file: Dropped): HTMLElement | null => {
      const found = failures.get(file);
      if (!found) return null;
      const place = found.line === null ? "" : `line ${found.line}${found.column === null ? "" : `, column ${found.column}`}: `;
      return h("p", { class: "left-out" }, h("strong", {}, "Left out. "), sentence(`${place}${found.message.split("\n")[0] ?? ""}`), " ", sentence(found.help ?? "correct the file and drop it again, choose what it holds, or remove it"));
    };
    const row = (file: Dropped): HTMLElement =>
      h(
        "li",
        { class: failures.has(file) ? "bad" : "" },
        h("span", { class: "file-name" }, file.name),
        h("span", { class: "quiet" }, size(file.blob.size)),
        state.example
          ? h("span", { class: "quiet" }, file.role)
          : select([["judgements", "judgements"], ["run", "run"]], file.role, (role) => {
              file.role = role as Dropped["role"];
              void update(store.state);
            }, { "aria-label": `What ${file.name} is`, title: "What the file holds" }),
        state.example
          ? null
          : button("×", `Remove ${file.name}`, () => {
              keep(dropped.filter((other) => other !== file));
              void update(store.state);
            }, { class: "remove", "aria-label": `Remove ${file.name}` }),
        wrong(file),
      );
    const lost = state.example || gone.length === 0
      ? null
      : h("li", { class: "gone" }, h("p", {}, h("strong", {}, "Drop again: "), `${gone.join(", ")}. A page that is loaded again has no files.`), button("Forget", "Forget the names of these files", () => {
          gone = [];
          keep(dropped);
          drawFiles(store.state, dropped);
        }));
    // What a person has to mend comes first.
    const [bad, good] = [files.filter((file) => failures.has(file)), files.filter((file) => !failures.has(file))];
    replace(list, lost, ...[...bad, ...good].map(row));
  }

  function drawControls(state: State): void {
    const id = element.contains(document.activeElement) ? document.activeElement?.id : undefined;
    const measures = h("input", { type: "text", id: "run-measures", value: state.rm, spellcheck: "false", onchange: () => store.set({ rm: measures.value.trim() || "AP" }) });
    const names = state.example
      ? (EXAMPLES[state.example]?.runs ?? []).map(exampleName)
      : dropped.filter((file) => file.role === "run" && !study?.failures.has(file)).map(({ name }) => name);
    replace(
      example,
      select([["", "Your own files"], ...Object.entries(EXAMPLES).map(([key, { title }]): [string, string] => [key, `Example: ${title}`])], state.example, (chosen) => store.set({ example: chosen, base: "", topic: "", run: "" }), { id: "run-example", "aria-label": "Your own files, or an example", title: "Files of your own, or some that come with the page" }),
    );
    replace(
      controls,
      h(
        "div",
        { class: "fields" },
        field("Baseline", select(names.map((name): [string, string] => [name, name]), state.base, (base) => store.set({ base }), { id: "run-base" }), "What the others are compared with"),
        field("Ties", select([["docid-desc", "by id, descending"], ["docid-asc", "by id, ascending"], ["file", "as in the file"], ["average", "mean over orders"]], state.rties, (rties) => store.set({ rties }), { id: "run-ties" }), "How equal scores are ordered"),
        field("Missing topics", select([["zero", "count as 0"], ["skip", "left out"], ["error", "an error"]], state.rmissing, (rmissing) => store.set({ rmissing }), { id: "run-missing" }), "Judged topics that a run lacks"),
      ),
      field("Measures", measures, "With blanks between them; press Enter to score again"),
    );
    if (id) document.getElementById(id)?.focus();
  }

  function warnings(all: Warning[]): HTMLElement | null {
    const unique = [...new Map(all.map((warning) => [warning.message, warning])).values()];
    if (unique.length === 0) return null;
    return h(
      "details",
      { class: "warnings" },
      h("summary", {}, plural(unique.length, "note about the files", "notes about the files")),
      h("ul", {}, ...unique.map(({ message, remedy }) => h("li", {}, message, remedy ? h("span", { class: "quiet" }, ` (${remedy})`) : null))),
    );
  }

  const unsubscribe = store.subscribe((state) => {
    if (state.room === "runs") void update(state);
  });
  void update(store.state);
  return { element, leave: unsubscribe };
}

function commandOf(command: "compare" | "report", state: State, judgements: Dropped, files: Dropped[]): string {
  const paths = [judgements, ...files].map(({ name }) => quoted(name)).join(" ");
  const base = state.base ? ` --baseline ${quoted(state.base)}` : "";
  const ties = state.rties === "docid-desc" ? "" : ` --ties ${state.rties}`;
  const lacking = state.rmissing === "zero" ? "" : ` --missing ${state.rmissing}`;
  return `axio ${command} ${paths}${base}${ties}${lacking} -m ${quoted(state.rm)}`;
}
