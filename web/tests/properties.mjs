// Properties: the matrix, witnesses, wishes, against `axio check` and `axio choose`.

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { axio, test } from "./check.mjs";

const stored = JSON.parse(readFileSync("data/verdicts.json", "utf8"));
const ready = (page) => page.waitForSelector(".matrix td, .lattice", { timeout: 30_000 });

test("properties: the mouse opens a witness, which opens in the playground", async ({ page, open }) => {
  await open("#properties");
  await ready(page);
  await page.click('[data-cell="P@10 monotonic"]');
  await page.waitForSelector(".cell-panel :text('1|0 scores 1, and one rank deeper 10| scores 0.5: a decrease')");
  await page.click(".cell-panel >> text=Open in the playground");
  await page.waitForSelector(".playground .measures [data-score]");
  assert.equal(await page.inputValue(".side-b .notation"), "10");
  const shown = await page.$$eval(".measures tbody tr", (rows) => rows.map((row) => [row.querySelector("th").textContent, ...[...row.querySelectorAll("[data-score]")].map((c) => c.dataset.score)]));
  assert.deepEqual(shown.find(([name]) => name === "P@1")?.slice(1, 2), ["1"]);
  assert.deepEqual(shown.find(([name]) => name === "P@2")?.slice(2, 3), ["0.5"]);
});

test("properties: the keys walk through the matrix", async ({ page, open }) => {
  await open("#properties");
  await ready(page);
  await page.focus('.matrix [tabindex="0"]');
  for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await page.waitForSelector(".cell-panel h2:has-text('R@10: convergent')");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.cell), "R@10 convergent");
  await page.reload();
  await page.waitForSelector(".cell-panel h2:has-text('R@10: convergent')");
});

test("properties: an impossible wish is told with its derivation, and what to give up", async ({ page, open }) => {
  await open("#properties");
  await ready(page);
  for (const wish of ["monotonic", "convergent", "realizable"]) await page.click(`[data-wish="${wish}"]`);
  await page.waitForSelector(".outcome :text('No measure can have all of these')");
  await page.waitForSelector(".derivation .chain");
  await page.click(".give-up button:text-is('realizable')");
  await page.waitForSelector(".outcome :text('have all of these')");
});

for (const want of [["bounded", "realizable", "complete"]]) {
  test(`properties: ${want.join(" and ")} leave what axio choose leaves`, async ({ page, open }) => {
    await open(`#properties?want=${want.join("+")}`);
    await ready(page);
    const { fits } = axio(["choose", "--want", want.join(","), "--format", "json"]);
    const rows = await page.$$eval(".matrix tbody th[scope=row]", (cells) => cells.map((cell) => cell.textContent));
    assert.deepEqual(rows.sort(), fits.map(({ metric }) => metric).sort());
  });
}

test("properties: the diagram is walked by keys", async ({ page, open }) => {
  await open("#properties?view=lattice&want=bounded");
  await page.waitForSelector(".lattice .node");
  await page.focus(".lattice .node:has-text('+ monotonic')");
  await page.keyboard.press("Enter");
  await page.waitForSelector('[data-wish="monotonic"][aria-pressed="true"]');
});

test("properties: what is stored is what the library decides", async ({ page, open }) => {
  await open("#properties");
  await ready(page);
  for (const name of ["P@10", "RBP", "SNDCG@10"]) {
    const found = await page.evaluate(async (measure) => {
      const module = await WebAssembly.compile(await (await fetch("axiometrics.wasm")).arrayBuffer());
      const worker = new Worker("worker.js");
      worker.postMessage({ kind: "module", module });
      const request = { op: "check", measure, groups: ["property", "constraint"] };
      const { data } = await new Promise((resolve) => {
        worker.onmessage = resolve;
        worker.postMessage({ kind: "call", id: 1, request });
      });
      worker.terminate();
      return data.answer.ok.metrics[0].verdicts.map(({ name, scope, verdict, how, witness }) => [name, scope, verdict, how, witness?.text]);
    }, name);
    const kept = stored.metrics.find(({ metric }) => metric === name).verdicts.filter(({ group }) => group !== "axiom");
    const expected = kept.map(({ name, scope, verdict, how, witness }) => [name, scope, verdict, how, witness?.text]);
    assert.deepEqual(JSON.parse(JSON.stringify(found)), JSON.parse(JSON.stringify(expected)), `${name}: run web/verdicts`);
  }
});

test("properties: a phone", async ({ page, open }) => {
  await open("#properties");
  await ready(page);
  await page.locator('[data-cell="P@10 bounded"]').tap();
  await page.waitForSelector(".cell-panel h2:has-text('P@10: bounded')");
}, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
