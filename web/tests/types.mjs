// Holds the library's own answers against the types that the page believes in: each answer becomes a
// literal of its type, and the compiler says what does not fit.

import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";

const module = new WebAssembly.Module(readFileSync("dist/axiometrics-files.wasm"));
const library = new WebAssembly.Instance(module, {}).exports;

function ask(request) {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  // Asking for room may replace the memory's buffer, so that comes first.
  const input = library.input(bytes.length);
  new Uint8Array(library.memory.buffer, input, bytes.length).set(bytes);
  const length = library.call();
  const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(library.memory.buffer, library.output(), length)));
  if (answer.ok === undefined) throw new Error(JSON.stringify(answer));
  return answer.ok;
}

function file(name, path) {
  const bytes = readFileSync(path);
  const number = ask({ op: "open", name, size: bytes.length });
  const room = library.room(number, bytes.length);
  new Uint8Array(library.memory.buffer, room, bytes.length).set(bytes);
  return number;
}

const measures = ["P@5", "AP", "RBP(p=0.8)", "Bpref"];
const web = "../examples/web";
ask({ op: "judgements", file: file("qrels.txt", `${web}/qrels.txt`), measures, ranges: true });
for (const run of ["bm25.run", "dense.run"]) ask({ op: "run", file: file(run, `${web}/${run}`), keep: true });
const samples = {
  Scored: ask({ op: "score", rankings: ["1-10-", "[10]1+2"], measures: [...measures, "nDCH"], ranges: true }),
  "Described[]": ask({ op: "measures", texts: ["P@5", "RBP", "P"] }),
  Explained: ask({ op: "explain", ranking: "1-10-", measure: "RBP(p=0.5)" }),
  Definition: ask({ op: "define", measure: "nDCG@10" }),
  Catalogue: ask({ op: "catalogue" }),
  Verdicts: ask({ op: "check", measure: "P@5", groups: ["property", "constraint"], max_docs: 3 }),
  Lattice: ask({ op: "lattice" }),
  Organized: ask({ op: "organize", gold: "{a b} / c", system: "a / {b c}", differences: 9 }),
  Results: ask({ op: "results", baseline: 0 }),
  "Drawn[]": ask({ op: "figures", measure: "AP", baseline: 0 }),
  TopicExplained: ask({ op: "topic", run: 0, topic: "201", measure: "AP" }),
};
// By way of a variable, so that fields that the page does not read are no errors.
const lines = Object.entries(samples).map(
  ([type, value], i) => `const sample${i} = ${JSON.stringify(value)};\nfits<T.${type}>(sample${i});`,
);
const path = "src/samples.generated.ts";
try {
  writeFileSync(path, `import type * as T from "./types";\nfunction fits<X>(_: X): void {}\n${lines.join("\n")}\n`);
  execFileSync("node_modules/.bin/tsc", ["--noEmit"], { stdio: "inherit" });
  console.log(`ok   types: ${lines.length} answers of the library have the types of the page`);
} finally {
  rmSync(path, { force: true });
}
