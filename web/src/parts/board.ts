// An organization as levels that hold clusters of cards, which one drags or moves with keys.

import { announce, h, replace, svg } from "../dom";
import { type Organization, type Place, moved } from "../organization";

const SLIP = 6;

export interface Line {
  from: string;
  to: string;
  kind: "lost" | "invented";
  words: string;
}

export class Board {
  readonly element: HTMLElement;
  private body = h("div", { class: "levels" });
  private overlay = svg("svg", { class: "relations", "aria-hidden": "true" });
  private organization: Organization = { levels: [], discarded: [] };
  private focus: string | null = null;
  private lines: Line[] = [];

  constructor(private label: string, private change: (organization: Organization) => void) {
    this.element = h("div", { class: "org-board" }, this.body);
    this.element.append(this.overlay);
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.element.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.drawLines()).observe(this.element);
  }

  show(organization: Organization, lines: Line[]): void {
    const had = this.body.contains(document.activeElement);
    this.organization = organization;
    this.lines = lines;
    const card = (id: string, level: number, cluster: number): HTMLElement =>
      h(
        "button",
        {
          type: "button",
          class: "doc",
          "data-id": id,
          "data-level": level,
          "data-cluster": cluster,
          title: "Drag it, or use the arrow keys: up and down between levels, left and right between clusters; N a new cluster, L a new level, D discards it",
          "aria-label": level < 0 ? `${id}, discarded` : `${id}, level ${level + 1}, cluster ${cluster + 1}`,
        },
        id,
      );
    const levels = organization.levels.map((clusters, level) =>
      h(
        "div",
        { class: "level", "data-level": level },
        h("span", { class: "level-name" }, `Level ${level + 1}`),
        h(
          "div",
          { class: "clusters" },
          ...clusters.map((ids, cluster) =>
            h("div", { class: "cluster", "data-level": level, "data-cluster": cluster, role: "group", "aria-label": `Cluster ${cluster + 1} of level ${level + 1}` }, ...ids.map((id) => card(id, level, cluster))),
          ),
          h("div", { class: "cluster new", "data-level": level, "data-cluster": -1, "aria-hidden": "true", title: "A new cluster" }, "+"),
        ),
      ),
    );
    const between = (after: number): HTMLElement => h("div", { class: "between", "data-level": after + 0.5, "data-cluster": -1, "aria-hidden": "true" }, "new level");
    replace(
      this.body,
      between(-1),
      ...levels.flatMap((level, i) => [level, between(i)]),
      h(
        "div",
        { class: "level discarded", "data-level": -1, "data-cluster": -2 },
        h("span", { class: "level-name" }, "Discarded"),
        h("div", { class: "clusters" }, ...organization.discarded.map((id) => card(id, -1, 0)), organization.discarded.length === 0 ? h("span", { class: "quiet" }, "nothing") : null),
      ),
    );
    if (had && this.focus) this.body.querySelector<HTMLElement>(`[data-id="${CSS.escape(this.focus)}"]`)?.focus();
    this.drawLines();
  }

  private placeOf(card: HTMLElement): Place | null {
    const level = Number(card.dataset.level);
    return level < 0 ? null : { level, cluster: Number(card.dataset.cluster) };
  }

  private act(id: string, from: Place | null, to: Place | null): void {
    this.focus = id;
    this.change(moved(this.organization, from, id, to));
  }

  private key(event: KeyboardEvent): void {
    const card = (event.target as Element).closest<HTMLElement>(".doc");
    if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
    const id = card.dataset.id ?? "";
    const from = this.placeOf(card);
    const levels = this.organization.levels;
    const last = levels.length - 1;
    let to: Place | null | undefined;
    const key = event.key;
    if (key === "ArrowUp") to = from === null ? { level: last, cluster: -1 } : from.level === 0 ? { level: -0.5, cluster: -1 } : { level: from.level - 1, cluster: -1 };
    else if (key === "ArrowDown") to = from === null ? undefined : from.level === last ? { level: last + 0.5, cluster: -1 } : { level: from.level + 1, cluster: -1 };
    else if (key === "ArrowLeft" && from) to = from.cluster > 0 ? { ...from, cluster: from.cluster - 1 } : undefined;
    else if (key === "ArrowRight" && from) to = from.cluster + 1 < (levels[from.level]?.length ?? 0) ? { ...from, cluster: from.cluster + 1 } : { ...from, cluster: -1 };
    else if (key === "n" || key === "N") to = from ? { ...from, cluster: -1 } : undefined;
    else if (key === "l" || key === "L") to = from ? { level: from.level + 0.5, cluster: -1 } : { level: last + 0.5, cluster: -1 };
    else if (key === "d" || key === "D" || key === "Delete") to = from ? null : undefined;
    else return;
    event.preventDefault();
    if (to === undefined) return;
    this.act(id, from, to);
    announce(`${id}: ${to === null ? "discarded" : `level ${Math.ceil(to.level) + 1} of ${this.label}`}`);
  }

  private press(event: PointerEvent): void {
    const card = (event.target as Element).closest<HTMLElement>(".doc");
    if (!card || event.button !== 0) return;
    const id = card.dataset.id ?? "";
    const from = this.placeOf(card);
    const start = { x: event.clientX, y: event.clientY };
    let dragging = false;
    let over: HTMLElement | null = null;
    card.setPointerCapture?.(event.pointerId);
    const moving = (e: PointerEvent): void => {
      if (!dragging && Math.hypot(e.clientX - start.x, e.clientY - start.y) < SLIP) return;
      dragging = true;
      this.element.classList.add("dragging");
      card.classList.add("dragged");
      card.style.transform = `translate(${e.clientX - start.x}px, ${e.clientY - start.y}px)`;
      const under = document.elementsFromPoint(e.clientX, e.clientY).find((other) => {
        const target = other.closest(".cluster, .between, .discarded");
        return target !== null && this.element.contains(target) && !other.closest(".doc.dragged");
      });
      const target = under?.closest<HTMLElement>(".cluster, .between, .discarded") ?? null;
      if (target !== over) {
        over?.classList.remove("target");
        target?.classList.add("target");
        over = target;
      }
      e.preventDefault();
    };
    const done = (e: PointerEvent): void => {
      card.removeEventListener("pointermove", moving);
      card.removeEventListener("pointerup", done);
      card.removeEventListener("pointercancel", done);
      card.classList.remove("dragged");
      card.style.transform = "";
      this.element.classList.remove("dragging");
      over?.classList.remove("target");
      if (!dragging || !over || e.type === "pointercancel") return;
      const [level, cluster] = [Number(over.dataset.level), Number(over.dataset.cluster)];
      const to = cluster === -2 ? null : { level, cluster };
      if (from && to && from.level === to.level && from.cluster === to.cluster) return;
      this.act(id, from, to);
    };
    card.addEventListener("pointermove", moving);
    card.addEventListener("pointerup", done);
    card.addEventListener("pointercancel", done);
  }

  /** The relations that were lost or invented, as lines between the cards. */
  private drawLines(): void {
    const box = this.element.getBoundingClientRect();
    this.overlay.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    const find = (id: string): DOMRect | undefined =>
      this.body.querySelector(`[data-id="${CSS.escape(id)}"]`)?.getBoundingClientRect();
    const lines = this.lines.flatMap(({ from, to, kind, words }, i) => {
      const [a, b] = [find(from), find(to)];
      if (!a || !b || from === to) return [];
      // Cards of one row are joined by an arc above them, others from edge to edge.
      const level = Math.abs(a.y - b.y) < a.height;
      const [upper, lower] = a.y <= b.y ? [a, b] : [b, a];
      const [x1, x2] = [upper.x + upper.width / 2 - box.x, lower.x + lower.width / 2 - box.x];
      const y1 = (level ? upper.top : upper.bottom) - box.y;
      const y2 = lower.top - box.y;
      const bend = 10 + 5 * (i % 4);
      const [mx, my] = level ? [(x1 + x2) / 2, Math.min(y1, y2) - bend] : [(x1 + x2) / 2 + bend, (y1 + y2) / 2];
      return [svg("path", { class: kind, d: `M${x1} ${y1} Q${mx} ${my} ${x2} ${y2}` }, svg("title", {}, words))];
    });
    this.overlay.replaceChildren(...lines);
  }
}
