// Scales of values that colour the map: numbers from low to high, or values by name.

import { percent, whole } from "../format.js";
import { rampPixels, solid } from "../theme.js";
import { byCode, byNumber, hasColour } from "./colouring.js";

/** Numbers from low to high; a missing one is NaN. `write` turns a number into text. */
export class NumberScale {
  constructor(name, values, low, high, write = whole) {
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

/** Values by name, the most frequent first; the code of a document is the position of its value, or -1. */
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

/** The confidence of the documents in their groups. */
export const confidenceScale = ({ confidence }) =>
  new NumberScale("confidence", Float32Array.from(confidence, (value) => value / 255), 0, 1, percent);
