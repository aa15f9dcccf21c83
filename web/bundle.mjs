// Bundles the page into dist, beside the library that was built. Called by ./build.

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const [library] = process.argv.slice(2);
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
cpSync("data/verdicts.json", `${dist}/verdicts.json`);
const assets = ["verdicts.json"];
for (const folder of ["web", "passages"]) {
  for (const file of readdirSync(`../examples/${folder}`)) {
    const name = `examples/${folder}-${file}`;
    cpSync(`../examples/${folder}/${file}`, `${dist}/${name}`);
    assets.push(name);
  }
}

// A page that is opened as a file may fetch nothing: the same once more, in one script.
const embedded = {
  wasm: readFileSync(library).toString("base64"),
  worker: readFileSync(`${dist}/worker.js`, "utf8"),
  assets: Object.fromEntries(assets.map((name) => [name, readFileSync(`${dist}/${name}`, "utf8")])),
};
writeFileSync(`${dist}/embedded.js`, `globalThis.AXIOMETRICS_EMBEDDED=${JSON.stringify(embedded)};`);

const first = ["index.html", "lab.css", "theme.js", "lab.js", "worker.js", "axiometrics.wasm", "icon.svg"];
const files = [...first, "plots.js", ...assets];
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
const total = first.reduce((sum, file) => sum + size(file), 0);
const kilo = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
console.log(`web/dist: first load ${kilo(total)} compressed (library ${kilo(size("axiometrics.wasm"))}, page ${kilo(size("lab.js") + size("lab.css"))})`);
if (total > 1_200_000) {
  console.error("web/dist: the first load is above 1200 kB");
  process.exit(1);
}
