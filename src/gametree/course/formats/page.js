"use strict";
// What is on the page goes into one JSON file, as it was written; nothing is sent anywhere.
const about = JSON.parse(document.getElementById("about").textContent);
const form = document.getElementById("answers");
if (form) {
  const status = document.getElementById("status");
  const store = "gametree:" + about.exercise;

  const fields = () => [...form.querySelectorAll("[data-part]")];
  const value = (field) => (field.type === "radio" ? (field.checked ? field.value : "") : field.value.trim());

  function collect() {
    const answers = {};
    for (const field of fields()) {
      const { part, name } = field.dataset;
      const given = value(field);
      if (part === "cuts") answers.cuts = answers.cuts || {};
      if (given === "") continue;
      if (name === undefined) answers[part] = given;
      else (answers[part] = answers[part] || {})[name] = given;
    }
    // A row of selects that nobody touched is an answer only where the student says so.
    if (answers.cuts && Object.keys(answers.cuts).length === 0) {
      const none = document.getElementById("no-cuts");
      if (none && none.checked) answers.cuts = [];
      else delete answers.cuts;
    }
    return answers;
  }

  function told() {
    const answered = Object.keys(collect()).length;
    status.textContent = `${answered} of ${about.parts.length} parts have an answer.`;
  }

  function keep() {
    told();
    const kept = {};
    for (const field of form.querySelectorAll("input, select")) {
      kept[field.id] = field.type === "radio" || field.type === "checkbox" ? field.checked : field.value;
    }
    try { localStorage.setItem(store, JSON.stringify(kept)); } catch { /* private windows keep nothing */ }
  }

  function restore() {
    let kept = {};
    try { kept = JSON.parse(localStorage.getItem(store)) || {}; } catch { return; }
    for (const field of form.querySelectorAll("input, select")) {
      if (!(field.id in kept)) continue;
      if (field.type === "radio" || field.type === "checkbox") field.checked = kept[field.id] === true;
      else field.value = String(kept[field.id]);
    }
  }

  function download() {
    const student = document.getElementById("student").value.trim();
    const data = { schema: "gametree.answers/1", exercise: about.exercise, student, answers: collect() };
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2) + "\n"], { type: "application/json" }));
    const who = student.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").toLowerCase();
    link.download = [about.exercise, who, "answers"].filter(Boolean).join("-") + ".json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    status.textContent = `Saved as ${link.download}. Hand in that file.`;
  }

  form.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-into]");
    if (!button) return;
    const field = document.getElementById(button.dataset.into);
    const row = field.value.split(/[\s,]+/).filter(Boolean);
    if (button.dataset.leaf) row.push(button.dataset.leaf);
    else if (button.dataset.undo) row.pop();
    else row.length = 0;
    field.value = row.join(" ");
    keep();
  });
  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => { event.preventDefault(); download(); });
  restore();
  told();
}
