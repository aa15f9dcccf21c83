// The laboratory in a real browser: node test/lab.mjs [part of a name...]. `web/test` calls it.

import { run } from "./check.mjs";
import { browser, serve } from "./site.mjs";

const chromium = await browser();
if (!chromium) {
  console.log("skipped: Chromium is missing (apt-get install chromium, or CHROMIUM=/path/to/it)");
  process.exit(0);
}
const { server, address } = await serve("dist");
await import("./playground.mjs");
await import("./properties.mjs");
await import("./metric.mjs");
await import("./runs.mjs");
await import("./organizations.mjs");
await import("./report.mjs");
await import("./frame.mjs");
const failed = await run(chromium, address);
await chromium.close();
server.close();
process.exit(failed ? 1 : 0);
