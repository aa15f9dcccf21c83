// Your metric: errors at their place, scores, verdicts, stop and go on.

import { strict as assert } from "node:assert";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { axio, same, test } from "./check.mjs";

const folder = mkdtempSync(join(tmpdir(), "lab-"));

test("metric: a formula is scored as it is typed, and an error is told at its place", async ({ page, open }) => {
  await open("#metric?a=1010%2B1&two=0");
  await page.fill("#editor", "sum(d in D :\n  gain(e)) / R");
  await page.waitForSelector(".editor-error :text('Line 2, column 8')");
  assert.equal(await page.locator(".line-numbers .wrong-line").textContent(), "2");
  await page.fill("#editor", "sum(d in Ret :\n  gain(d) / pos(d)) / R");
  await page.waitForSelector(".editor-error :text('It can be read')");
  await page.waitForSelector(".own-value");
  const [downloaded] = await Promise.all([page.waitForEvent("download"), page.click("text=Download")]);
  const path = join(folder, "mine.toml");
  writeFileSync(path, readFileSync(await downloaded.path()));
  const expected = axio(["score", "-m", path, "--format", "json", "--", "1010+1"]);
  same(await page.getAttribute(".own-value", "data-score"), expected.rankings[0].measures[0].value, "the file has the page's score");
});

test("metric: verdicts fill in, and are the command's", async ({ page, open }) => {
  await open("#metric?text=sum(d%20in%20Ret%20%3A%20gain(d)%20%2F%20pos(d))");
  await page.waitForSelector(".editor-error :text('It can be read')");
  await page.click("button:text-is('Decide its properties')");
  await page.waitForSelector(".own-cell:has-text('confidence'):not(.waiting)", { timeout: 60_000 });
  const path = join(folder, "sum.toml");
  writeFileSync(path, 'score = "sum(d in Ret : gain(d) / pos(d))"\n');
  const { metrics } = axio(["check", path, "--only", "properties", "--format", "json"]);
  for (const { name, verdict } of metrics[0].verdicts) {
    const label = await page.textContent(`.own-cell:has(.own-name:text-is("${name}")) .unseen`);
    assert.equal(label.includes("Yes"), verdict === "holds", `${name}: ${label}, ${verdict}`);
  }
  await page.click(".own-cell:has-text('bounded')");
  await page.waitForSelector(".metric-room .cell-detail h3:has-text('bounded')");
});

test("metric: the search stops and goes on", async ({ page, open }) => {
  await open("#metric");
  await page.waitForSelector(".editor-error :text('It can be read')");
  await page.click("button:text-is('Decide its properties')");
  await page.click("button:text-is('Stop'):not([disabled])");
  await page.waitForSelector(":text('Stopped. What was decided stays.')");
  await page.click("button:text-is('Decide its properties')");
  await page.waitForSelector(".own-cell:has-text('bounded'):not(.waiting)", { timeout: 60_000 });
  await page.click("button:text-is('Stop'):not([disabled])");
});

test("metric: a continuation probability and a component file, by keys", async ({ page, open }) => {
  await open("#metric?a=1010&two=0");
  await page.focus("#form");
  await page.selectOption("#form", "continuation");
  await page.waitForSelector(".own-value");
  await page.focus("#editor");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("0.5");
  await page.waitForFunction(() => document.querySelector(".own-value")?.dataset.score === "0.625");
  await page.keyboard.type("/(");
  await page.waitForSelector(".editor-error .wrong");
  await page.selectOption("#form", "file");
  await page.waitForFunction(() => document.querySelector("#editor").value.includes("[avgD]"));
  await page.waitForSelector(".editor-error :text('It can be read')");
  await page.click("text=Use in the playground");
  await page.waitForSelector(".measures th button:text-is('mine.toml')");
  await page.reload();
  await page.waitForSelector(".measures tr:has(button:text-is('mine.toml')) [data-score]:not([data-score=''])");
});

test("metric: no score of another formula stays while this one cannot be read", async ({ page, open }) => {
  await open("#metric?a=1010%2B1&b=0110&two=1");
  await page.fill("#editor", "sum(d in Ret : gain(d) / pos(d))");
  await page.waitForSelector(".own-value");
  await page.fill("#editor", "sum(d in Ret : gain(d) / ");
  await page.waitForSelector(".editor-error .wrong");
  assert.equal(await page.locator(".own-scores [data-score]").count(), 0);
  assert.equal(await page.textContent(".own-scores"), "There are no scores while this cannot be read.");
  assert.ok(await page.isDisabled("text=Use in the playground"));
  // Nor does another room score with it.
  await page.evaluate(() => (location.hash = location.hash.replace("#metric?", "#playground?m=mine.toml+AP&s=AP&")));
  await page.waitForSelector(".measures tr.bad:has-text('mine.toml')");
  assert.equal(await page.locator(".measures [data-score]").count(), 2, "the scores of AP alone");
  await page.evaluate(() => (location.hash = location.hash.replace("#playground?", "#runs?rm=mine.toml+AP&")));
  await page.waitForSelector(".results .failure:has-text('mine.toml')");
  await page.evaluate(() => (location.hash = location.hash.replace("#runs?", "#metric?")));
  await page.fill("#editor", "sum(d in Ret : gain(d) / pos(d)^2)");
  await page.waitForSelector(".own-value");
  // A ranking that cannot be read is no error of the formula.
  await page.evaluate(() => (location.hash = location.hash.replace("a=1010%2B1", "a=10x")));
  await page.waitForSelector(".own-scores .failure");
  assert.equal(await page.locator(".own-scores [data-score]").count(), 0);
  assert.match(await page.textContent(".editor-error"), /It can be read/);
});

test("metric: a formula that needs a cutoff has a field for it", async ({ page, open }) => {
  const path = join(folder, "cut.toml");
  const formula = "count(d in Rel where pos(d) <= k) / k";
  writeFileSync(path, `score = "${formula}"\n`);
  const expected = (k) => axio(["score", "-m", `${path}@${k}`, "--format", "json", "--", "1010+1"]).rankings[0].measures[0].value;
  const shows = (value) => page.waitForFunction((wanted) => Number(document.querySelector(".own-value")?.dataset.score) === wanted, value);
  await open("#metric?a=1010%2B1&two=0");
  await page.fill("#editor", formula);
  await shows(expected(10));
  await page.fill("#own-k", "3");
  await page.keyboard.press("Enter");
  await shows(expected(3));
  await page.reload();
  await shows(expected(3));
  await page.click("text=Use in the playground");
  await page.waitForSelector(".measures tr:has(button:text-is('mine.toml@3')) [data-score]:not([data-score=''])");
  await page.click("nav a:has-text('Your metric')");
  await page.waitForSelector("#own-k:not([disabled])");
  // A formula without k has none.
  await page.fill("#editor", "sum(d in Ret : gain(d) / pos(d))");
  await page.waitForSelector("#own-k[disabled]");
  await shows(1 + 1 / 3);
});

test("metric: a phone", async ({ page, open }) => {
  await open("#metric?a=101&two=0");
  await page.selectOption("#template", "1");
  await page.waitForFunction(() => document.querySelector("#editor").value.includes("1 / pos(d)"));
  await page.waitForFunction(() => Number(document.querySelector(".own-value")?.dataset.score) > 1.3);
}, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
