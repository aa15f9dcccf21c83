// The library as the page calls it: promises, progress, and a way to stop.

import { type Exports, ask, instance } from "./library";
import type { Failure } from "./types";

/** What a page that is opened as a file finds in scripts: the library for each of its uses in base
    64, and files of the site as text. */
declare global {
  var AXIOMETRICS_EMBEDDED: Record<string, string> | undefined;
}

/** An answer of the library that is no result. */
export class LibraryError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** The work was stopped by whoever asked for it. */
export class Stopped extends Error {}

const fromFile = location.protocol === "file:";

/** The library, and the larger one that reads files, which the first room does without. */
type Library = "axiometrics.wasm" | "axiometrics-files.wasm";
const compiled = new Map<Library, Promise<WebAssembly.Module>>();

function script(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = source;
    element.onload = () => resolve();
    element.onerror = () => reject(new Error(`${source} is missing beside the page`));
    document.head.append(element);
  });
}

type Plots = typeof import("./parts/plots");

declare global {
  var AXIOMETRICS_PLOTS: Plots | undefined;
}

let drawing: Promise<Plots> | undefined;
/** The plots of runs, which the first room does without. */
export function plotting(): Promise<Plots> {
  drawing ??= script("plots.js").then(() => {
    if (!globalThis.AXIOMETRICS_PLOTS) throw new Error("plots.js is empty");
    return globalThis.AXIOMETRICS_PLOTS;
  });
  return drawing;
}

/** Pages that are opened as files may fetch nothing: what they need stands in scripts beside them. */
const scripts = new Map<string, Promise<void>>();
async function embedded(name: string): Promise<string> {
  const source = name === "axiometrics-files.wasm" ? "embedded-files.js" : "embedded.js";
  if (!scripts.has(source)) scripts.set(source, script(source));
  await scripts.get(source);
  const text = globalThis.AXIOMETRICS_EMBEDDED?.[name];
  if (text === undefined) throw new Error(`${name} is not part of the page`);
  return text;
}

