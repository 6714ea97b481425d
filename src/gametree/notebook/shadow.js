// A widget lives in a shadow root: the notebook's style does not reach it, nor its own the notebook.

export function shadow(el, texts, height) {
  const host = document.createElement("div");
  host.className = "gametree-widget";
  host.tabIndex = -1;
  if (height) host.style.setProperty("--height", `${height}px`);
  const root = host.attachShadow({ mode: "open" });
  const light = document.body.dataset.jpThemeLight;
  const asked = light === "false" ? "screen" : light === "true" ? "not all" : "screen and (prefers-color-scheme: dark)";
  // Where the notebook says by day or by night, its word counts; else that of the system.
  root.adoptedStyleSheets = texts.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text.replace(/(screen and )?\(prefers-color-scheme: dark\)/g, asked)
      .replace(/:root((\[[^\]]*\]|:not\([^)]*\))+)/g, ":host($1)").replaceAll(":root", ":host"));
    return sheet;
  });
  el.append(host);
  return root;
}
