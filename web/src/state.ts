// The state of the page: a few texts by name, all of them in the link.

export const ROOMS = ["playground", "properties", "metric", "runs", "organizations"] as const;
export type Room = (typeof ROOMS)[number];

/** Each part of the state with what it is if the link says nothing. */
const DEFAULTS = {
  room: "playground" as string,
  /** Playground: the rankings, the measures, the measure that is taken apart. */
  a: "1101-00100+2",
  b: "0110110-00+2",
  two: "1",
  m: "P@5 AP nDCG@10 RBP(p=0.8) RR ERR INST(T=2) bpref RPrec SDCG@5",
  s: "RBP(p=0.8)",
  ties: "file",
  tail: "none",
  grade: "",
  /** Properties: the kind of output, the groups shown, wishes, filters, the open cell. */
  task: "ranking",
  groups: "property constraint",
  want: "",
  family: "",
  find: "",
  sort: "",
  cell: "",
  view: "matrix",
  /** Your metric: what is written, in which form, and its cutoff. */
  form: "formula",
  text: "",
  k: "",
  /** Your runs: the example, measures, baseline, the topic that is open, what is shown. */
  example: "web",
  rm: "nDCG@10 AP RR P@10 RBP(p=0.8)",
  base: "",
  show: "",
  topic: "",
  run: "",
  plot: "means",
  rties: "docid-desc",
  rmissing: "zero",
  /** Organizations: both sides and how relations are weighted. */
  gold: "{d1 d2} / {d3 d4 d5} / d6",
  org: "{d1 d2 d3} / {d4 d5} / d6",
  finite: "1",
  lines: "1",
};

export type Key = keyof typeof DEFAULTS;
export type State = Record<Key, string>;

const KEYS = Object.keys(DEFAULTS) as Key[];

export function defaults(): State {
  return { ...DEFAULTS };
}

function read(hash: string): State {
  const state = defaults();
  const [room, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  if (room && (ROOMS as readonly string[]).includes(room)) state.room = room;
  for (const [key, value] of new URLSearchParams(query)) {
    if (key !== "room" && (KEYS as string[]).includes(key)) state[key as Key] = value;
  }
  return state;
}

/** The link of a state: what is as usual is left out. */
export function hashOf(state: State): string {
  const query = new URLSearchParams();
  for (const key of KEYS) {
    if (key !== "room" && state[key] !== DEFAULTS[key]) query.set(key, state[key]);
  }
  const text = query.toString();
  return `#${state.room}${text ? `?${text}` : ""}`;
}

type Listener = (state: State, before: State) => void;

/** At most so many acts can be undone. */
const DEEPEST = 500;

class Store {
  private current = read(location.hash);
  private undone: State[] = [];
  private past: State[] = [];
  private listeners = new Set<Listener>();
  private lastKey = "";
  private lastTime = 0;

  constructor() {
    addEventListener("popstate", () => this.arrive());
    addEventListener("hashchange", () => this.arrive());
  }

  get state(): State {
    return this.current;
  }

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Changes the state: one act, which can be undone. Typing is one act as long as it goes on. */
  set(change: Partial<State>, { typing = false } = {}): void {
    const next = { ...this.current, ...change };
    if (KEYS.every((key) => next[key] === this.current[key])) return;
    const key = Object.keys(change).join();
    const now = performance.now();
    const goesOn = typing && key === this.lastKey && now - this.lastTime < 1500;
    [this.lastKey, this.lastTime] = [key, now];
    if (!goesOn) this.past = [...this.past.slice(-DEEPEST), this.current];
    this.undone = [];
    this.go(next, goesOn);
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  undo(): void {
    const before = this.past.at(-1);
    if (!before) return;
    this.past = this.past.slice(0, -1);
    this.undone = [...this.undone, this.current];
    this.lastKey = "";
    this.go(before, false);
  }

  redo(): void {
    const after = this.undone.at(-1);
    if (!after) return;
    this.undone = this.undone.slice(0, -1);
    this.past = [...this.past, this.current];
    this.lastKey = "";
    this.go(after, false);
  }

  private go(next: State, replace: boolean): void {
    const hash = hashOf(next);
    if (hash !== location.hash) {
      if (replace) history.replaceState(null, "", hash);
      else history.pushState(null, "", hash);
    }
    this.tell(next);
  }

  private tell(next: State): void {
    const before = this.current;
    this.current = next;
    for (const listener of [...this.listeners]) listener(next, before);
  }

  /** Back, forward, or a link that was typed. */
  private arrive(): void {
    const next = read(location.hash);
    if (hashOf(next) === hashOf(this.current)) return;
    this.past = [...this.past.slice(-DEEPEST), this.current];
    this.undone = [];
    this.lastKey = "";
    this.tell(next);
  }
}

export const store = new Store();

/** Words with blanks between them; those in brackets belong together. */
export function words(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let quoted = false;
  let word = "";
  for (const c of text) {
    if (c === '"') quoted = !quoted;
    if (!quoted && "({".includes(c)) depth += 1;
    if (!quoted && ")}".includes(c)) depth -= 1;
    if (/[\s,]/.test(c) && depth <= 0 && !quoted) {
      if (word) found.push(word);
      word = "";
    } else {
      word += c;
    }
  }
  if (word) found.push(word);
  return found;
}
