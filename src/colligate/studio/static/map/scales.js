// Scales of values that colour the map: numbers from low to high, or values by name.

import { percent } from "../format.js";
import { rampPixels, solid } from "../theme.js";
import { byCode, byNumber, hasColour } from "./colouring.js";

/** Numbers from low to high; a missing one is NaN. `write` turns a number into text. */
export class NumberScale {
  constructor(name, values, low, high, write) {
    Object.assign(this, { name, values, low, high, write });
  }

  colouring() {
    return byNumber(this.values, this.low, this.high);
  }

  /** So many colours from low to high, for style sheets. */
  colours(number) {
    return rampPixels(number).map((parts) => `rgb(${parts})`);
  }

  /** Whether a document has a value from one number to another. */
  between(from, to) {
    return (i) => this.values[i] >= from && this.values[i] <= to;
  }
}

/** Values by name, the most frequent first and the rest as the last; the code of a document is the position of its value, or -1. */
export class NamedScale {
  constructor(name, codes, names, counts) {
    Object.assign(this, { name, codes, names, counts });
  }

  colouring() {
    return byCode(this.codes);
  }

  colourOf(code) {
    return hasColour(code) ? solid(code) : "var(--grey)";
  }

  /** Whether a document has one of these values. */
  among(codes) {
    return (i) => codes.has(this.codes[i]);
  }
}

/** The scale of a column as the server sends it. */
export function scaleOf({ name, kind, codes, bins, values, range, unit }) {
  if (range === null) {
    const [labels, counts] = [bins.map(({ label }) => label), bins.map(({ documents }) => documents)];
    return new NamedScale(name, codes, labels, counts);
  }
  const numbers = Float64Array.from(values, (value) => value ?? NaN);
  return new NumberScale(name, numbers, ...range, kind === "date" ? dateWriter(unit) : number);
}

const number = (value) => value.toLocaleString("en-GB", { maximumSignificantDigits: 4 });

/** Write milliseconds since 1970 as days, months or years. */
function dateWriter(unit) {
  const length = { day: 3, month: 2 }[unit] ?? 1;
  const padded = (part) => String(part).padStart(2, "0");
  return (value) => {
    const date = new Date(value);
    const parts = [date.getUTCFullYear(), padded(date.getUTCMonth() + 1), padded(date.getUTCDate())];
    return parts.slice(0, length).join("-");
  };
}

/** The confidence of the documents in their groups. */
export const confidenceScale = ({ confidence }) =>
  new NumberScale("confidence", Float32Array.from(confidence, (value) => value / 255), 0, 1, percent);
