// One measure taken apart: what it is, what each document adds, and its user.

import { h, number, replace } from "../dom";
import { quick } from "../engine";
import { isOwn } from "../own";
import { button, panel } from "./frame";
import { curves } from "./curves";
import { store, words } from "../state";
import type { Definition, Explained } from "../types";

export class Detail {
  private content = h("div", { class: "detail-content" });
  readonly element = panel("Taken apart", { class: "detail" }, this.content);
  private open = false;
  private turn = 0;
  private definitions = new Map<string, Promise<Definition | null>>();

  async show(measure: string, explained: Explained[]): Promise<void> {
    const mine = ++this.turn;
    const title = this.element.querySelector("h2");
    if (title) title.textContent = measure ? `${measure}, taken apart` : "Taken apart";
    if (!measure) {
      replace(this.content, h("p", { class: "quiet" }, "Click a measure above."));
      return;
    }
    const definition = await this.define(measure);
    // The scores are painted first, and whoever types fast is not kept waiting.
    await new Promise((resolve) => setTimeout(resolve));
    if (mine !== this.turn) return;
    const width = Math.max(260, this.content.clientWidth || 480);
    const first = explained[0];
    const user = first?.user;
    replace(
      this.content,
      definition
        ? h(
            "p",
            { class: "definition" },
            h("strong", {}, definition.title ?? definition.name),
            `. ${definition.definition ?? ""} `,
            definition.user_model ? h("em", {}, `Its user ${definition.user_model}.`) : null,
          )
        : null,
      user && first ? curves(first.documents, width) : null,
      user
        ? h(
            "p",
            { class: "quiet" },
            `C(i) = ${user.continuation}. The user reads ${number(user.documents, 2)} documents on average, for a gain of ${number(user.total_utility, 3)} in all.`,
          )
        : first
          ? h("p", { class: "quiet" }, "It models no user of its own by C, W and L.")
          : null,
      first ? this.contributions(explained) : null,
      definition ? this.parameters(measure, definition) : null,
      h(
        "div",
        { class: "actions" },
        button("Its properties", "See what is proved and refuted of it", () =>
          store.set({ room: "properties", find: definition?.name ?? measure, task: "ranking", view: "matrix", want: "" }),
        ),
      ),
    );
  }

  private define(measure: string): Promise<Definition | null> {
    const known = this.definitions.get(measure);
    if (known) return known;
    const asked = quick.call<Definition>({ op: "define", measure }).catch(() => null);
    // What is written in "Your metric" can change.
    if (!isOwn(measure)) this.definitions.set(measure, asked);
    return asked;
  }

  private contributions(explained: Explained[]): HTMLElement {
    const [a, b] = explained;
    const rows = Math.max(...explained.map((e) => e.documents.length));
    const cell = (e: Explained | undefined, i: number): HTMLElement[] => {
      const d = e?.documents[i];
      const label = d ? (d.grade === null || d.grade === undefined ? (d.alpha ?? "?") : String(d.grade)) : "";
      return [
        h("td", {}, label),
        h("td", {}, d ? number(d.contribution) : ""),
        h("td", {}, d ? number(d.total ?? d.sim) : ""),
      ];
    };
    const total = a?.documents.some((d) => d.total !== undefined) ? "total" : "sim";
    const heads = (name: string): HTMLElement[] => [
      h("th", { scope: "col" }, `${name} grade`),
      h("th", { scope: "col" }, "adds"),
      h("th", { scope: "col" }, total),
    ];
    const details = h(
      "details",
      { open: this.open },
      h("summary", {}, "What each document adds"),
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "What each document adds" },
        h(
          "table",
          { class: "numbers" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "rank"), ...heads(b ? "A" : ""), ...(b ? heads("B") : []))),
          h(
            "tbody",
            {},
            ...Array.from({ length: rows }, (_, i) =>
              h("tr", {}, h("th", { scope: "row" }, i + 1), ...cell(a, i), ...(b ? cell(b, i) : [])),
            ),
          ),
        ),
      ),
    );
    details.addEventListener("toggle", () => (this.open = details.open));
    return details;
  }

  /** The parameters as fields; a change writes the measure anew. */
  private parameters(measure: string, definition: Definition): HTMLElement | null {
    const parameters = definition.parameters ?? [];
    const form = /^([\w.+/-]+)(?:\(([^)]*)\))?(?:@(\d+))?$/.exec(measure);
    if (!form || (parameters.length === 0 && definition.cutoff === "never")) return null;
    const given = new Map(
      words((form[2] ?? "").replace(/,(?![^{]*\})/g, " ")).map((pair): [string, string] => {
        const [name = "", value = ""] = pair.split(/=(.*)/s);
        return [name, value];
      }),
    );
    let cutoff = form[3] ?? "";
    const write = (): void => {
      const inner = [...given].filter(([, value]) => value !== "").map(([name, value]) => `${name}=${value}`);
      const text = `${form[1]}${inner.length ? `(${inner.join(",")})` : ""}${cutoff ? `@${cutoff}` : ""}`;
      const all = words(store.state.m).map((other) => (other === measure ? text : other));
      store.set({ m: [...new Set(all)].join(" "), s: text });
    };
    const inputs = parameters.map((parameter) => {
      const input = h("input", {
        type: "text",
        value: given.get(parameter.name) ?? "",
        placeholder: parameter.default ?? "",
        title: `${parameter.meaning} Expected: ${parameter.expected}`,
        onchange: () => {
          given.set(parameter.name, input.value.trim());
          write();
        },
      });
      return h("label", { class: "parameter", title: parameter.meaning }, h("span", {}, parameter.name), input);
    });
    const k = h("input", {
      type: "number",
      min: "1",
      value: cutoff,
      placeholder: "none",
      onchange: () => {
        cutoff = k.value;
        write();
      },
    });
    return h(
      "div",
      { class: "parameters", role: "group", "aria-label": `Parameters of ${definition.name}` },
      h("span", { class: "quiet" }, "Parameters:"),
      ...inputs,
      definition.cutoff && definition.cutoff !== "never"
        ? h("label", { class: "parameter", title: "The rank at which it stops" }, h("span", {}, "@k"), k)
        : null,
    );
  }
}
