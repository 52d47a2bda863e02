// Arrows between documents and groups: where a document came from, or where it will go.

const SHARE = 0.5; // of the radius of a group: how near to its centre an arrow begins or ends

/** Arrows from the groups that documents left to the documents; none from a group that is gone. */
export function arrowsFrom(map, documents, sources, colourOf) {
  return documents.flatMap((i, k) => {
    const place = placeOf(map, sources[k]);
    return place ? [{ from: towards(place, pointOf(map, i)), to: pointOf(map, i), colour: colourOf(map.group[i]) }] : [];
  });
}

/** Arrows from documents to the groups that they were moved to. */
export function arrowsTo(map, documents, targets, colourOf) {
  return documents.flatMap((i, k) => {
    const place = placeOf(map, targets[k]);
    if (!place || map.group[i] === targets[k]) return [];
    return [{ from: pointOf(map, i), to: towards(place, pointOf(map, i)), colour: colourOf(targets[k]) }];
  });
}

/** Arrows from the groups that are merged into another to that one. */
export function arrowsOfMerges(map, merges, colourOf) {
  return merges.flatMap(([kept, gone]) => {
    const [to, from] = [placeOf(map, kept), placeOf(map, gone)];
    return to && from ? [{ from: [from.x, from.y], to: towards(to, [from.x, from.y]), colour: colourOf(kept) }] : [];
  });
}

const placeOf = (map, group) => map.places.find((place) => place.group === group);
const pointOf = (map, i) => [map.x[i], map.y[i]];

/** The point of a group on the way from its centre to another point. */
function towards({ x, y, radius }, [px, py]) {
  const far = Math.hypot(px - x, py - y);
  const share = far > 0 ? Math.min(SHARE * radius, far) / far : 0;
  return [x + share * (px - x), y + share * (py - y)];
}
