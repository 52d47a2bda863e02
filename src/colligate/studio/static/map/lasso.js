// Which documents are inside a lasso.

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
