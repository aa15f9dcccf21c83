// Sets light or dark before anything is drawn, so that nothing flashes.

try {
  const wanted = localStorage.getItem("axiometrics-theme");
  if (wanted === "light" || wanted === "dark") document.documentElement.dataset.theme = wanted;
} catch {
  // Without storage the system decides.
}
