// A static server under a subpath, and a Chromium that talks to nobody else.

import { createServer } from "node:http";
import { createReadStream, existsSync, statSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Serves a folder under a subpath, as a static host would. */
export function serve(folder, subpath = "/some/where/") {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const inside = path.startsWith(subpath) ? normalize(path.slice(subpath.length)) : null;
    const file = inside === null ? null : join(folder, inside === "." || inside === "" ? "index.html" : inside);
    if (file === null || inside.startsWith("..") || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end("not here");
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain; charset=utf-8" });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve({ server, address: `http://127.0.0.1:${server.address().port}${subpath}` });
    });
  });
}

/** The browser, or `null` if there is none. */
export async function browser() {
  const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const executablePath = places.find((place) => place && existsSync(place));
  if (!executablePath) return null;
  const args = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run", "--disable-sync"];
  return chromium.launch({ executablePath, headless: true, args });
}
