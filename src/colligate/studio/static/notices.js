// Notices: shown for a while, and announced to screen readers.

import { button, byId, el } from "./dom.js";

const SECONDS = 7;

/** Announce a text to screen readers only. */
export function announce(text) {
  byId("status").textContent = text;
}

/** Show a line for a while, with a button if there is something to do. */
export function notice(text, { isBad = false, todo, act } = {}) {
  const line = el(
    "div",
    { class: isBad ? "notice bad" : "notice", role: isBad ? "alert" : null },
    el("span", {}, text),
  );
  const close = () => line.remove();
  if (act) line.append(button(todo, () => (close(), act())));
  line.append(button("×", close, { class: "plain", "aria-label": "Close this notice" }));
  const old = byId("notices").children;
  while (old.length > 1) old[0].remove();
  byId("notices").append(line);
  setTimeout(close, 1000 * (isBad ? 3 * SECONDS : SECONDS));
  if (!isBad) announce(text);
}
