// Your runs: files in, the command's numbers out; what is wrong is told.

import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
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
  await open("#runs?topic=212&plot=topic");
  await page.waitForSelector(".documents tr");
  await page.click(".documents tr.unjudged .document-id >> nth=0");
  await page.waitForSelector(".what-if-grades li");
  assert.match(await page.textContent(".what-if-grades li:last-child"), /grade 3: 0\.\d{4} [+−]0\.\d{4}, mean [+−]0\.\d{4}/);
  await page.reload();
  await page.waitForSelector(".topic h2:has-text('Topic 212')");
  await page.click(".topic >> text=Open in the playground");
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
  const text = await report(page);
  assert.ok(text.includes("%3Cb%3E.run") && !text.includes("<b>.run"), "the report has the run");
});

async function report(page) {
  const [made] = await Promise.all([page.waitForEvent("download", { timeout: 120_000 }), page.click("button:text-is('Report')")]);
  return readFileSync(await made.path(), "utf8");
}

test("runs: the report is the command's", async ({ page, open }) => {
  await open("#runs");
  await page.waitForSelector(".results-table [data-run='hybrid.run']");
  const made = await report(page);
  const path = join(folder, "report.html");
  execFileSync(process.env.AXIO, ["report", "-q", `${examples}/qrels.txt`, ...runs, "-m", measures, "-o", path]);
  // The files' places and the command differ.
  const known = (text) => text.replaceAll(`${examples}/`.replaceAll("/", "&#x2f;"), "").replace(/<pre><bdi>axio report[^]*?<\/pre>/, "");
  const [ours, theirs] = [known(made).split("\n"), known(readFileSync(path, "utf8")).split("\n")];
  assert.equal(ours.length, theirs.length);
  ours.forEach((line, i) => assert.equal(line, theirs[i], `line ${i + 1}`));
});

test("runs: the plots of the report, one at a time, by keys", async ({ page, open }) => {
  await open("#runs");
  await page.waitForSelector(".viewer .plot svg");
  await page.focus(".tabs [aria-selected='true']");
  for (const [title, sign] of [["By topic", ".plot svg rect"], ["Distribution", ".report-figure path"], ["Recall–precision", ".report-figure text:text-is('recall')"], ["Agreement", ".report-figure rect"], ["Unjudged", ".report-figure line"]]) {
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(`.tabs [aria-selected='true']:text-is('${title}')`);
    await page.waitForSelector(`.viewer ${sign}`, { state: "attached" });
  }
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Unjudged");
  await page.reload();
  await page.waitForSelector(".tabs [aria-selected='true']:text-is('Unjudged')");
});

test("runs: every compression, and Parquet", async ({ page, open }) => {
  const plain = `${examples}/bm25.run`;
  await open("#runs?example=");
  await page.setInputFiles("#files", [`${examples}/qrels.txt`]);
  for (const suffix of ["gz", "zst", "lz4", "bz2"]) {
    const path = join(folder, `bm25.run.${suffix}`);
    execFileSync(process.env.AXIO, ["convert", plain, path]);
    await page.setInputFiles("#files", [path]);
    await page.waitForSelector(".results-table [data-run='bm25.run']");
    await matches(page, `${examples}/qrels.txt`, [plain]);
    await page.click(`[aria-label='Remove bm25.run.${suffix}']`);
    await page.waitForSelector("text=A run is missing");
  }
  // The first was written by pyarrow with Snappy, the other by Polars with zstd.
  for (const name of ["bm25.parquet", "bm25-zstd.parquet"]) {
    await page.setInputFiles("#files", [`tests/${name}`]);
    await page.waitForSelector(`.results-table [data-run='${name}']`);
    const shown = new Map((await means(page)).map(([, measure, score]) => [measure, score]));
    for (const m of axio(["eval", `${examples}/qrels.txt`, plain, "-m", measures, "--format", "json"]).runs[0].measures) same(shown.get(m.measure), m.mean, m.measure);
    await page.click(`[aria-label='Remove ${name}']`);
    await page.waitForSelector("text=A run is missing");
  }
});

test("runs: what is wrong with a file is told as the command tells it", async ({ page, open }) => {
  const qrels = write("q.txt", "1 0 a 1\n");
  await open("#runs?example=");
  await page.setInputFiles("#files", [qrels]);
  await page.waitForSelector("text=A run is missing");
  await page.setInputFiles("#files", [write("other.run", "7 Q0 a 1 9 t\n")]);
  await page.waitForSelector(".file-list .bad:has-text('other.run'):has-text('no topic')");
  await page.waitForSelector(".results :text('No run can be scored')");
  await page.click("[aria-label='Remove other.run']");
  await page.setInputFiles("#files", [write("broken.run", "1 Q0 a 1 9 t\n1 Q0 b 2 nine t\n")]);
  await page.waitForSelector(".file-list .bad:has-text('broken.run') :text('line 2')");
  await page.click("[aria-label='Remove broken.run']");
  await page.setInputFiles("#files", [write("good.run", "1 Q0 a 1 9 t\n")]);
  await page.waitForSelector(".results-table [data-run='good.run']");
});

