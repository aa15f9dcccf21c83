// Elements from data. Text goes in as text nodes alone, so that no id or file name is ever markup.

export type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, unknown>;

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "value" && "value" in element) {
      (element as HTMLInputElement).value = String(value);
    } else if (name === "checked" || name === "disabled" || name === "selected") {
      (element as unknown as Record<string, unknown>)[name] = Boolean(value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
}

export function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

/** Puts new children in the place of the old ones. */
export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

/** Draws a place again only if what it shows has changed: a page that stays the same need not be laid
 * out again. */
export function redraw(place: HTMLElement, shown: unknown, draw: () => void): void {
  const key = JSON.stringify(shown);
  if (drawn.get(place) === key) return;
  drawn.set(place, key);
  draw();
}
const drawn = new WeakMap<HTMLElement, string>();

/** A number for people: four places, or why there is none. */
export function number(x: number | null | undefined, places = 4): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (Number.isInteger(x) && Math.abs(x) >= 1000) return String(x);
  return x.toFixed(places).replace(/^-(0\.?0*)$/, "$1");
}

/** A change for people, with its sign. */
export function signed(x: number): string {
  const text = number(Math.abs(x));
  return x < 0 ? `−${text}` : `+${text}`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** Says a sentence to those who listen to the page. */
export function announce(text: string): void {
  const region = document.getElementById("announcer");
  if (region && region.textContent !== text) region.textContent = text;
}

/** Offers a text as a file. */
export function download(name: string, text: string, type = "text/plain"): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Copies a text, and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    window.prompt(`The browser does not let the page copy. ${what}:`, text);
  }
}

let fading: ReturnType<typeof setTimeout> | undefined;

/** A short message at the foot of the page. */
export function toast(text: string): void {
  const place = document.getElementById("toast");
  if (!place) return;
  place.textContent = text;
  place.classList.add("shown");
  announce(text);
  clearTimeout(fading);
  fading = setTimeout(() => place.classList.remove("shown"), 2500);
}

/** Whether the person wants things to move. */
export function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** How large text is here: drawings in pixels grow with it, as all else does. */
export function textScale(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}
