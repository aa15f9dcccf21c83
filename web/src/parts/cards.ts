// A ranking as a row of cards: one acts on it by mouse, touch or keys.

import { announce, h, redraw, replace, still } from "../dom";
import { type Doc, type Ranking, mended } from "../ranking";

export interface CardsOptions {
  /** The name of the ranking, for those who listen. */
  label: string;
  /** What to do with a ranking that was changed, and which card was acted on. */
  change(ranking: Ranking): void;
  /** The highest grade that a tap reaches. */
  top(): number;
}

/** What a document adds to a score, from 0 to 1 of the largest, and in words. */
export interface Share {
  share: number;
  words: string;
}

const LONGEST = 200;
/** A pointer that moves less than this taps. */
const SLIP = 6;

export class Cards {
  readonly element = h("div", { class: "ranking-strip", role: "group" });
  private list = h("div", { class: "cards", role: "list" });
  private tools = h("div", { class: "card-tools", role: "toolbar" });
  private ranking: Ranking = { docs: [], unretrieved: [] };
  private focus = 0;
  private shares: (Share | null)[] = [];

  constructor(private options: CardsOptions) {
    this.element.setAttribute("aria-label", options.label);
    this.list.setAttribute("aria-label", `Documents of ${options.label}, from the top`);
    this.tools.setAttribute("aria-label", `Change the marked document of ${options.label}`);
    this.element.append(this.list, this.tools);
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("pointerdown", (event) => this.press(event));
    this.drawTools();
  }

  /** Shows a ranking; the focus stays where it is, and so do the shares unless there are new ones. */
  show(ranking: Ranking, shares = this.shares): void {
    const focused = document.activeElement;
    const had = this.list.contains(focused);
    this.ranking = ranking;
    this.shares = shares;
    this.focus = Math.min(this.focus, ranking.docs.length - 1);
    // Cards stay, and only what they show changes: a ranking is drawn with every key.
    while (this.list.children.length > ranking.docs.length) this.list.lastElementChild?.remove();
    ranking.docs.forEach((doc, i) => {
      if (i === this.list.children.length) this.list.append(this.place(i));
      this.fill(this.list.children[i] as HTMLElement, doc, i);
    });
    if (had && this.list.children[this.focus]?.firstElementChild !== focused) this.focusCard();
  }

  /** Shows no shares. */
  clearShares(): void {
    this.show(this.ranking, []);
  }

  private focusCard(): void {
    const card = this.list.children[this.focus]?.querySelector("button");
    card?.focus({ preventScroll: false });
  }

  /** A card without what it shows. */
  private place(i: number): HTMLElement {
    const card = h(
      "button",
      {
        type: "button",
        class: "card",
        "data-at": i,
        title: "Click to change the grade, drag to another rank; keys: 0 to 9, U unjudged, T tie, Delete",
        "aria-keyshortcuts": "0 1 2 3 U T Delete Alt+ArrowLeft Alt+ArrowRight",
      },
      h("span", { class: "rank", "aria-hidden": "true" }, i + 1),
      h("span", { class: "grade", "aria-hidden": "true" }),
      h("span", { class: "handle", "aria-hidden": "true" }, "⠿"),
      h("span", { class: "unseen" }),
    );
    card.addEventListener("focus", () => this.mark(i));
    return h("div", { role: "listitem" }, card, h("span", { "aria-hidden": "true" }));
  }

