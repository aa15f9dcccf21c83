// Your runs: judgements and runs scored, compared and taken apart in the browser.

import { announce, copy, download, h, plural, replace } from "../dom";
import { Stopped, asset, failureOf, plotting, slow } from "../engine";
import { type Dropped, roleOf, size } from "../files";
import { type RoomView, button, failure, field, panel, select } from "../parts/frame";
import { reportPage } from "../parts/page";
import { resultsTable } from "../parts/results";
import { TopicView, topicList } from "../parts/topic";
import { type State, store, words } from "../state";
import type { Results, Warning } from "../types";

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

export interface Study {
  key: string;
  results: Results;
  files: Dropped[];
  kept: boolean[];
  generation: number;
  maxGrade: number;
}

type Drawing = Pick<Awaited<ReturnType<typeof plotting>>, "intervals" | "differences">;

let study: Study | undefined;

async function exampleFiles(name: string): Promise<Dropped[]> {
  const example = EXAMPLES[name];
  if (!example) return [];
  const read = async (file: string, role: Dropped["role"]): Promise<Dropped> => ({
    name: file.replace(/^[a-z]+-/, ""),
    blob: new Blob([await asset(`examples/${file}`)]),
    role,
  });
  return Promise.all([read(example.qrels, "judgements"), ...example.runs.map((file) => read(file, "run"))]);
}

