// The map as the server sends it: a header in JSON, then columns of numbers, little-endian.

const KINDS = { f4: Float32Array, u2: Uint16Array, u1: Uint8Array };
export const NO_GROUP = 65535;

/** The columns x, y, group and confidence with the circles of the groups. */
export function readMap(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const map = { n: header.n, places: placesOf(header) };
  let at = 4 + length;
  for (const [name, kind] of header.fields) {
    map[name] = new KINDS[kind](buffer, at, header.n);
    at += map[name].byteLength;
  }
  return map;
}

function placesOf({ groups, centres, radii }) {
  return groups.map((group, k) => ({ group, x: centres[k][0], y: centres[k][1], radius: radii[k] }));
}
