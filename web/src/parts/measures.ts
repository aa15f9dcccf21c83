// The table of chosen measures: values, ranges, changes, and which ranking each prefers.

import { announce, h, number, plural, redraw, replace, signed } from "../dom";
import { quick } from "../engine";
import { button, panel } from "./frame";
import { type State, store, words } from "../state";
import type { Catalogue, Described, MeasureScore, Scored } from "../types";

type Preference = "A" | "B" | "equal" | "unknown";

/** What a measure makes of the rankings. */
interface Row {
  text: string;
  first: MeasureScore;
  second?: MeasureScore;
  prefers: Preference;
}

function prefers(a: MeasureScore, b: MeasureScore): Preference {
  if (a.value === null || b.value === null) return "unknown";
  return a.value > b.value ? "A" : a.value < b.value ? "B" : "equal";
}

let known: Promise<Catalogue> | undefined;
export function catalogue(): Promise<Catalogue> {
  known ??= quick.call<Catalogue>({ op: "catalogue" });
  return known;
}

/** The parts of a cell that change, by their classes. */
const CELL = ["number", "range-text", "change", "bar-range", "bar-fill"];

/** A cell without its score. */
function cell(): HTMLElement {
  const [figure, range, change, rangeBar, valueBar] = CELL.map((part) => h("span", { class: part }));
  return h(
    "td",
    { class: "value" },
    h("span", { class: "figure" }, figure, h("span", { class: "aside" }, range, change)),
    h("span", { class: "bar", "aria-hidden": "true" }, rangeBar, valueBar),
  );
}

function write(place: HTMLElement | undefined, text: string): void {
  if (place && place.textContent !== text) place.textContent = text;
}

/** For so many milliseconds a change is shown. */
const FRESH = 2500;

