// What every room has around it: its sentence, panels, messages.

import { type Child, h } from "../dom";
import type { Failure } from "../types";

export interface RoomView {
  element: HTMLElement;
  /** Called when the room is left. */
  leave(): void;
}

export function panel(title: string, attributes: Record<string, unknown>, ...children: Child[]): HTMLElement {
  const id = `panel-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  const { class: extra = "", head = null, ...others } = attributes;
  return h(
    "section",
    { class: `panel ${String(extra)}`, "aria-labelledby": id, ...others },
    h("div", { class: "panel-head" }, h("h2", { id }, title), head as Child),
    ...children,
  );
}

/** An error as the command words it: where, what, and a way out. */
export function failure(error: Failure, attributes: Record<string, unknown> = {}): HTMLElement {
  const place = [error.file, error.line, error.column].filter((x) => x !== null).join(":");
  return h(
    "div",
    { class: "failure", role: "alert", ...attributes },
    h("p", {}, place ? h("strong", {}, `${place}: `) : null, error.message),
    error.help ? h("p", { class: "help" }, `Help: ${error.help}`) : null,
  );
}

/** A control with its label and one line of help. */
export function field(label: string, control: HTMLElement, help: string): HTMLElement {
  const id = control.id || `field-${label.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  control.id = id;
  control.setAttribute("aria-describedby", `${id}-help`);
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, label),
    control,
    h("span", { class: "field-help", id: `${id}-help` }, help),
  );
}

export function select(
  options: [value: string, label: string][],
  value: string,
  change: (value: string) => void,
  attributes: Record<string, unknown> = {},
): HTMLSelectElement {
  const element = h(
    "select",
    { ...attributes, onchange: () => change(element.value) },
    ...options.map(([key, label]) => h("option", { value: key, selected: key === value }, label)),
  );
  return element;
}

export function button(
  text: string,
  help: string,
  act: () => void,
  attributes: Record<string, unknown> = {},
): HTMLButtonElement {
  return h("button", { type: "button", title: help, onclick: act, ...attributes }, text);
}
