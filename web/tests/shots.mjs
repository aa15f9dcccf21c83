// Pictures of every room, in both schemes and at three widths: node test/shots.mjs FOLDER [ROOM...]

import { mkdirSync } from "node:fs";
import { browser, serve } from "./site.mjs";

const [folder, ...only] = process.argv.slice(2);
const rooms = only.length ? only : ["playground", "properties", "metric", "runs", "organizations"];
mkdirSync(folder, { recursive: true });
const { server, address } = await serve("dist");
const chromium = await browser();
const sizes = (process.env.WIDTHS ?? "360x740 1280x800 3840x2160").split(" ").map((s) => s.split("x").map(Number));
for (const [width, height] of sizes) {
  for (const colorScheme of (process.env.SCHEMES ?? "light dark").split(" ")) {
    const page = await chromium.newPage({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
    page.on("console", (m) => console.log(`console ${m.type()}: ${m.text()}`));
    page.on("pageerror", (e) => console.log("page error:", e.message));
    for (const room of rooms) {
      const [name, query] = room.split("?");
      await page.goto(`${address}#${room}`);
      await page.reload();
      await page.waitForSelector("html[data-ready]", { timeout: 30000 });
      await page.waitForTimeout(Number(process.env.WAIT ?? 900));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) console.log(`${room} at ${width}: ${wide} px too wide`);
      await page.screenshot({ path: `${folder}/${name}${query ? "-q" : ""}-${width}-${colorScheme}.png`, fullPage: width < 1000 });
    }
    await page.close();
  }
}
await chromium.close();
server.close();