test("runs: a file that cannot be read is one red row, and the others are scored", async ({ page, open }) => {
  const bad = {
    "a-photo.jpg": Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), Buffer.from("JFIF\0\x01"), Buffer.alloc(3000, 0xa7)]),
    "README.md": "# My runs, with a grade for each\n\nThey were made by hand.\n",
    "empty.run": "",
    "cut.parquet": "PAR1\x15 and no more",
    "swapped.run": "301 0 a 1\n",
    "broken.run.gz": Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6]),
  };
  const paths = Object.entries(bad).map(([name, bytes]) => write(name, bytes));
  await open("#runs?example=&base=a-photo.jpg");
  await page.setInputFiles("#files", [...paths, `${examples}/qrels.txt`, ...runs]);
  await page.waitForSelector(".results :text('several files of judgements')");
  await page.selectOption("[aria-label='What swapped.run is']", "run");
  await page.waitForSelector(".results-table [data-run='hybrid.run']");
  await matches(page, `${examples}/qrels.txt`, runs);
  const rows = await page.$$eval(".file-list .bad", (all) => all.map((row) => ({ name: row.querySelector(".file-name").textContent, why: row.querySelector(".left-out").textContent })));
  assert.deepEqual(rows.map(({ name }) => name).sort(), Object.keys(bad).sort());
  for (const { name, why } of rows) {
    assert.match(why, /^Left out\. .+[.?] [A-Z].+[.?]$/, name);
    // The page has no options, and no order of arguments.
    assert.doesNotMatch(why, /--|=|lenient|columns|convert|validate|QRELS/, name);
  }
  assert.equal(await page.locator("#run-base option").count(), runs.length, "only runs that were scored are baselines");
  await page.click("[aria-label='Remove swapped.run']");
  await page.waitForSelector(".results-table [data-run='hybrid.run']");
  assert.equal(await page.locator(".file-list .bad").count(), Object.keys(bad).length - 1);
});

test("runs: advice names the controls of the page", async ({ page, open }) => {
  await open("#runs?example=&rmissing=error");
  await page.setInputFiles("#files", [write("two.txt", "1 0 a 1\n2 0 a 1\n"), write("one.run", "1 Q0 a 1 9 t\n"), write("both.run", "1 Q0 a 1 9 t\n2 Q0 a 1 9 t\n")]);
  await page.waitForSelector(".results-table [data-run='both.run']");
  const why = await page.textContent(".file-list .bad .left-out");
  for (const [control, option] of [["#run-missing", "zero"], ["#run-missing", "skip"]]) {
    const label = await page.textContent(`label[for='${control.slice(1)}']`);
    const shown = await page.textContent(`${control} option[value='${option}']`);
    assert.ok(why.includes(`"${label}: ${shown}"`), `${why} names ${label}: ${shown}`);
  }
});

test("runs: files that are gone after a reload are named", async ({ page, open }) => {
  const qrels = write("kept.qrels", "1 0 a 1\n");
  const run = write("kept.run", "1 Q0 a 1 9 t\n");
  await open("#runs?example=");
  await page.setInputFiles("#files", [qrels, run]);
  await page.waitForSelector(".results-table [data-run='kept.run']");
  assert.equal(await page.locator(".gone").count(), 0);
  await page.reload();
  await page.waitForSelector(".gone:has-text('kept.qrels, kept.run')");
  await page.setInputFiles("#files", [run]);
  await page.waitForSelector(".gone:has-text('kept.qrels')");
  assert.doesNotMatch(await page.textContent(".gone"), /kept\.run/);
  await page.setInputFiles("#files", [qrels]);
  await page.waitForSelector(".results-table [data-run='kept.run']");
  assert.equal(await page.locator(".gone").count(), 0);
  await page.click("[aria-label='Remove kept.run']");
  await page.reload();
  await page.waitForSelector(".gone:has-text('kept.qrels')");
  await page.click(".gone >> text=Forget");
  await page.reload();
  await page.waitForSelector("text=A file of judgements is missing");
  assert.equal(await page.locator(".gone").count(), 0);
});

test("runs: a file of the same name and size that holds something else is scored again", async ({ page, open }) => {
  await open("#runs?example=&rm=RR");
  const score = (value) => page.waitForSelector(`.results-table [data-run='again.run'][data-score='${value}']`);
  await page.setInputFiles("#files", [write("again.qrels", "1 0 a 1\n"), write("again.run", "1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n")]);
  await score(1);
  await page.waitForTimeout(20);
  await page.setInputFiles("#files", [write("again.run", "1 Q0 b 1 9 t\n1 Q0 a 2 8 t\n")]);
  await score(0.5);
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
    await page.waitForSelector(".results-table [data-run='large.run']", { timeout: 600_000 });
    const memory = Number(await page.getAttribute(".file-list", "data-memory"));
    console.log(`     read and scored in ${((performance.now() - start) / 1000).toFixed(1)} s, in ${(memory / 1e6).toFixed(0)} MB of memory`);
    // The file once, and what the scores take.
    assert.ok(memory < 1.25 * bytes + 64e6, `${memory} bytes`);
    await matches(page, qrels, [path]);
    await page.click(".topics button >> nth=0");
    await page.waitForSelector(".documents tr", { timeout: 600_000 });
  });
}