export function runs(): RoomView {
  const chooser = h("input", { type: "file", multiple: true, id: "files", class: "unseen", "aria-label": "Choose judgements and runs", onchange: () => void take([...(chooser.files ?? [])]) });
  const zone = h(
    "div",
    { class: "drop" },
    h("p", {}, h("strong", {}, "Drop judgements and runs here"), ", or ", h("label", { for: "files", class: "button" }, "choose files"), chooser),
    h("p", { class: "quiet" }, "TREC, MS MARCO, CSV, TSV, JSON, JSON lines, BEIR; plain or compressed by gzip, bzip2 or lz4. Nothing leaves this machine."),
  );
  const list = h("ul", { class: "file-list" });
  const progress = h("div", { class: "progress", hidden: true }, h("progress", { max: "1", value: "0", "aria-label": "Reading" }), h("span", { role: "status" }), button("Cancel", "Stop reading and scoring", () => slow.stop()));
  const controls = h("div");
  const table = h("div", { class: "results" });
  const plots = h("div", { class: "plots" });
  const topics = h("div", { class: "topics" });
  const view = new TopicView();
  const element = h(
    "div",
    { class: "room runs-room" },
    h("div", { class: "column" }, panel("Files", { class: "files-panel" }, zone, list, progress), panel("How to score", { class: "controls" }, controls), panel("Topics, by difference", {}, topics)),
    h("div", { class: "column" }, panel("Scores", { class: "scores-panel" }, table), panel("Plots", {}, plots), view.element),
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
    dropped = [...dropped.filter(({ name }) => !names.has(name)), ...added];
    chooser.value = "";
    announce(`${plural(added.length, "file")} added`);
    if (store.state.example) store.set({ example: "", base: "", topic: "", run: "", show: "" });
    else void update(store.state);
  }

  const keyOf = (state: State, files: Dropped[]): string =>
    JSON.stringify([state.rm, state.rties, state.rmissing, files.map(({ name, role, blob }) => [name, role, blob.size])]);

  async function update(state: State): Promise<void> {
    const mine = ++turn;
    drawControls(state);
    const files = state.example ? await exampleFiles(state.example).catch(() => []) : dropped;
    if (mine !== turn) return;
    drawFiles(state, files);
    const judgements = files.filter(({ role }) => role === "judgements");
    const runFiles = files.filter(({ role }) => role === "run");
    if (judgements.length !== 1 || runFiles.length === 0) {
      study = undefined;
      const missing = judgements.length > 1 ? "There are several files of judgements: say of all but one that they are runs, or remove them." : judgements.length === 0 ? "A file of judgements is missing: drop one, or open an example." : "A run is missing: drop one, or open an example.";
      replace(table, h("p", { class: "quiet" }, missing));
      replace(plots, h("p", { class: "quiet" }, "Plots appear with the scores."));
      replace(topics, h("p", { class: "quiet" }, "Topics appear with the scores."));
      view.clear();
      return;
    }
    const key = keyOf(state, files);
    try {
      if (study?.key !== key || study.generation !== slow.generation) {
        slow.stop();
        study = undefined;
        replace(table, h("p", { class: "quiet", role: "status" }, "Reading and scoring…"));
        study = await analyse(state, key, judgements[0]!, runFiles);
      }
      if (mine !== turn || !study) return;
      const baseline = runFiles.findIndex(({ name }) => name === state.base);
      study.results = await slow.call<Results>({ op: "results", baseline: Math.max(0, baseline) });
      const { intervals, differences } = await plotting();
      if (mine === turn) draw(state, study, { intervals, differences });
    } catch (error) {
      if (mine !== turn && error instanceof Stopped) return;
      progress.hidden = true;
      replace(table, error instanceof Stopped ? h("p", { role: "status" }, "Cancelled. ", button("Start again", "Read the files again", () => void update(store.state))) : failure(failureOf(error)));
      replace(plots);
      replace(topics);
      view.clear();
    }
  }

  async function analyse(state: State, key: string, judgements: Dropped, files: Dropped[]): Promise<Study> {
    const bar = progress.querySelector("progress") as HTMLProgressElement;
    const status = progress.querySelector("span") as HTMLElement;
    const total = [judgements, ...files].reduce((sum, { blob }) => sum + blob.size, 0) || 1;
    let done = 0;
    // A flash of progress for small files would only move the page.
    const showing = setTimeout(() => (progress.hidden = false), 250);
    const hand = async ({ name, blob }: Dropped): Promise<number> => {
      status.textContent = `Reading ${name}`;
      const file = await slow.file(name, blob, (share) => (bar.value = (done + share * blob.size) / total));
      done += blob.size;
      return file;
    };
    try {
      const kept: boolean[] = [];
      const told = await slow.call<{ max_grade: number }>({
        op: "judgements",
        file: await hand(judgements),
        measures: words(state.rm),
        ties: state.rties,
        missing: state.rmissing,
        ranges: true,
      });
      for (const file of files) {
        const number = await hand(file);
        status.textContent = `Scoring ${file.name}`;
        const answer = await slow.call<{ kept: boolean }>({ op: "run", file: number, keep: file.blob.size <= KEPT });
        kept.push(answer.kept);
      }
      const results = { evaluation: { runs: [], warnings: [] }, comparison: null, warnings: [] };
      return { key, results, files, kept, generation: slow.generation, maxGrade: told.max_grade };
    } finally {
      clearTimeout(showing);
      progress.hidden = true;
      bar.value = 0;
    }
  }

  function draw(state: State, { results, files, kept, maxGrade }: Study, drawn: Drawing): void {
    const names = results.evaluation.runs.map(({ name }) => name);
    const measures = results.evaluation.runs[0]?.measures.map(({ measure }) => measure) ?? [];
    const measure = measures.includes(state.show) ? state.show : (measures[0] ?? "");
    const base = Math.max(0, files.findIndex(({ name }) => name === state.base));
    const others = names.map((_, i) => i).filter((i) => i !== base);
    const chosen = names.length === 1 ? 0 : (others.find((i) => files[i]?.name === state.run) ?? others[0] ?? 0);
    const focus = document.activeElement?.id;
    replace(
      table,
      resultsTable(results, measure, base, (next) => store.set({ show: next })),
      warnings([...results.evaluation.warnings, ...results.warnings]),
      h(
        "div",
        { class: "actions" },
        ...([["CSV", "evaluation", "csv", "text/csv"], ["LaTeX", names.length > 1 ? "means" : "evaluation", "latex", "text/plain"], ["JSON", "", "json", "application/json"]] as const).map(([title, what, format, type]) =>
          button(title, `Download the scores as ${title}`, () => void save(what, format, type, base)),
        ),
        button("Report", "Download the tables and plots of every measure as one page", () => void saveReport(base)),
        button("Show the command", "The same on the command line", () => void copy(commandOf(store.state, files), "Command")),
      ),
    );
    const compared = results.comparison?.measures.find((one) => one.measure === measure);
    const width = Math.max(280, Math.min(860, plots.clientWidth || 560));
    const at = (i: number): Record<string, number | null> => results.evaluation.runs[i]?.measures.find((m) => m.measure === measure)?.topics ?? {};
    const rows = Object.entries(at(chosen)).map(([topic, value]) => {
      const other = chosen === base ? 0 : (at(base)[topic] ?? 0);
      return { topic, value, other: chosen === base ? null : (at(base)[topic] ?? null), difference: (value ?? 0) - other };
    });
    const choose = (topic: string): void => store.set({ topic, run: files[chosen]?.name ?? "" });
    const pick = names.length > 2
      ? select(others.map((i): [string, string] => [files[i]?.name ?? "", names[i] ?? ""]), files[chosen]?.name ?? "", (run) => store.set({ run }), { id: "pick-run", "aria-label": "The run whose differences are shown" })
      : null;
    replace(
      plots,
      compared ? drawn.intervals(compared, width) : null,
      names.length > 1
        ? h("div", { class: "pick" }, h("span", {}, `${measure}, topic by topic: `), pick ?? names[chosen] ?? "", h("span", {}, ` against ${names[base] ?? ""}`))
        : null,
      drawn.differences(rows, [names[chosen] ?? "", chosen === base ? "nothing" : (names[base] ?? "")], state.topic, choose, width),
    );
    replace(topics, topicList(rows, names.length > 1, state.topic, choose));
    if (focus) document.getElementById(focus)?.focus();
    if (state.topic && rows.some(({ topic }) => topic === state.topic)) {
      void view.show({ run: chosen, name: names[chosen] ?? "", file: kept[chosen] ? null : (files[chosen] ?? null), topic: state.topic, measure, maxGrade });
    } else {
      view.clear();
    }
  }

  /** Every measure has its tables and plots in the report. */
  async function saveReport(base: number): Promise<void> {
    if (!study) return;
    const { results, files } = study;
    const { intervals, differences } = await plotting();
    const all = results.evaluation.runs;
    const measures = all[0]?.measures.map(({ measure }) => measure) ?? [];
    const parts = measures.map((measure, m) => {
      const elements: Element[] = [resultsTable(results, measure, base, () => undefined)];
      const compared = results.comparison?.measures[m];
      if (compared) elements.push(intervals(compared, 860));
      const ours = all[base]?.measures[m]?.topics ?? {};
      all.forEach((run, r) => {
        if (r === base) return;
        const rows = Object.entries(run.measures[m]?.topics ?? {}).map(([topic, value]) => ({ topic, difference: (value ?? 0) - (ours[topic] ?? 0) }));
        elements.push(differences(rows, [run.name, all[base]?.name ?? ""], "", () => undefined, 860));
      });
      return { title: measure, elements };
    });
    download("report.html", reportPage(commandOf(store.state, files), parts), "text/html");
  }

  async function save(what: string, format: string, type: string, baseline: number): Promise<void> {
    const text = what ? await slow.call<string>({ op: "render", table: what, format, baseline }) : JSON.stringify(study?.results, null, 1);
    download(`axiometrics.${format === "latex" ? "tex" : format}`, text, type);
  }

  function drawFiles(state: State, files: Dropped[]): void {
    const row = (file: Dropped): HTMLElement =>
      h(
        "li",
        {},
        h("span", { class: "file-name" }, file.name),
        h("span", { class: "quiet" }, size(file.blob.size)),
        state.example
          ? h("span", { class: "quiet" }, file.role)
          : select([["judgements", "judgements"], ["run", "run"]], file.role, (role) => {
              file.role = role as Dropped["role"];
              void update(store.state);
            }, { "aria-label": `What ${file.name} is` }),
        state.example
          ? null
          : button("×", `Remove ${file.name}`, () => {
              dropped = dropped.filter((other) => other !== file);
              void update(store.state);
            }, { class: "remove", "aria-label": `Remove ${file.name}` }),
      );
    replace(list, ...files.map(row));
  }

  function drawControls(state: State): void {
    const id = controls.contains(document.activeElement) ? document.activeElement?.id : undefined;
    const measures = h("input", { type: "text", id: "run-measures", value: state.rm, spellcheck: "false", onchange: () => store.set({ rm: measures.value.trim() || "AP" }) });
    const names = (state.example ? (EXAMPLES[state.example]?.runs ?? []).map((name) => name.replace(/^[a-z]+-/, "")) : dropped.filter(({ role }) => role === "run").map(({ name }) => name));
    replace(
      controls,
      h(
        "div",
        { class: "fields" },
        field("Example", select([["", "your own files"], ...Object.entries(EXAMPLES).map(([key, { title }]): [string, string] => [key, title])], state.example, (example) => store.set({ example, base: "", topic: "", run: "" }), { id: "run-example" }), "Files that come with the program"),
        field("Baseline", select(names.map((name): [string, string] => [name, name]), state.base, (base) => store.set({ base }), { id: "run-base" }), "The run that the others are compared with"),
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

function commandOf(state: State, files: Dropped[]): string {
  const paths = files.map(({ name }) => name).join(" ");
  const base = state.base ? ` --baseline ${state.base}` : "";
  const ties = state.rties === "docid-desc" ? "" : ` --ties ${state.rties}`;
  return `axio compare QRELS ${paths}${base}${ties} -m '${state.rm}'`;
}
