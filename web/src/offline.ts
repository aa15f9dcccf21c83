// Keeps the files of the page, so that it opens without a network. The build writes the list.

declare const FILES: string[];
declare const VERSION: string;

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Lasting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

const here = self as unknown as {
  addEventListener(kind: string, listener: (event: never) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};
const NAME = `axiometrics-${VERSION}`;

here.addEventListener("install", (event: Lasting) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(FILES))
      .then(() => here.skipWaiting()),
  );
});

here.addEventListener("activate", (event: Lasting) => {
  const stale = async (): Promise<void> => {
    const names = await caches.keys();
    const ours = names.filter((name) => name.startsWith("axiometrics-") && name !== NAME);
    await Promise.all(ours.map((name) => caches.delete(name)));
    await here.clients.claim();
  };
  event.waitUntil(stale());
});

here.addEventListener("fetch", (event: Fetching) => {
  if (event.request.method !== "GET") return;
  const answer = async (): Promise<Response> => {
    const cache = await caches.open(NAME);
    return (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  };
  event.respondWith(answer());
});
