// A study as one page that needs nothing else: the tables and the plots as they stand.

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 960px; margin: 32px auto; padding: 0 16px; color: #1b2027; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 8px 0 16px; }
th, td { text-align: right; padding: 3px 10px; border-bottom: 1px solid #d5dae1; }
th:first-child { text-align: left; }
.small { display: block; font-size: 0.76rem; color: #57606c; }
.quiet, caption { color: #57606c; font-size: 0.85rem; text-align: left; }
.best { font-weight: 700; }
figure { margin: 0 0 16px; }
.unseen { display: none; }
`;

/** Copies of elements, without what only works in the laboratory. */
function still(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const control of copy.querySelectorAll(".actions, select")) control.remove();
  for (const pressed of copy.querySelectorAll("button")) pressed.replaceWith(pressed.textContent ?? "");
  for (const details of copy.querySelectorAll("details")) details.setAttribute("open", "");
  return copy.outerHTML;
}

function escape(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

export function reportPage(command: string, parts: { title: string; elements: Element[] }[]): string {
  const sections = parts.map(({ title, elements }) => `<h2>${escape(title)}</h2>\n${elements.map(still).join("\n")}`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Runs compared</title><style>${STYLE}</style></head>
<body><h1>Runs compared</h1>
${sections.join("\n")}
<h2>The same on the command line</h2>
<pre>${escape(command)}</pre>
</body></html>
`;
}
