// Where names go on the map: no name over another, over an obstacle, or over the edge.

const GAP = 4; // pixels between two names
const STEPS = [0, 1, -1, 2, -2, 3, -3]; // heights by which a name may give way
const SIDES = [0, 0.5, -0.5]; // widths by which a name may give way

/**
 * Place names in the order of their priority. Each has the disc of its group on the screen (x, y, radius) and its
 * forms, the longest first, by width and height. All names get their shortest form first, so that as many as possible
 * are shown; a name without a free place is left out. Then names get a longer form where there is room for it.
 * The answer has the form, left and top of each name, or null.
 */
export function placeNames(names, room, obstacles = []) {
  const fixed = obstacles.map((box) => grown(box, GAP));
  const boxes = names.map(() => null);
  const place = (k, form) => {
    const isFree = (box) =>
      fixed.every((used) => areApart(box, used)) &&
      boxes.every((used, other) => other === k || used === null || areApart(box, used.grown));
    const box = placesOf(names[k], names[k].forms[form], room).find(isFree);
    if (box) boxes[k] = { form, left: box.left, top: box.top, grown: grown(box, GAP) };
    return Boolean(box);
  };
  names.forEach(({ forms }, k) => place(k, forms.length - 1));
  names.forEach(({ forms }, k) => boxes[k] && forms.slice(0, -1).some((_, form) => place(k, form)));
  return boxes;
}

/** The point of the room nearest to the centre of a disc; null if the disc is out of view. */
function nearestIn(room, { x, y, radius }) {
  const [px, py] = [clamp(x, room.left, room.right), clamp(y, room.top, room.bottom)];
  return Math.hypot(px - x, py - y) <= radius ? [px, py] : null;
}

/** Boxes inside the room that touch the disc, the nearest to its centre first. */
function placesOf(name, { width, height }, room) {
  const anchor = nearestIn(room, name);
  if (!anchor || width > room.right - room.left || height > room.bottom - room.top) return [];
  const [px, py] = anchor;
  return SIDES.flatMap((side) =>
    STEPS.map((step) => {
      const left = clamp(px + (side - 0.5) * width, room.left, room.right - width);
      const top = clamp(py + step * (height + GAP) - height / 2, room.top, room.bottom - height);
      return { left, top, right: left + width, bottom: top + height };
    }),
  ).filter((box) => doesTouch(box, name, height));
}

/** Whether a box touches a disc; a disc smaller than a line of text counts as one line. */
function doesTouch({ left, top, right, bottom }, { x, y, radius }, height) {
  return Math.hypot(clamp(x, left, right) - x, clamp(y, top, bottom) - y) <= Math.max(radius, height);
}

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const grown = ({ left, top, right, bottom }, by) => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});
const areApart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
