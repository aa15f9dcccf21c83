// Runs the library, away from the page: a request in, an answer out. Ending the worker stops it.

import { type Exports, ask, instance } from "./library";

type Message =
  | { kind: "module"; module: WebAssembly.Module }
  | { kind: "call"; id: number; request: unknown }
  | { kind: "file"; id: number; name: string; blob: Blob };

/** A file is handed over in pieces of so many bytes. */
const PIECE = 4 << 20;

let library: Promise<Exports> | undefined;
let ready: (module: WebAssembly.Module) => void = () => {};
const module = new Promise<WebAssembly.Module>((resolve) => (ready = resolve));

function load(): Promise<Exports> {
  library ??= module.then(instance);
  return library;
}

async function file(exports: Exports, id: number, name: string, blob: Blob): Promise<unknown> {
  const opened = ask(exports, { op: "open", name, size: blob.size }) as { ok?: number };
  const number = opened.ok;
  if (number === undefined) return opened;
  for (let start = 0; start < blob.size; start += PIECE) {
    const piece = new Uint8Array(await blob.slice(start, start + PIECE).arrayBuffer());
    const room = exports.room(number, piece.length);
    new Uint8Array(exports.memory.buffer, room, piece.length).set(piece);
    postMessage({ id, progress: Math.min(1, (start + piece.length) / blob.size) });
  }
  return opened;
}

// One thing at a time: a file that is being read must not meet another request half-way.
let queue: Promise<unknown> = Promise.resolve();

addEventListener("message", ({ data }: MessageEvent<Message>) => {
  if (data.kind === "module") {
    ready(data.module);
    return;
  }
  queue = queue.then(async () => {
    const { id } = data;
    try {
      const exports = await load();
      const start = performance.now();
      const answer =
        data.kind === "file"
          ? await file(exports, id, data.name, data.blob)
          : ask(exports, data.request);
      const took = performance.now() - start;
      postMessage({ id, answer, took, memory: exports.memory.buffer.byteLength });
    } catch (error) {
      postMessage({ id, broken: error instanceof Error ? error.message : String(error) });
    }
  });
});
