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
  if (name.startsWith("on")) listen(made, name.slice(2), value);
  else if (name === "style") for (const [key, text] of Object.entries(value)) made.style.setProperty(key, text);
  else if (name === "value") made.value = value;
  else made.setAttribute(name, value === true ? "" : value);
}

const ACTS = Symbol("listeners by event");

/** Set the listener of an event; a later one takes its place. */
function listen(node, event, act) {
  node[ACTS] ??= {};
  if (!(event in node[ACTS])) node.addEventListener(event, (happened) => node[ACTS][event]?.call(node, happened));
  node[ACTS][event] = act;
}

/**
 * Show these children and no others. A new element whose `data-keep` an old one has is not inserted: the old one stays
 * where it is and is brought up to date with all that is in it, so that its focus, its scroll position and a click in
 * progress survive. Other elements are replaced. A view may therefore keep a reference to an element without
 * `data-keep` that is in no element with it, and to no other.
 */
export function fill(parent, ...children) {
  const focus = focusIn(parent);
  const scrolled = parent.scrollTop;
  showChildren(parent, children.flat(Infinity).filter(Boolean));
  parent.scrollTop = scrolled;
  if (focus !== undefined && !parent.contains(document.activeElement))
    parent.querySelector(`[data-keep="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
}

const focusIn = (parent) =>
  parent.contains(document.activeElement) ? document.activeElement.dataset.keep : undefined;

function showChildren(parent, children, isKept = false) {
  const [kept, rest] = [new Map(), []];
  for (const old of parent.childNodes) {
    if (keyOf(old) !== undefined) kept.set(keyOf(old), old);
    else rest.push(old);
  }
  const oldOf = (child) => {
    if (keyOf(child) !== undefined) return kept.get(keyOf(child));
    return isKept && rest[0]?.nodeName === child.nodeName ? rest.shift() : undefined;
  };
  const shown = children.map((child) => {
    const old = oldOf(child);
    if (!old || old === child || old.nodeName !== child.nodeName) return child;
    kept.delete(keyOf(child));
    update(old, child);
    return old;
  });
  const wanted = new Set(shown);
  for (const old of [...parent.childNodes]) if (!wanted.has(old)) old.remove();
  // an element that is in its place already is not moved: moving it would take its focus away
  let place = parent.firstChild;
  for (const node of shown) {
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(typeof node === "string" ? document.createTextNode(node) : node, place);
  }
}

const keyOf = (node) => node.dataset?.keep;

/** Give an element the attributes, listeners and children of another. */
function update(old, made) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== made.data) old.data = made.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!made.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of made.attributes) {
    // the policy of the page refuses styles that are set as an attribute
    if (name === "style") old.style.cssText = made.style.cssText;
    else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const event of Object.keys(old[ACTS] ?? {})) old[ACTS][event] = made[ACTS]?.[event];
  for (const [event, act] of Object.entries(made[ACTS] ?? {})) listen(old, event, act);
  if (made instanceof HTMLInputElement) {
    old.checked = made.checked;
    // what a user types is not taken away
    if (old !== document.activeElement) old.value = made.value;
  }
  if (made instanceof HTMLSelectElement) {
    const { value } = made;
    // new options would close the list that a user has just opened
    if (!old.isEqualNode(made)) showChildren(old, [...made.childNodes], true);
    old.value = value;
  } else showChildren(old, [...made.childNodes], true);
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
