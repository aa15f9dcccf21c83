// Your runs: files in, the command's numbers out; what is wrong is told.

import { strict as assert } from "node:assert";
import { createWriteStream, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { axio, same, test } from "./check.mjs";

const folder = mkdtempSync(join(tmpdir(), "lab-"));
const write = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const examples = "../examples/web";
const runs = ["bm25.run", "bm25-rm3.run", "dense.run", "hybrid.run"].map((name) => `${examples}/${name}`);
const measures = "nDCG@10 AP RR P@10 RBP(p=0.8)";

async function means(page) {
  return page.$$eval(".results-table [data-run]", (cells) => cells.map(({ dataset }) => [dataset.run, dataset.measure, dataset.score]));
}

async function matches(page, qrels, files, extra = []) {
  const expected = axio(["eval", qrels, ...files, "-m", measures, "--format", "json", ...extra]);
  const shown = new Map((await means(page)).map(([run, measure, score]) => [`${run} ${measure}`, score]));
  for (const run of expected.runs) for (const m of run.measures) same(shown.get(`${run.name} ${m.measure}`), m.mean, `${run.name} ${m.measure}`);
}

test("runs: the examples have the command's means, bit for bit", async ({ page, open }) => {
  await open("#runs");
  await page.waitForSelector(".results-table [data-run='hybrid.run']");
  await matches(page, `${examples}/qrels.txt`, runs);
  const { measures: compared } = axio(["compare", `${examples}/qrels.txt`, ...runs, "--baseline", "bm25.run", "-m", measures, "--format", "json"]);
  const row = await page.locator(".pairs-table tbody tr:has-text('hybrid.run') td").allTextContents();
  const pair = compared[0].pairs.find(({ a }) => a === "hybrid.run");
  assert.equal(row[2].replace(" *", ""), pair.p_corrected.toFixed(4));
  await page.selectOption("#run-example", "passages");
  await page.waitForSelector(".results-table [data-run='reranked.run']");
  await matches(page, "../examples/passages/qrels.txt", ["bm25", "dense", "reranked"].map((name) => `../examples/passages/${name}.run`));
});

test("runs: a topic, its documents, and what judging one would change", async ({ page, open }) => {
  await open("#runs?topic=212");
  await page.waitForSelector(".documents tr");
  await page.click(".documents tr.unjudged .document-id >> nth=0");
  await page.waitForSelector(".what-if-grades li");
  await page.reload();
  await page.waitForSelector(".topic-panel h2:has-text('Topic 212')");
  await page.click(".topic-panel >> text=Open in the playground");
  await page.waitForSelector(".playground .measures [data-score]");
});

test("runs: dropped files, hostile ids and all, by keys", async ({ page, open }) => {
  const evil = '<img/src=x/onerror=alert(1)>';
  const qrels = write("qrels.txt", `1 0 ${evil} 1\n1 0 b 0\n2 0 c 2\n`);
  const run = write(`${encodeURIComponent("<b>")}.run`, `1 Q0 ${evil} 1 9 t\n1 Q0 x 2 8 t\n2 Q0 c 1 1 t\n`);
  await open("#runs?example=");
  await page.waitForSelector("text=A file of judgements is missing");
  await page.setInputFiles("#files", [qrels, run]);
  await page.waitForSelector(".results-table [data-run]");
  await matches(page, qrels, [run]);
  await page.focus(".topics button:text-is('1')");
  await page.keyboard.press("Enter");
  await page.waitForSelector(`.documents .document-id:text-is(${JSON.stringify(evil)})`);
  assert.equal(await page.locator("img").count(), 0);
  const [csv] = await Promise.all([page.waitForEvent("download"), page.click("button:text-is('CSV')")]);
  assert.ok(csv.suggestedFilename().endsWith(".csv"));
  const [report] = await Promise.all([page.waitForEvent("download"), page.click("button:text-is('Report')")]);
  const text = readFileSync(await report.path(), "utf8");
  assert.ok(text.includes("%3Cb%3E.run") && !text.includes("<script"), "the report has the run, and no script");
});

test("runs: what is wrong with a file is told as the command tells it", async ({ page, open }) => {
  const qrels = write("q.txt", "1 0 a 1\n");
  await open("#runs?example=");
  await page.setInputFiles("#files", [qrels]);
  await page.waitForSelector("text=A run is missing");
  await page.setInputFiles("#files", [write("other.run", "7 Q0 a 1 9 t\n")]);
  await page.waitForSelector(".results .failure :text('no topic')");
  await page.click("[aria-label='Remove other.run']");
  await page.setInputFiles("#files", [write("broken.run", "1 Q0 a 1 9 t\n1 Q0 b 2 nine t\n")]);
  await page.waitForSelector(".results .failure :text('broken.run:2')");
  await page.click("[aria-label='Remove broken.run']");
  await page.setInputFiles("#files", [write("good.run", "1 Q0 a 1 9 t\n")]);
  await page.waitForSelector(".results-table [data-run='good.run']");
});

test("runs: a phone", async ({ page, open }) => {
  await open("#runs");
  await page.waitForSelector(".topics button");
  await page.locator(".topics button >> nth=0").tap();
  await page.waitForSelector(".documents tr");
}, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

/** A run of so many bytes, of 1000 documents a topic. */
function large(path, bytes) {
  return new Promise((resolve) => {
    const out = createWriteStream(path);
    let written = 0;
    let topic = 0;
    const more = () => {
      while (written < bytes) {
        topic += 1;
        let text = "";
        for (let rank = 1; rank <= 1000; rank += 1) text += `${topic} Q0 document-${(rank * 7919 + topic * 31) % 1000003} ${rank} ${1000 - rank} large\n`;
        written += text.length;
        if (!out.write(text)) {
          out.once("drain", more);
          return;
        }
      }
      out.end(() => resolve(topic));
    };
    more();
  });
}

if (process.env.LAB_LARGE) {
  const bytes = Number(process.env.LAB_LARGE) * 1e6;
  test(`runs: a run of ${bytes / 1e6} MB, cancelled and started again`, async ({ page, open }) => {
    const path = join(folder, "large.run");
    const topics = await large(path, bytes);
    let text = "";
    for (let topic = 1; topic <= topics; topic += 1) for (const rank of [3, 40, 700]) text += `${topic} 0 document-${(rank * 7919 + topic * 31) % 1000003} 1\n`;
    const qrels = write("large.qrels", text);
    await open("#runs?example=");
    await page.setInputFiles("#files", [qrels, path]);
    await page.click(".progress >> text=Cancel");
    await page.waitForSelector("text=Start again");
    const start = performance.now();
    await page.click("text=Start again");
    await page.waitForSelector(".results-table [data-run='large.run']", { timeout: 120_000 });
    console.log(`     read and scored in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    await matches(page, qrels, [path]);
    await page.click(".topics button >> nth=0");
    await page.waitForSelector(".documents tr", { timeout: 120_000 });
  });
}
