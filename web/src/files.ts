// Files that a person drops: what they are, by a look at their beginning; and their names, which last
// longer than they do.

export type Role = "judgements" | "run";

export interface Dropped {
  name: string;
  blob: Blob;
  role: Role;
}

const LOOK = 4096;

/** Where the names of the files are kept: as long as the tab, so that a page that was loaded again can
    name what it no longer has. */
const NAMES = "axiometrics-files";

export function rememberedNames(): string[] {
  try {
    const names: unknown = JSON.parse(sessionStorage.getItem(NAMES) ?? "[]");
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return [];
  }
}

export function rememberNames(names: string[]): void {
  try {
    sessionStorage.setItem(NAMES, JSON.stringify(names));
  } catch {
    // Without storage nothing is remembered.
  }
}

async function beginning(blob: Blob): Promise<string> {
  const head = new Uint8Array(await blob.slice(0, LOOK).arrayBuffer());
  const zipped = head[0] === 0x1f && head[1] === 0x8b;
  if (!zipped) return new TextDecoder().decode(head);
  try {
    const plain = blob.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    const { value } = await plain.read();
    await plain.cancel();
    return new TextDecoder().decode(value?.slice(0, LOOK));
  } catch {
    return "";
  }
}

/** Judgements have four columns and runs six; other formats say so in their heads. The library has the
    last word, and a person can say otherwise. */
export async function roleOf(name: string, blob: Blob): Promise<Role> {
  const text = await beginning(blob);
  // What is compressed otherwise, or a table of columns, tells nothing before it is read.
  const binary = /[\0-\x08\x0e-\x1f\ufffd]/.test(text);
  const [line = ""] = binary ? [""] : text.split("\n");
  if (/(relevance|grade|label|judg|\brel\b)/i.test(line)) return "judgements";
  const columns = line.trim().split(/\s+/).length;
  if (columns === 4 || columns === 5) return "judgements";
  if (columns === 6) return "run";
  return /qrel|judg/i.test(name) ? "judgements" : "run";
}

export function size(bytes: number): string {
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return bytes >= 1e3 ? `${(bytes / 1e3).toFixed(0)} kB` : `${bytes} bytes`;
}