export class MeasureTable {
  private body = h("tbody");
  private head = h("tr");
  private summary = h("p", { class: "verdict-line" });
  private input: HTMLInputElement;
  private wrong = h("div");
  readonly element: HTMLElement;
  /** The values before the last act. */
  private before = new Map<string, number | null>();
  private latest = new Map<string, number | null>();
  private bounds = new Map<string, number[] | null>();
  private fading: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.input = h("input", {
      type: "text",
      list: "known-measures",
      "aria-label": "Add a measure",
      placeholder: "Add a measure: nDCG@10",
      autocomplete: "off",
      spellcheck: "false",
      title: "Any name that the command knows, with its parameters: RBP(p=0.9), nDCG(dcg=exp-log2)@10",
    });
    const list = h("datalist", { id: "known-measures" });
    void catalogue().then(({ measures }) => {
      const rankings = measures.filter((m) => !["organization", "clustering", "filtering"].includes(m.family));
      replace(list, ...rankings.map((m) => h("option", { value: m.name, label: m.title })));
    }, () => undefined);
    const form = h(
      "form",
      { class: "add", onsubmit: (event: Event) => void this.add(event) },
      this.input,
      h("button", { type: "submit", title: "Add it to the table" }, "Add"),
    );
    this.element = panel(
      "Measures",
      { class: "measures", head: form },
      list,
      this.wrong,
      this.summary,
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores" },
        h(
          "table",
          {},
          h("caption", { class: "unseen" }, "The score that each measure gives"),
          h("thead", {}, this.head),
          this.body,
        ),
      ),
    );
  }

  /** Remembers the values of before an act. */
  act(before: State): void {
    if (before.a !== store.state.a || before.b !== store.state.b) this.before = new Map(this.latest);
  }

  private async add(event: Event): Promise<void> {
    event.preventDefault();
    const text = this.input.value.trim();
    if (!text) return;
    const asked = words(text);
    const described = await quick.call<Described[]>({ op: "measures", texts: asked });
    const fixed = await Promise.all(described.map((one) => this.withCutoff(one)));
    const bad = fixed.find((one) => one.error);
    if (bad?.error) {
      replace(this.wrong, h("p", { class: "wrong", role: "alert" }, bad.error.message, bad.error.help ? ` (${bad.error.help})` : ""));
      return;
    }
    replace(this.wrong);
    this.input.value = "";
    const all = [...new Set([...words(store.state.m), ...fixed.map((one) => one.text)])];
    store.set({ m: all.join(" "), s: fixed[0]?.text ?? store.state.s });
    announce(`${plural(fixed.length, "measure")} added`);
  }

  /** A measure that lacks only a cutoff gets one. */
  private async withCutoff(one: Described): Promise<Described> {
    if (!one.error || one.text.includes("@")) return one;
    const [again] = await quick.call<Described[]>({ op: "measures", texts: [`${one.text}@10`] });
    return again && !again.error ? again : one;
  }

  async show(scored: Scored, chosen: string[], two: boolean): Promise<void> {
    const unknown = scored.texts.filter((text) => !this.bounds.has(text));
    if (unknown.length > 0) {
      const described = await quick.call<Described[]>({ op: "measures", texts: unknown });
      for (const one of described) this.bounds.set(one.text, one.bounds ?? null);
    }
    const [a, b] = scored.document.rankings;
    if (!a) return;
    const rows = scored.texts.map((text, i) => {
      const first = a.measures[i]!;
      const second = two ? b?.measures[i] : undefined;
      return { text, first, second, prefers: second ? prefers(first, second) : ("unknown" as const) };
    });
    const count = (p: Preference): number => rows.filter((row) => row.prefers === p).length;
    const majority: Preference = count("A") >= count("B") ? "A" : "B";
    // Those that disagree with most come first, in the order chosen otherwise.
    const dissent = (p: Preference): number => (p === "unknown" || p === majority ? 1 : p === "equal" ? 0.5 : 0);
    const split = count("A") > 0 && count("B") > 0;
    const order = two && split ? [...rows].sort((x, y) => dissent(x.prefers) - dissent(y.prefers)) : rows;
    this.latest = new Map();
    redraw(this.element, [order.map((row) => row.text), scored.errors, two], () => {
      const focused = this.focused();
      this.frame(order.map((row) => row.text), scored.errors, two);
      if (focused) this.body.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    });
    order.forEach((row, i) => this.fill(this.body.children[i] as HTMLElement, row));
    this.summary.textContent = two
      ? `${plural(count("A"), "measure prefers", "measures prefer")} A, ${count("B")} B` +
        (count("equal") ? `, ${count("equal")} cannot tell them apart` : "") +
        (split ? "; those that disagree with most come first." : ".")
      : chosen.length === 0
        ? "No measure is chosen: add one above."
        : "Click a measure to take its score apart.";
    const changed = order.filter((row) => this.change(`a:${row.text}`, row.first.value) !== 0);
    clearTimeout(this.fading);
    this.body.classList.add("fresh");
    this.fading = setTimeout(() => this.body.classList.remove("fresh"), FRESH);
    if (changed.length > 0) {
      announce(changed.slice(0, 3).map((row) => `${row.text} ${number(row.first.value)}`).join(", "));
    }
  }

  /** Shows no scores, and says why. */
  clear(why: string): void {
    redraw(this.element, why, () => replace(this.body));
    this.latest = new Map();
    this.summary.textContent = why;
    delete this.element.dataset.of;
  }

  private focused(): string | undefined {
    return this.body.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.key
      : undefined;
  }

  private change(key: string, value: number | null): number {
    const before = this.before.get(key);
    return typeof before === "number" && value !== null ? value - before : 0;
  }

  private remover(text: string): HTMLElement {
    return button("×", `Remove ${text}`, () => {
      const rest = words(store.state.m).filter((other) => other !== text);
      store.set({ m: rest.join(" "), s: store.state.s === text ? (rest[0] ?? "") : store.state.s });
    }, { class: "remove", "aria-label": `Remove ${text}`, "data-key": `x-${text}` });
  }

  /** The head and the rows, without their values. */
  private frame(texts: string[], errors: Scored["errors"], two: boolean): void {
    replace(
      this.head,
      ...["Measure", two ? "A" : "Score", ...(two ? ["B", "Prefers"] : []), ""].map((title) =>
        title ? h("th", { scope: "col" }, title) : h("td", {}),
      ),
    );
    const row = (text: string): HTMLElement =>
      h(
        "tr",
        {},
        h(
          "th",
          { scope: "row" },
          button(text, `Take ${text} apart below`, () => store.set({ s: text }), { class: "link", "data-key": `m-${text}` }),
        ),
        cell(),
        two ? cell() : null,
        two ? h("td", {}, h("span", {})) : null,
        h("td", { class: "last" }, this.remover(text)),
      );
    const bad = ({ text, error }: Scored["errors"][number]): HTMLElement =>
      h(
        "tr",
        { class: "bad" },
        h("th", { scope: "row" }, text),
        h("td", { colspan: two ? 3 : 1 }, error.message, error.help ? ` (${error.help})` : ""),
        h("td", {}, this.remover(text)),
      );
    this.body.classList.toggle("two", two);
    replace(this.body, ...texts.map(row), ...errors.map(bad));
  }

  private fill(place: HTMLElement, row: Row): void {
    const { text } = row;
    const chosen = store.state.s === text;
    place.className = chosen ? "chosen" : "";
    place.querySelector("button.link")?.setAttribute("aria-pressed", String(chosen));
    const [first, second] = place.querySelectorAll<HTMLElement>("td.value");
    if (first) this.value(first, `a:${text}`, text, row.first);
    if (!second || !row.second) return;
    this.value(second, `b:${text}`, text, row.second);
    const preference = second.nextElementSibling!.firstElementChild!;
    const disagree = row.prefers === "A" || row.prefers === "B" ? `prefers-${row.prefers}` : "prefers-none";
    preference.className = `preference ${disagree}`;
    preference.textContent = { A: "A", B: "B", equal: "equal", unknown: "–" }[row.prefers];
  }

  /** A score with its range as text and as a bar. */
  private value(place: HTMLElement, key: string, text: string, score: MeasureScore): void {
    this.latest.set(key, score.value);
    const change = this.change(key, score.value);
    redraw(place, [score, change, this.bounds.get(text)], () => this.drawValue(place, text, score, change));
  }

  /** What stands in a cell changes, and its elements stay: they are drawn with every key. */
  private drawValue(place: HTMLElement, text: string, score: MeasureScore, change: number): void {
    const [figure, range, changed, rangeBar, valueBar] = CELL.map(
      (part) => place.querySelector<HTMLElement>(`.${part}`)!,
    );
    const bounds = this.bounds.get(text);
    const [low = 0, high = 1] = bounds ?? [0, Math.max(1, score.range?.high ?? 0, score.value ?? 0)];
    const at = (x: number): number => Math.min(100, Math.max(0, (100 * (x - low)) / (high - low || 1)));
    const cut = (bar: HTMLElement | undefined, from: number, to: number): void => {
      if (bar) bar.style.clipPath = `inset(0 ${100 - to}% 0 ${from}%)`;
    };
    cut(rangeBar, ...(score.range ? ([at(score.range.low), at(score.range.high)] as const) : ([0, 0] as const)));
    cut(valueBar, 0, score.value === null ? 0 : at(score.value));
    const wide = score.range && score.range.high - score.range.low > 1e-12;
    const why = score.undefined
      ? `undefined: ${score.undefined}`
      : score.range
        ? `range ${number(score.range.low)} to ${number(score.range.high)} (${score.range.kind})`
        : score.no_range
          ? `no range: ${score.no_range}`
          : undefined;
    if (why) place.title = why;
    else place.removeAttribute("title");
    write(figure, score.undefined ? "undefined" : number(score.value));
    if (figure) figure.dataset.score = String(score.value ?? "");
    write(range, wide && score.range ? `${number(score.range.low, 2)}–${number(score.range.high, 2)}` : "");
    write(changed, change === 0 ? "" : signed(change));
    if (changed) changed.className = change < 0 ? "change down" : "change up";
    place.classList.toggle("changed", change !== 0);
  }
}
