// A small runner of tests: each has a name and a page of its own.

import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const tests = [];
export const test = (name, body, options = {}) => tests.push({ name, body, options });

/** The command, as JSON. */
export function axio(args) {
  const text = execFileSync(process.env.AXIO, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  return JSON.parse(text);
}

/** Numbers are equal if all their bits are. */
export function same(found, expected, what) {
  const text = (x) => (x === null || x === undefined || x === "" ? "none" : String(Number(x)));
  assert.equal(text(found), text(expected), what);
}

/** Runs the tests one after the other; a page that reports an error fails. */
export async function run(browser, address) {
  const only = process.argv.slice(2);
  let failed = 0;
  for (const { name, body, options } of tests) {
    if (only.length && !only.some((part) => name.includes(part))) continue;
    const start = performance.now();
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      acceptDownloads: true,
      ...options,
    });
    const page = await context.newPage();
    const heard = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) heard.push(message.text());
    });
    page.on("pageerror", (error) => heard.push(error.stack));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !/^(blob|data|file):/.test(url)) heard.push(`asks for ${url}`);
    });
    const open = async (hash = "") => {
      await page.goto(`${address}${hash}`);
      await page.waitForSelector("html[data-ready]", { timeout: 60_000 });
    };
    try {
      await body({ page, context, open, heard });
      assert.deepEqual(heard, [], "the console is silent");
      console.log(`ok   ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL ${name}\n${error.stack ?? error}`);
      if (heard.length) console.log(`     heard: ${heard.join("\n     ")}`);
      const path = join(mkdtempSync(join(tmpdir(), "lab-")), "failed.png");
      await page.screenshot({ path }).then(() => console.log(`     seen: ${path}`), () => undefined);
    }
    await context.close();
  }
  return failed;
}

/** The same random numbers every time. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
