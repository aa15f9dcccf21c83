// Bundles the page into dist, beside the libraries that were built. Called by ./build.

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const [library, reader] = process.argv.slice(2);
const dist = "dist";
rmSync(dist, { recursive: true, force: true });
mkdirSync(`${dist}/examples`, { recursive: true });

const common = { bundle: true, minify: true, format: "iife", target: "es2022", logLevel: "warning" };
await build({
  ...common,
  entryPoints: { lab: "src/main.ts", worker: "src/worker.ts", theme: "src/theme.ts" },
  outdir: dist,
});
await build({
  ...common,
  entryPoints: { plots: "src/parts/plots.ts" },
  globalName: "AXIOMETRICS_PLOTS",
  outdir: dist,
});
await build({ ...common, entryPoints: ["src/lab.css"], outdir: dist });
cpSync("src/index.html", `${dist}/index.html`);
cpSync("src/icon.svg", `${dist}/icon.svg`);
cpSync(library, `${dist}/axiometrics.wasm`);
cpSync(reader, `${dist}/axiometrics-files.wasm`);
cpSync("data/verdicts.json", `${dist}/verdicts.json`);
const assets = ["verdicts.json"];
for (const folder of ["web", "passages"]) {
  for (const file of readdirSync(`../examples/${folder}`)) {
    const name = `examples/${folder}-${file}`;
    cpSync(`../examples/${folder}/${file}`, `${dist}/${name}`);
    assets.push(name);
  }
}

// A page that is opened as a file may fetch nothing: the same once more, in scripts.
const encoding = (name) => (name.endsWith(".wasm") ? "base64" : "utf8");
function embed(script, names) {
  const held = Object.fromEntries(names.map((name) => [name, readFileSync(`${dist}/${name}`, encoding(name))]));
  writeFileSync(`${dist}/${script}`, `globalThis.AXIOMETRICS_EMBEDDED=Object.assign(globalThis.AXIOMETRICS_EMBEDDED??{},${JSON.stringify(held)});`);
}
embed("embedded.js", ["axiometrics.wasm", "worker.js", ...assets]);
embed("embedded-files.js", ["axiometrics-files.wasm"]);

const first = ["index.html", "lab.css", "theme.js", "lab.js", "worker.js", "axiometrics.wasm", "icon.svg"];
const files = [...first, "plots.js", "axiometrics-files.wasm", ...assets];
const hash = createHash("sha256");
for (const file of files) hash.update(readFileSync(`${dist}/${file}`));
await build({
  ...common,
  entryPoints: ["src/offline.ts"],
  outdir: dist,
  define: {
    FILES: JSON.stringify(["./", ...files.slice(1)]),
    VERSION: JSON.stringify(hash.digest("hex").slice(0, 16)),
  },
});

const size = (file) => gzipSync(readFileSync(`${dist}/${file}`), { level: 9 }).length;
const kilo = (...names) => `${(names.reduce((sum, name) => sum + size(name), 0) / 1000).toFixed(0)} kB`;
console.log(`web/dist: first load ${kilo(...first)} compressed (library ${kilo("axiometrics.wasm")}, page ${kilo("lab.js", "lab.css")}); with files ${kilo("axiometrics-files.wasm", "plots.js")} more`);
if (first.reduce((sum, name) => sum + size(name), 0) > 1_200_000) {
  console.error("web/dist: the first load is above 1200 kB");
  process.exit(1);
}
