// Help: the keys, the notation, what the colours mean.

import { h } from "./dom";

const KEYS: [string, string][] = [
  ["← →", "go to the card before or behind"],
  ["0 to 9", "set the grade of the card"],
  ["U", "unjudged"],
  ["T", "tie with the next card, or untie"],
  ["Alt ← →", "move the card"],
  ["+ and Delete", "add a card, remove one"],
  ["Ctrl Z, Ctrl Shift Z", "undo, redo"],
  ["arrows in the matrix", "go from cell to cell; Enter opens one"],
  ["?", "this help"],
];

const NOTATION: [string, string][] = [
  ["1100", "grades from the top"],
  ["1-0", "- is an unjudged document"],
  ["110+2", "two relevant documents were not retrieved; +2:3 of grade 3"],
  ["[10]1", "the two in brackets have equal scores"],
  ["0.7 - 10 | 2", "grades that stand apart may have several digits"],
  ["{d1 d2} / d3 | d4", "organizations: levels between slashes, clusters in braces, discarded ones behind the bar"],
];

function list(rows: [string, string][]): HTMLElement {
  return h("dl", { class: "keys" }, ...rows.flatMap(([key, meaning]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, meaning)]));
}

export function showHelp(): void {
  if (document.querySelector("dialog[open]")) return;
  const dialog = h(
    "dialog",
    { class: "sheet", "aria-label": "Help" },
    h("h2", {}, "Keys"),
    list(KEYS),
    h("h2", {}, "Notation"),
    list(NOTATION),
    h("h2", {}, "Good to know"),
    h(
      "p",
      {},
      "The page runs the library itself, compiled for the browser. Files that you drop are read here and sent nowhere. The link in the address bar holds all that you see but your files.",
    ),
    h("div", { class: "actions" }, h("button", { type: "button", onclick: () => dialog.close() }, "Close")),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
