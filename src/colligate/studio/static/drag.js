// Drag a document to a group by mouse or pen: an element with data-group is a group.

import { moveTo } from "./actions.js";
import { byId, el } from "./dom.js";
import { count } from "./format.js";
import { state } from "./store.js";

const SLIP = 6;

/** Let an element that shows a document be dragged. */
export function makeDraggable(element, at) {
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch" || event.target.closest("input")) return;
    const follow = (next) => {
      if (Math.hypot(next.clientX - event.clientX, next.clientY - event.clientY) < SLIP) return;
      stop();
      startDrag(at, next);
    };
    const stop = () => {
      removeEventListener("pointermove", follow);
      removeEventListener("pointerup", stop);
    };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", stop);
  });
}

/** Drag a document, or the selection it belongs to, from here on. */
export function startDrag(at, event) {
  if (byId("ghost")) return;
  const positions = state.selection.has(at) ? [...state.selection] : [at];
  const ghost = el("div", { id: "ghost", "aria-hidden": "true" }, count(positions.length, "document"));
  let over = null;
  const follow = ({ clientX, clientY }) => {
    ghost.style.transform = `translate(${clientX + 12}px, ${clientY + 8}px)`;
    over?.classList.remove("over");
    over = document.elementFromPoint(clientX, clientY)?.closest("[data-group]") ?? null;
    over?.classList.add("over");
  };
  const end = (last) => {
    removeEventListener("pointermove", follow);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    ghost.remove();
    document.body.classList.remove("dragging");
    over?.classList.remove("over");
    if (over && last.type === "pointerup") moveTo(Number(over.dataset.group), positions);
  };
  document.body.append(ghost);
  document.body.classList.add("dragging");
  getSelection()?.removeAllRanges();
  follow(event);
  addEventListener("pointermove", follow);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}
