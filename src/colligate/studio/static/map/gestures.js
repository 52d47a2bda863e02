// Gestures on the map: drag, wheel or pinch, click.

const CLICK = 5; // pixels that a click may slip

/** Listen on an element, and call the effect of each gesture. */
export function followGestures(element, act) {
  const down = new Map();
  let moved = 0;
  let last = null;

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target.closest("button")) return;
    element.setPointerCapture(event.pointerId);
    down.set(event.pointerId, pointOf(event));
    [moved, last] = [0, null];
    if (down.size === 1) act.begin(pointOf(event), event);
  });

  element.addEventListener("pointermove", (event) => {
    const point = pointOf(event);
    const before = down.get(event.pointerId);
    if (!before) return act.hover(point);
    moved += Math.hypot(point[0] - before[0], point[1] - before[1]);
    down.set(event.pointerId, point);
    if (down.size === 2) last = pinch([...down.values()], last, act);
    else if (moved > CLICK) act.drag(point[0] - before[0], point[1] - before[1], point, event);
  });

  const end = (event) => {
    if (!down.delete(event.pointerId)) return;
    const isClick = moved <= CLICK && event.type === "pointerup";
    if (down.size === 0) act.end(isClick ? pointOf(event) : null, event);
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  element.addEventListener("pointerleave", () => act.hover(null));
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      act.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), ...pointOf(event));
    },
    { passive: false },
  );

  function pointOf(event) {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}

function pinch([first, second], last, act) {
  const now = {
    far: Math.hypot(first[0] - second[0], first[1] - second[1]),
    x: (first[0] + second[0]) / 2,
    y: (first[1] + second[1]) / 2,
  };
  if (last) {
    act.pan(now.x - last.x, now.y - last.y);
    act.zoom(now.far / Math.max(last.far, 1), now.x, now.y);
  }
  return now;
}
