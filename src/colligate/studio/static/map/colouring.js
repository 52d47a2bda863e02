// What the colours of the documents mean: their group, their confidence, or a column of the input.

import { pixels, rampPixels } from "../theme.js";
import { NO_GROUP } from "./data.js";

const GREY = [140, 144, 150];
const SHADES = 32; // steps from the lowest to the highest value
const MOST_VALUES = 12; // values of a column that get a colour each; the rest are grey

/** Colours by group. */
export function byGroup({ n, group, confidence }) {
  const last = pixels().length;
  const colour = Uint16Array.from({ length: n }, (_, i) => (group[i] === NO_GROUP ? last : group[i] % last));
  return { colour, sure: confidence, rowsOf: () => [...pixels(), GREY] };
}

/** Colours from low to high; a missing value (NaN) is grey. */
export function byNumber(values, low, high) {
  const shade = (value) =>
    Number.isNaN(value) ? SHADES : Math.round(((SHADES - 1) * (value - low)) / (high - low || 1));
  return {
    colour: Uint16Array.from(values, shade),
    sure: new Uint8Array(values.length).fill(255),
    rowsOf: () => [...rampPixels(SHADES), GREY],
  };
}

/** Colours by the code of a value, the most frequent values first; a missing value (-1) is grey. */
export function byCode(codes) {
  return {
    colour: Uint16Array.from(codes, (code) => (code < 0 || code >= MOST_VALUES ? MOST_VALUES : code)),
    sure: new Uint8Array(codes.length).fill(255),
    rowsOf: () => [...pixels().slice(0, MOST_VALUES), GREY],
  };
}

/** Whether a code has a colour of its own. */
export const hasColour = (code) => code >= 0 && code < MOST_VALUES;
