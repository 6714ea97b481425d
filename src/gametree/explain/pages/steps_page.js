/* The static page: its address names the step. */
const data = JSON.parse(document.getElementById("trace").textContent);
/* Steps are written into the address without new entries in the history, so that Back leaves the page;
   links to a step do make entries, and Back returns from them. Browsers limit how often one may write. */
let written = location.hash, due = 0;
function write() {
  due = 0;
  if (location.hash !== written) return;
  try { history.replaceState(null, "", "#step=" + steps.step); } catch { return; }
  written = location.hash;
}
const steps = stepper(document, data, {
  follow: () => { if (!due) due = setTimeout(write, 250); },
});
function arrive() {
  const match = /^#step=(\d{1,9})$/.exec(location.hash);
  written = location.hash;
  steps.show(match ? Number(match[1]) : 0);
}
addEventListener("hashchange", arrive);

arrive();
