// The frame of all rooms: access, sizes, policy, files, offline.

import { strict as assert } from "node:assert";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { test } from "./check.mjs";

const axe = createRequire(import.meta.url)("axe-core").source;
const ROOMS = {
  playground: ".measures [data-score]",
  "properties?cell=P%4010+monotonic&want=bounded": ".cell-panel .finding",
  "properties?view=lattice&want=bounded": ".lattice .node",
  metric: ".own-value",
  "runs?topic=212&plot=topic": ".documents tr",
  "runs?plot=curve": ".report-figure svg",
  organizations: ".org-scores [data-measure]",
};

// All four take a minute; two of them meet every colour and every layout.
const LOOKS = process.env.LAB_ALL
  ? [["light", 360], ["light", 1280], ["dark", 360], ["dark", 1280]]
  : [["light", 1280], ["dark", 360]];
for (const [colorScheme, width] of LOOKS) {
  test(`frame: axe finds nothing (${colorScheme}, ${width} px)`, async ({ page, open }) => {
    for (const [room, sign] of Object.entries(ROOMS)) {
      await open(`#${room}`);
      await page.waitForSelector(sign);
      await page.waitForTimeout(100);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      const told = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((n) => `${n.html.slice(0, 140)} ${n.failureSummary?.replace(/\s+/g, " ").slice(0, 200)}`).join(" | ")}`);
      assert.deepEqual(told, [], room);
      const mute = await page.evaluate(() =>
        [...document.querySelectorAll("button, input, select, textarea")]
          .filter((control) => control.checkVisibility() && !control.title && !control.getAttribute("aria-describedby") && !control.closest("label") && !control.closest("dialog"))
          .map((control) => control.outerHTML.slice(0, 120)));
      assert.deepEqual(mute, [], `${room}: every control has a line of help`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${room} is ${wide} px too wide at ${width}`);
      await page.goto("about:blank");
    }
  }, { colorScheme, viewport: { width, height: 800 } });
}

test("frame: text can be read on every ground, in light and dark", async () => {
  const css = readdirSync("src/styles").map((name) => readFileSync(`src/styles/${name}`, "utf8")).join("\n");
  const colours = new Map([...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [name, [light, dark]]));
  const luminance = (hex) => {
    const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const contrast = (...pair) => {
    const [dark, light] = pair.map(luminance).sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };
  // What is written on a full colour has that ground alone.
  const only = { "on-accent": ["accent"], panel: ["ink"] };
  const texts = new Set([...css.matchAll(/[\s;{]color: var\(--([\w-]+)\)/g)].map(([, name]) => name));
  assert.ok(texts.size > 6, [...texts].join());
  for (const text of texts) {
    for (const ground of only[text] ?? ["paper", "panel", "sunk", "wash", "bad-wash"]) {
      ["light", "dark"].forEach((scheme, i) => {
        const seen = contrast(colours.get(text)[i], colours.get(ground)[i]);
        assert.ok(seen >= 4.5, `${text} on ${ground} in ${scheme}: ${seen.toFixed(2)}`);
      });
    }
  }
});

test("frame: every room is reached by keys alone", async ({ page, open }) => {
  await open();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  for (const title of ["Properties", "Your metric", "Your runs", "Organizations", "Playground"]) {
    await page.focus(`nav a:has-text("${title}")`);
    await page.keyboard.press("Enter");
    await page.waitForSelector(`h1:text-is("${title}")`);
  }
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open] :text('Notation')");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("dialog"));
});

test("frame: light and dark, and the choice lasts", async ({ page, open }) => {
  await open();
  const colour = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const before = await colour();
  await page.click("[aria-label='Light or dark']");
  const after = await colour();
  assert.notEqual(before, after);
  await page.reload();
  assert.equal(await colour(), after);
});

test("frame: the policy forbids inline scripts and eval", async ({ page, open, heard }) => {
  await open();
  const ran = await page.evaluate(async () => {
    // What a debugger runs is exempt from the policy; what a timer runs is not.
    const evaluated = await new Promise((resolve) => {
      setTimeout(() => {
        try {
          resolve((0, globalThis.eval)("1") === 1);
        } catch {
          resolve(false);
        }
      });
    });
    const script = document.createElement("script");
    script.textContent = "globalThis.inlineRan = true";
    document.body.append(script);
    return { evaluated, inline: globalThis.inlineRan === true };
  });
  assert.deepEqual(ran, { evaluated: false, inline: false });
  heard.length = 0;
});

test("frame: nothing moves while a room opens, which is one screen", async ({ page, open }) => {
  for (const [room, sign] of Object.entries(ROOMS)) {
    await page.goto("about:blank");
    await open(`#${room}`);
    await page.waitForSelector(sign);
    await page.waitForTimeout(300);
    const moved = await page.evaluate(() => new Promise((resolve) => {
      let sum = 0;
      const told = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          sum += entry.value;
          for (const { node } of entry.sources) told.push(node?.className || node?.nodeName);
        }
      }).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve({ sum, told }), 100);
    }));
    // A tenth is what browsers call good.
    assert.ok(moved.sum < 0.05, `${room} shifts by ${moved.sum.toFixed(3)}: ${moved.told.join(", ")}`);
    const below = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    assert.equal(below, 0, `${room} is ${below} px longer than the screen`);
  }
});

test("frame: on paper there are no controls, and nothing is cut off", async ({ page, open }) => {
  for (const [room, sign] of Object.entries(ROOMS)) {
    await page.goto("about:blank");
    await open(`#${room}`);
    await page.waitForSelector(sign);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const seen = await page.evaluate(() => {
      const shown = (element) => element.checkVisibility();
      const cut = [...document.querySelectorAll(".panel, .scroll, .matrix-scroll, .topic-scroll, .org-scores")]
        .filter((element) => shown(element) && element.scrollHeight > element.clientHeight + 1 && getComputedStyle(element).overflowY !== "visible");
      return {
        controls: [...document.querySelectorAll("#bar, .actions, .card-tools, .drop")].filter(shown).length,
        cut: cut.map((element) => element.className),
        ink: getComputedStyle(document.body).color,
      };
    });
    assert.deepEqual(seen, { controls: 0, cut: [], ink: "rgb(27, 32, 39)" }, room);
    await page.emulateMedia({ media: "screen" });
  }
  assert.ok((await page.pdf({ format: "A4" })).length > 10_000);
});

test("frame: it works from a file", async ({ page }) => {
  await page.goto(`${pathToFileURL("dist/index.html")}#playground?a=110&two=0&m=P@3`);
  await page.waitForSelector(".measures [data-score]", { timeout: 30_000 });
  assert.equal(Number(await page.getAttribute(".measures [data-score]", "data-score")), 2 / 3);
  await page.click("nav a:has-text('Your runs')");
  await page.waitForSelector(".results-table [data-run='hybrid.run']");
  await page.click("nav a:has-text('Properties')");
  await page.waitForSelector(".matrix td");
});

test("frame: it works offline", async ({ page, context, open }) => {
  await open();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => {
    const names = await caches.keys();
    return names.length === 1 && (await (await caches.open(names[0])).keys()).length > 10;
  });
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await page.click("nav a:has-text('Your runs')");
  await page.waitForSelector(".results-table [data-run='hybrid.run']");
}, { serviceWorkers: "allow" });
