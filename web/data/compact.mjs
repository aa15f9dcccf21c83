// Makes verdicts.json from the document of `axio check all --format json`, without what is empty and
// what the catalogue of checks says already. web/verdicts calls it.

import { readFileSync, writeFileSync } from "node:fs";

const [version, out, file] = process.argv.slice(2);
const kept = (value) => {
  if (Array.isArray(value)) return value.map(kept);
  if (value === null || typeof value !== "object") return value;
  const empty = (v) => v === null || (Array.isArray(v) && v.length === 0);
  const entries = Object.entries(value).filter(([, v]) => !empty(v));
  return Object.fromEntries(entries.map(([key, v]) => [key, kept(v)]));
};
const brief = ({ title, statement, ...verdict }) => kept(verdict);
const { metrics } = JSON.parse(readFileSync(file, "utf8"));
const all = metrics.map((metric) => ({ ...kept(metric), verdicts: metric.verdicts.map(brief) }));
writeFileSync(out, `${JSON.stringify({ version, metrics: all })}\n`);
