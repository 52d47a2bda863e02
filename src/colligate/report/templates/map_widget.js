// The map in a notebook: the elements and the script of the page in a shadow root, so that neither styles the other.

function render({ model, el }) {
  const host = document.createElement("div");
  host.style.height = `${model.get("height")}px`;
  el.append(host);
  const root = host.attachShadow({ mode: "open" });
  const sheet = document.createElement("style");
  sheet.textContent = STYLE;
  const content = document.createElement("template");
  // the elements of the page, without any text of documents
  content.innerHTML = BODY;
  root.append(sheet, content.content);
  // notebooks have themes of their own
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  const theme = jpThemeLight ? (jpThemeLight === "true" ? "light" : "dark") : /dark/.test(vscodeThemeKind) ? "dark" : "";
  if (theme) root.getElementById("page").dataset.theme = theme;
  const same = (a, b) => a.length === b.length && a.every((row, k) => row === b[k]);
  let told = model.get("rows");
  const map = showMap(root, model.get("data"), {
    onSelect: (rows) => {
      if (same(rows, told)) return;
      told = rows;
      model.set("rows", rows);
      model.save_changes();
    },
  });
  if (told.length) map.select(told);
  const follow = () => {
    const rows = model.get("rows");
    if (same(rows, told)) return;
    told = rows;
    map.select(rows);
  };
  model.on("change:rows", follow);
  return () => {
    model.off("change:rows", follow);
    map.destroy();
  };
}

export default { render };
