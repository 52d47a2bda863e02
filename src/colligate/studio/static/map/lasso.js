// Which documents are inside a lasso, and what that makes of the selection.

/** The mode of a lasso by the keys that are held: Shift adds, Alt removes, else `plain`. */
export function modeOf({ shiftKey, altKey }, plain) {
  if (altKey) return "remove";
  return shiftKey ? "add" : plain;
}

/** The selection after a lasso. */
export function combined(selection, positions, mode) {
  if (mode === "replace") return new Set(positions);
  const next = new Set(selection);
  for (const i of positions) {
    if (mode === "add") next.add(i);
    else next.delete(i);
  }
  return next;
}

/** The points of a grid inside a polygon in units of the map. */
export function inside(grid, polygon) {
  const [xs, ys] = [polygon.map(([x]) => x), polygon.map(([, y]) => y)];
  const points = [];
  grid.each(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), (i) => {
    if (holds(polygon, grid.x[i], grid.y[i])) points.push(i);
  });
  return points;
}

function holds(polygon, x, y) {
  let held = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [[xi, yi], [xj, yj]] = [polygon[i], polygon[j]];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) held = !held;
  }
  return held;
}
