// Commands that a person could type.

/** One word of a command, quoted if a shell would read it otherwise. */
export function quoted(text: string): string {
  return /^[\w@.,=:/+%][\w@.,=:/+%-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