async function fetched(name: string): Promise<Response> {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: the server answers ${response.status}`);
  return response;
}

/** A file of the site as text. */
export async function asset(name: string): Promise<string> {
  return fromFile ? embedded(name) : (await fetched(name)).text();
}

async function compile(library: Library): Promise<WebAssembly.Module> {
  // Not every server knows the type that compiling while loading asks for.
  const bytes = fromFile
    ? Uint8Array.from(atob(await embedded(library)), (c) => c.charCodeAt(0))
    : await (await fetched(library)).arrayBuffer();
  return WebAssembly.compile(bytes);
}

async function worker(): Promise<Worker> {
  if (!fromFile) return new Worker("worker.js");
  const source = await embedded("worker.js");
  return new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  progress?(share: number): void;
  like?: string;
}

/** What takes no longer than so many milliseconds need not leave the page: a worker's answer waits
    for the frame that is being drawn, which is longer. */
const LIGHT = 5;

function result(answer: unknown): unknown {
  const { ok, error } = answer as { ok?: unknown; error?: Failure };
  if (error) throw new LibraryError(error);
  return ok;
}

/** One worker. What it was told of the page's own metrics it is told again when it starts anew. */
export class Engine {
  private running: Promise<Worker> | undefined;
  private waiting = new Map<number, Waiting>();
  private next = 1;
  private own: { path: string; text: string }[] = [];
  /** The page's own instance, and what may be asked of it. */
  private here: Exports | undefined;
  private light = new Set<string>();
  /** Counts the starts, so that a caller can tell that files are gone. */
  generation = 0;
  /** How many bytes the library had at its last answer; it gives none back before it ends. */
  memory = 0;

  constructor(private library: Library) {}

  /** Whether a worker runs: one that broke down has lost its files. */
  get runs(): boolean {
    return this.running !== undefined;
  }

  private start(): Promise<Worker> {
    this.running ??= (async () => {
      const module = compiled.get(this.library) ?? compile(this.library);
      compiled.set(this.library, module);
      const [built, started] = await Promise.all([module, worker()]);
      this.generation += 1;
      started.postMessage({ kind: "module", module: built });
      started.addEventListener("message", ({ data }) => this.hear(data));
      started.addEventListener("error", (event) => this.fail(event.message || "it ended"));
      if (this.own.length > 0) {
        started.postMessage({ kind: "call", id: 0, request: { op: "own", files: this.own } });
      }
      return started;
    })();
    return this.running;
  }

  private hear(data: { id: number; progress?: number; answer?: unknown; broken?: string; memory?: number; took?: number }): void {
    const waiting = this.waiting.get(data.id);
    if (!waiting) return;
    if (data.progress !== undefined) {
      waiting.progress?.(data.progress);
      return;
    }
    if (data.broken !== undefined) {
      this.fail(data.broken);
      return;
    }
    this.waiting.delete(data.id);
    this.memory = data.memory ?? this.memory;
    if (waiting.like !== undefined) this.weigh(waiting.like, data.took ?? Infinity);
    try {
      waiting.resolve(result(data.answer));
    } catch (error) {
      waiting.reject(error as Error);
    }
  }

  private weigh(like: string, took: number): void {
    if (took > LIGHT) {
      this.light.delete(like);
      return;
    }
    this.light.add(like);
    if (this.here) return;
    void compiled.get(this.library)?.then(instance).then((exports) => (this.here ??= exports), () => undefined);
  }

  /** Nothing more can be asked of a library that broke down: it starts anew. */
  private fail(why: string): void {
    const failure: Failure = {
      message: `the library stopped: ${why}`,
      help: "a file may need more memory than the browser gives; the command has no such limit",
      file: null,
      line: null,
      column: null,
    };
    this.end(new LibraryError(failure));
  }

  private end(error: Error): void {
    void this.running?.then((ended) => ended.terminate());
    this.running = undefined;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of waiting) one.reject(error);
  }

  private send<T>(
    message: Record<string, unknown>,
    how: Pick<Waiting, "progress" | "like"> = {},
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject, ...how });
      this.start().then(
        (started) => started.postMessage({ ...message, id }),
        (error: Error) => {
          this.running = undefined;
          compiled.delete(this.library);
          this.waiting.delete(id);
          reject(error);
        },
      );
    });
  }

  /** Asks the library. `like` names requests that take about as long. */
  call<T>(request: Record<string, unknown>, like?: string): Promise<T> {
    return this.send<T>({ kind: "call", request }, { like });
  }

  /** Answers at once, if the worker has answered the like so quickly that the page need not fear to
      wait. The page's own metrics are the worker's alone. */
  now<T>(request: Record<string, unknown>, like: string): T | undefined {
    if (!this.here || !this.light.has(like)) return undefined;
    const start = performance.now();
    let answer: unknown;
    try {
      answer = ask(this.here, request);
    } catch {
      // It broke down. The worker is asked, and says why.
      this.here = undefined;
      this.light.delete(like);
      return undefined;
    }
    this.weigh(like, performance.now() - start);
    return result(answer) as T;
  }

  /** Hands a file over, and gives its number. */
  file(name: string, blob: Blob, progress?: (share: number) => void): Promise<number> {
    return this.send<number>({ kind: "file", name, blob }, { progress });
  }

  /** Makes the page's own metrics known, and says what they are. */
  define<T>(files: { path: string; text: string }[]): Promise<T[]> {
    const defined = this.call<T[]>({ op: "own", files });
    this.own = files;
    return defined;
  }

  /** Makes them known when the worker is next asked for something. */
  remember(files: { path: string; text: string }[]): void {
    this.own = files;
    if (this.running) void this.call({ op: "own", files }).catch(() => undefined);
  }

  /** Ends whatever is being done. The next request starts anew. */
  stop(): void {
    this.end(new Stopped("stopped"));
  }
}

/** Answers at once. */
export const quick = new Engine("axiometrics.wasm");
/** Takes long, and can be stopped. */
export const slow = new Engine("axiometrics.wasm");
/** Reads files, and can be stopped. */
export const reader = new Engine("axiometrics-files.wasm");

/** What went wrong, for people. */
export function failureOf(error: unknown): Failure {
  if (error instanceof LibraryError) return error.failure;
  const message = error instanceof Error ? error.message : String(error);
  return { message, help: null, file: null, line: null, column: null };
}
