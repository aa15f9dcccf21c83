// The frame: the bar, the rooms, undo and redo, light and dark, help.

import { announce, h, replace } from "./dom";
import { quick } from "./engine";
import type { RoomView } from "./parts/frame";
import { metric } from "./rooms/metric";
import { organizations } from "./rooms/organizations";
import { playground } from "./rooms/playground";
import { properties } from "./rooms/properties";
import { runs } from "./rooms/runs";
import { type Room, type State, hashOf, store } from "./state";
import { showHelp } from "./help";
import { PATH, define } from "./own";

const TITLES: Record<Room, { title: string; short: string; sentence: string; open(): RoomView }> = {
  playground: {
    title: "Playground",
    short: "Play",
    sentence: "Change a ranking and watch every measure follow: click a card to change its grade, drag it to another rank, or use the keys.",
    open: playground,
  },
  properties: {
    title: "Properties",
    short: "Properties",
    sentence: "Which measure has which property: open a cell for its witness or proof, and pick what you want to see what is left.",
    open: properties,
  },
  metric: {
    title: "Your metric",
    short: "Metric",
    sentence: "Write a metric of your own and see its scores as you type; then let the laboratory decide its properties.",
    open: metric,
  },
  runs: {
    title: "Your runs",
    short: "Runs",
    sentence: "Drop judgements and runs: they are scored here, in the browser, and nothing leaves your machine.",
    open: runs,
  },
  organizations: {
    title: "Organizations",
    short: "Organize",
    sentence: "Sort documents into levels and clusters, and see which relations of the gold standard you keep, lose and invent.",
    open: organizations,
  },
};

const main = document.getElementById("main") as HTMLElement;
const bar = document.getElementById("bar") as HTMLElement;
let current: { room: string; view: RoomView } | undefined;

function link(room: Room, state: State): HTMLElement {
  const here = state.room === room;
  return h(
    "a",
    {
      href: hashOf({ ...state, room }),
      class: "room-link",
      "aria-current": here ? "page" : undefined,
      onclick: (event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        store.set({ room });
      },
    },
    h("span", { class: "long" }, TITLES[room].title),
    h("span", { class: "short", "aria-hidden": "true" }, TITLES[room].short),
  );
}

function theme(): string {
  const set = document.documentElement.dataset.theme;
  return set ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function toggleTheme(): void {
  const next = theme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("axiometrics-theme", next);
  } catch {
    // It lasts as long as the page.
  }
  announce(`${next} colours`);
}

const undo = h("button", { type: "button", class: "icon", title: "Undo (Ctrl and Z)", "aria-label": "Undo", onclick: () => store.undo() }, "↶");
const redo = h("button", { type: "button", class: "icon", title: "Redo (Ctrl, Shift and Z)", "aria-label": "Redo", onclick: () => store.redo() }, "↷");
const nav = h("nav", { "aria-label": "Rooms" });
replace(
  bar,
  h("a", { class: "brand", href: "#playground", title: "The laboratory of Axiometrics" }, h("span", { class: "mark", "aria-hidden": "true" }), h("span", { class: "name" }, "Axiometrics"), h("span", { class: "unseen" }, " laboratory")),
  nav,
  h(
    "div",
    { class: "bar-tools" },
    undo,
    redo,
    h("button", { type: "button", class: "icon", title: "Light or dark", "aria-label": "Light or dark", onclick: toggleTheme }, "◐"),
    h("button", { type: "button", class: "icon", title: "Help and keys (?)", "aria-label": "Help and keys", onclick: showHelp }, "?"),
  ),
);

function show(state: State): void {
  undo.disabled = !store.canUndo;
  redo.disabled = !store.canRedo;
  // A link that is rebuilt under the pointer would lose its focus.
  if (current?.room === state.room) {
    for (const a of nav.querySelectorAll("a")) {
      const room = a.dataset.room as Room;
      a.setAttribute("href", hashOf({ ...state, room }));
    }
    return;
  }
  replace(
    nav,
    ...(Object.keys(TITLES) as Room[]).map((room) => {
      const a = link(room, state);
      a.dataset.room = room;
      return a;
    }),
  );
  const first = current === undefined;
  current?.view.leave();
  const { title, sentence, open } = TITLES[state.room as Room];
  const view = open();
  current = { room: state.room, view };
  document.title = `${title} · Axiometrics laboratory`;
  replace(main, h("div", { class: "room-head" }, h("h1", {}, title), h("p", {}, sentence)), view.element);
  if (!first) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
    announce(title);
  }
}

addEventListener("keydown", (event) => {
  const typing = (event.target as Element).closest?.("input, textarea, select") !== null;
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control && !typing && key === "z") {
    event.preventDefault();
    if (event.shiftKey) store.redo();
    else store.undo();
  } else if (control && !typing && key === "y") {
    event.preventDefault();
    store.redo();
  } else if (event.key === "?" && !typing && !control) {
    showHelp();
  }
});

// A metric of one's own is known before a room asks for its scores.
const tell = (state: State): void => {
  if (state.m.includes(PATH) || state.rm.includes(PATH)) define(state).catch(() => undefined);
};
store.subscribe(tell);
tell(store.state);
store.subscribe(show);
show(store.state);

// The first answer tells whether the library runs here at all.
quick.call({ op: "measures", texts: ["P@1"] }).then(
  () => document.documentElement.setAttribute("data-ready", ""),
  (error: Error) => {
    document.documentElement.setAttribute("data-broken", "");
    main.prepend(
      h(
        "div",
        { class: "failure", role: "alert" },
        h("p", {}, `The library cannot start here: ${error.message}.`),
        h("p", { class: "help" }, location.protocol === "file:" ? "Keep all files of the folder together, or serve the folder: python3 -m http.server" : "Load the page again, or serve all files of its folder."),
      ),
    );
  },
);

if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
  // Without it the page works as well, but for being offline.
  navigator.serviceWorker.register("offline.js").catch(() => undefined);
}