  private fill(place: HTMLElement, doc: Doc, i: number): void {
    const grade = doc.grade === null ? "unjudged" : `grade ${doc.grade}`;
    const tiedNext = this.ranking.docs[i + 1]?.tied ?? false;
    const ties = [doc.tied && "tied with the one before", tiedNext && "tied with the next"];
    const share = this.shares[i];
    const label = [`Rank ${i + 1}, ${grade}`, ...ties.filter(Boolean), share?.words]
      .filter(Boolean)
      .join(", ");
    const strength = doc.grade === null ? 0 : Math.min(1, doc.grade / this.options.top());
    const kind = doc.grade === null ? "unjudged" : doc.grade > 0 ? "relevant" : "none";
    const classes = ["place", doc.tied && "tied", tiedNext && "tied-next"].filter(Boolean);
    const tabindex = i === this.focus ? "0" : "-1";
    const size = Math.min(1, Math.abs(share?.share ?? 0));
    const negative = (share?.share ?? 0) < 0;
    redraw(place, [label, strength, classes, tabindex, size, negative], () => {
      const card = place.querySelector<HTMLElement>(".card")!;
      const bar = place.lastElementChild as HTMLElement;
      place.className = classes.join(" ");
      card.setAttribute("tabindex", tabindex);
      card.dataset.kind = kind;
      card.style.setProperty("--strength", String(strength));
      card.querySelector(".grade")!.textContent = doc.grade === null ? "?" : String(doc.grade);
      card.querySelector(".unseen")!.textContent = label;
      bar.className = negative ? "contribution negative" : "contribution";
      bar.style.setProperty("--share", String(size));
      if (share) bar.title = share.words;
      else bar.removeAttribute("title");
    });
  }

  private mark(i: number): void {
    if (i === this.focus) return;
    this.focus = i;
    this.show(this.ranking);
    this.drawTools();
  }

  private act(docs: Doc[], focus = this.focus): void {
    this.focus = Math.max(0, Math.min(focus, docs.length - 1));
    this.options.change({ ...this.ranking, docs: mended(docs) });
    this.drawTools();
  }

  private changed(change: (doc: Doc) => Doc): void {
    this.act(this.ranking.docs.map((doc, i) => (i === this.focus ? change(doc) : doc)));
  }

  grade(grade: number | null): void {
    this.changed((doc) => ({ ...doc, grade }));
  }

  /** The next grade, then unjudged, then 0. */
  cycle(): void {
    const top = this.options.top();
    this.changed((doc) => {
      if (doc.grade === null) return { ...doc, grade: 0 };
      return { ...doc, grade: doc.grade >= top ? null : Math.floor(doc.grade) + 1 };
    });
  }

  add(): void {
    const { docs } = this.ranking;
    if (docs.length >= LONGEST) {
      announce(`A ranking here has at most ${LONGEST} documents`);
      return;
    }
    this.act([...docs, { grade: 0, tied: false }], docs.length);
  }

  remove(): void {
    const { docs } = this.ranking;
    if (docs.length === 1) {
      announce("The last document stays: a ranking has at least one");
      return;
    }
    const at = this.focus;
    const next = docs[at + 1];
    // The first of a group leaves the bracket to the one behind it.
    const rest = docs.map((doc, i) =>
      i === at + 1 && next && !docs[at]?.tied ? { ...doc, tied: false } : doc,
    );
    this.act(rest.filter((_, i) => i !== at));
  }

  tie(): void {
    const { docs } = this.ranking;
    const next = docs[this.focus + 1];
    if (!next) {
      announce("No document stands behind this one");
      return;
    }
    this.act(docs.map((doc, i) => (i === this.focus + 1 ? { ...doc, tied: !doc.tied } : doc)));
  }

  /** Moves a grade to another place; brackets stay with their ranks. */
  move(from: number, to: number): void {
    const { docs } = this.ranking;
    if (to < 0 || to >= docs.length || from === to) return;
    const grades = docs.map((doc) => doc.grade);
    const [moved] = grades.splice(from, 1);
    grades.splice(to, 0, moved ?? null);
    this.act(
      docs.map((doc, i) => ({ ...doc, grade: grades[i] ?? null })),
      to,
    );
    announce(`Moved to rank ${to + 1}`);
  }

