// The page of `axio report` in a browser: links, widths and colours.

import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { random, test } from "./check.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const examples = "../examples/web";
const small = [`${examples}/qrels.txt`, ...["bm25.run", "bm25-rm3.run", "dense.run", "hybrid.run"].map((name) => `${examples}/${name}`)];

const folder = mkdtempSync(join(tmpdir(), "lab-"));
const made = new Map();

/** The address of the report on these files. */
function report(name, files) {
  if (!made.has(name)) {
    const path = join(folder, `${name}.html`);
    execFileSync(process.env.AXIO, ["report", "-q", ...files, "-o", path]);
    made.set(name, pathToFileURL(path).href);
  }
  return made.get(name);
}

/** As many runs as a track has, under names as long as theirs. */
function many() {
  const next = random(63);
  const place = join(folder, "a-folder-whose-name-is-longer-than-any-screen-of-a-phone-is-wide");
  mkdirSync(place, { recursive: true });
  let judged = "";
  const topics = Array.from({ length: 12 }, (_, i) => `topic-${i}`);
  for (const topic of topics) for (let doc = 0; doc < 20; doc += 1) judged += `${topic} 0 d${doc} ${Math.floor(3 * next())}\n`;
  const qrels = join(place, "qrels.txt");
  writeFileSync(qrels, judged);
  const runs = Array.from({ length: 63 }, (_, r) => {
    const path = join(place, `a_system_with_a_long_name_${r}.run`);
    const line = (topic, rank) => `${topic} Q0 d${Math.floor(25 * next())}x${rank} ${rank} ${100 - rank} t\n${topic} Q0 d${(rank * 7 + r) % 20} ${rank} ${100.5 - rank} t\n`;
    writeFileSync(path, topics.map((topic) => [1, 2, 3, 4, 5, 6].map((rank) => line(topic, rank)).join("")).join(""));
    return path;
  });
  return [qrels, ...runs];
}

const REPORTS = { small: () => report("small", small), many: () => report("many", made.has("many") ? [] : many()) };

for (const [name, address] of Object.entries(REPORTS)) {
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    test(`report: every link ends at its target (${name}, ${width} px)`, async ({ page }) => {
      await page.goto(address());
      const targets = await page.$$eval("nav a", (links) => links.map((link) => link.hash));
      assert.ok(targets.length > 5);
      // From far away and from where the link before it ended.
      for (const target of [...targets, ...targets.toReversed()]) {
        await page.click(`nav a[href="${target}"]`);
        const off = () => page.evaluate((id) => {
          const { top } = document.querySelector(id).getBoundingClientRect();
          const wanted = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
          // What is near the end of the page cannot come to the top.
          const further = document.documentElement.scrollHeight - innerHeight - scrollY;
          return Math.max(0, Math.min(Math.abs(top - wanted), top > wanted ? further : Infinity));
        }, target);
        // The page scrolls smoothly: it has arrived once it stays.
        await page.evaluate(async () => {
          for (let still = 0, before = -1; still < 8; before = scrollY) {
            await new Promise(requestAnimationFrame);
            still = scrollY === before ? still + 1 : 0;
          }
        });
        assert.ok((await off()) < 3, `${target} is ${await off()} px away`);
        if (width < 1000) await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      }
    }, { viewport: { width, height } });

    test(`report: nothing is wider than the page (${name}, ${width} px)`, async ({ page }) => {
      await page.goto(address());
      await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
      const seen = await page.evaluate(() => ({
        sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        beyond: [...document.querySelectorAll("body *")]
          .filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !e.closest(".wide > *, svg > *"))
          .map((e) => `${e.tagName} ${e.textContent.slice(0, 60)}`),
      }));
      assert.deepEqual(seen, { sideways: 0, beyond: [] });
      // On a wide screen no table loses its last column.
      const cut = await page.$$eval(".wide", (all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => `${e.getAttribute("aria-label")}: ${e.scrollWidth - e.clientWidth} px`));
      if (width > 1000) assert.deepEqual(cut, []);
    }, { viewport: { width, height } });
  }
}

for (const colorScheme of ["light", "dark"]) {
  // The page's own policy lets no other script in.
  test(`report: axe finds nothing (${colorScheme})`, async ({ page }) => {
    await page.goto(REPORTS.small());
    await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((n) => `${n.html.slice(0, 140)} ${n.failureSummary?.replace(/\s+/g, " ").slice(0, 200)}`).join(" | ")}`), []);
  }, { colorScheme, bypassCSP: true });
}
