// The plots of the report, which the library draws: their text becomes elements of the page.

import { h } from "../dom";
import type { Drawn } from "../types";

/** What a plot is made of. Whatever else might stand in its text is left out. */
const ELEMENTS = new Set(["svg", "g", "defs", "clipPath", "linearGradient", "stop", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title"]);

function clean(element: Element): void {
  for (const child of [...element.children]) {
    if (ELEMENTS.has(child.localName)) clean(child);
    else child.remove();
  }
  for (const { name } of [...element.attributes]) {
    if (name.startsWith("on") || name.endsWith("href")) element.removeAttribute(name);
  }
}

export function figure({ name, caption, svg }: Drawn): HTMLElement {
  const text = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ');
  const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const readable = drawn.localName === "svg";
  if (readable) clean(drawn);
  return h(
    "figure",
    { class: "report-figure" },
    readable ? h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Plot" }, document.importNode(drawn, true)) : null,
    h("figcaption", { id: `${name}-caption`, class: "quiet" }, caption),
  );
}
