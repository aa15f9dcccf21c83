// What there is to see of a study besides its tables, one thing at a time: plots, and one topic.

import { h, replace } from "../dom";
import { store } from "../state";

export const VIEWS: [name: string, title: string, help: string][] = [
  ["means", "Means", "The mean of each run with its interval"],
  ["differences", "By topic", "The difference from the baseline on each topic; click a bar for the topic"],
  ["distributions", "Distribution", "How the scores of each run are spread over the topics"],
  ["curve", "Recall–precision", "Precision at eleven levels of recall"],
  ["agreement", "Agreement", "How far the measures agree on the order of the runs"],
  ["joint", "Unjudged", "What unjudged documents could make of the differences"],
  ["topic", "Documents", "The documents of the topic that you clicked"],
];

export class Viewer {
  private tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "What to see" });
  private content = h("div", { class: "view", id: "view", role: "tabpanel", tabindex: -1 });
  readonly element = h("section", { class: "panel viewer", "aria-label": "Plots and documents" }, this.tabs, this.content);

  constructor() {
    this.tabs.addEventListener("keydown", (event) => this.key(event));
  }

  get width(): number {
    return Math.max(260, Math.min(1400, this.content.clientWidth || 560));
  }

  /** Marks the view that is shown, and gives the place for it. */
  show(chosen: string): HTMLElement {
    const had = this.tabs.contains(document.activeElement);
    const known = VIEWS.some(([name]) => name === chosen) ? chosen : "means";
    replace(
      this.tabs,
      ...VIEWS.map(([name, title, help]) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            id: `tab-${name}`,
            title: help,
            "aria-controls": "view",
            "aria-selected": String(name === known),
            tabindex: name === known ? 0 : -1,
            onclick: () => store.set({ plot: name }),
          },
          title,
        ),
      ),
    );
    this.content.setAttribute("aria-labelledby", `tab-${known}`);
    if (had) this.tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    return this.content;
  }

  private key(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = VIEWS.findIndex(([name]) => `tab-${name}` === (event.target as Element).id);
    const next = VIEWS[(at + step + VIEWS.length) % VIEWS.length];
    if (next) store.set({ plot: next[0] });
  }
}
