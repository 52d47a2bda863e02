// Building the page: elements with text, never markup made of data.

/** An element; attributes named on… are listeners, `style` holds properties, children are nodes or text. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) apply(made, name, value);
  made.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return made;
}

function apply(made, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
  else if (name === "style") for (const [key, text] of Object.entries(value)) made.style.setProperty(key, text);
  else if (name === "value") made.value = value;
  else made.setAttribute(name, value === true ? "" : value);
}

/** Replace all children, and keep the focus on the element with the same data-keep. */
export function fill(parent, ...children) {
  const kept = parent.contains(document.activeElement) ? document.activeElement.dataset.keep : undefined;
  const scrolled = parent.scrollTop;
  parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
  parent.scrollTop = scrolled;
  if (kept !== undefined)
    parent.querySelector(`[data-keep="${CSS.escape(kept)}"]`)?.focus({ preventScroll: true });
}

/** A button; `key` shows the key that does the same. */
export function button(label, onclick, { key, ...attributes } = {}) {
  return el(
    "button",
    { type: "button", onclick, ...attributes },
    label,
    key ? el("kbd", { "aria-hidden": "true" }, key) : null,
  );
}

export const byId = (id) => document.getElementById(id);

/** An element of a drawing. */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
