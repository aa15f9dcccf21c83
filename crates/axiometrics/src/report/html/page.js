for (const table of document.querySelectorAll("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.title = head.title || "sort by this column";
    head.append(button);
  }
  table.tHead.addEventListener("click", (event) => {
    const head = event.target.closest("th");
    if (!head) return;
    const column = head.cellIndex, descending = head.getAttribute("aria-sort") !== "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const key = (row) => {
      const cell = row.cells[column], text = cell.dataset.sort ?? cell.textContent.trim().replace("\u2212", "-").replace("< ", "");
      const number = parseFloat(text);
      return Number.isNaN(number) || cell.classList.contains("text") ? text : number;
    };
    const order = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
    const body = table.tBodies[0];
    body.append(...[...body.rows].sort((a, b) => (descending ? -1 : 1) * order(key(a), key(b))));
  });
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => (d.open = true)));
const hint = () => {
  for (const wide of document.querySelectorAll(".wide")) wide.classList.toggle("scrolls", wide.scrollWidth > wide.clientWidth + 1);
};
addEventListener("resize", hint);
addEventListener("toggle", hint, true);
hint();
