// An instance of the library: a request in, an answer out. The worker has one, and so has the page.

export interface Exports {
  memory: WebAssembly.Memory;
  input(length: number): number;
  call(): number;
  output(): number;
  room(file: number, length: number): number;
}

export async function instance(module: WebAssembly.Module): Promise<Exports> {
  const { exports } = await WebAssembly.instantiate(module, {});
  return exports as unknown as Exports;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function ask(exports: Exports, request: unknown): unknown {
  const bytes = encoder.encode(JSON.stringify(request));
  const input = exports.input(bytes.length);
  new Uint8Array(exports.memory.buffer, input, bytes.length).set(bytes);
  const length = exports.call();
  const answer = new Uint8Array(exports.memory.buffer, exports.output(), length);
  return JSON.parse(decoder.decode(answer));
}