  private go(to: number): void {
    const last = this.ranking.docs.length - 1;
    this.mark(Math.max(0, Math.min(last, to)));
    this.focusCard();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey) return;
    const back = ["ArrowLeft", "ArrowUp"].includes(event.key);
    const forth = ["ArrowRight", "ArrowDown"].includes(event.key);
    if (event.altKey && (back || forth)) this.move(this.focus, this.focus + (back ? -1 : 1));
    else if (event.altKey) return;
    else if (back) this.go(this.focus - 1);
    else if (forth) this.go(this.focus + 1);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(Infinity);
    else if (/^[0-9]$/.test(event.key)) this.grade(Number(event.key));
    else if (event.key === "u" || event.key === "U") this.grade(null);
    else if (event.key === "t" || event.key === "T") this.tie();
    else if (event.key === "Delete" || event.key === "Backspace") this.remove();
    else if (event.key === "Insert" || event.key === "+") this.add();
    else if (event.key === "Enter" || event.key === " ") this.cycle();
    else return;
    event.preventDefault();
  }

  /** A press that stays is a tap; one that moves is a drag. On touch only the handle drags. */
  private press(event: PointerEvent): void {
    const card = (event.target as Element).closest<HTMLElement>(".card");
    if (!card || event.button !== 0) return;
    const from = Number(card.dataset.at);
    const handle = (event.target as Element).closest(".handle") !== null;
    const mayDrag = event.pointerType === "mouse" || handle;
    const start = { x: event.clientX, y: event.clientY };
    let dragging = false;
    let to = from;
    this.mark(from);
    const places = [...this.list.children] as HTMLElement[];
    const boxes = places.map((place) => place.getBoundingClientRect());
    const mark = (): void =>
      places.forEach((place, i) => place.classList.toggle("target", i === to && to !== from));
    const moved = (e: PointerEvent): void => {
      const far = Math.hypot(e.clientX - start.x, e.clientY - start.y) > SLIP;
      if (!mayDrag || (!dragging && !far)) return;
      dragging = true;
      card.classList.add("dragged");
      if (!still()) {
        card.style.transform = `translate(${e.clientX - start.x}px, ${e.clientY - start.y}px)`;
      }
      const distance = (box: DOMRect): number =>
        Math.hypot(box.x + box.width / 2 - e.clientX, box.y + box.height / 2 - e.clientY);
      to = boxes.reduce((best, box, i) => (distance(box) < distance(boxes[best]!) ? i : best), 0);
      mark();
      e.preventDefault();
    };
    const done = (e: PointerEvent): void => {
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", done);
      removeEventListener("pointercancel", done);
      card.classList.remove("dragged");
      card.style.transform = "";
      to = e.type === "pointercancel" ? from : to;
      places.forEach((place) => place.classList.remove("target"));
      const far = Math.hypot(e.clientX - start.x, e.clientY - start.y) > SLIP;
      if (dragging) this.move(from, to);
      else if (e.type === "pointerup" && !far) this.cycle();
      this.focusCard();
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", done);
    addEventListener("pointercancel", done);
  }

  /** The same acts as buttons, for whoever has no keys. */
  private drawTools(): void {
    const top = Math.max(1, Math.min(3, this.options.top()));
    redraw(this.tools, [this.focus, top], () => this.toolsUpTo(top));
  }

  private toolsUpTo(top: number): void {
    const had = this.tools.contains(document.activeElement)
      ? [...this.tools.children].indexOf(document.activeElement as Element)
      : -1;
    const tool = (text: string, help: string, act: () => void): HTMLElement =>
      h("button", { type: "button", class: "tool", title: help, "aria-label": help, onclick: act }, text);
    const grades = Array.from({ length: top + 1 }, (_, grade) =>
      tool(String(grade), `Give it grade ${grade} (key ${grade})`, () => this.grade(grade)),
    );
    replace(
      this.tools,
      h("span", { class: "tools-label" }, `Rank ${this.focus + 1}:`),
      ...grades,
      tool("?", "Mark it unjudged (key U)", () => this.grade(null)),
      tool("◂", "Move it up by one rank (Alt and left arrow)", () =>
        this.move(this.focus, this.focus - 1)),
      tool("▸", "Move it down by one rank (Alt and right arrow)", () =>
        this.move(this.focus, this.focus + 1)),
      tool("Tie", "Tie it with the next document, or untie them (key T)", () => this.tie()),
      tool("Remove", "Remove it (key Delete)", () => this.remove()),
      tool("Add", "Add a document at the end (key +)", () => this.add()),
    );
    if (had >= 0) (this.tools.children[had] as HTMLElement | undefined)?.focus();
  }
}
