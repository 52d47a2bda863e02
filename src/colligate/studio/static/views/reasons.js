// The words of a text that support its group or the second-best group, marked in the text itself.

import { el, fill } from "../dom.js";
import { percent } from "../format.js";
import { shortName } from "../store.js";

const FAINTEST = 0.1; // weaker words are not marked, so that the others stand out

/** A text with marked words; `words` have a weight, negative if they support the second-best group. */
export function markedText(text, words, explain) {
  const most = Math.max(...words.map(({ weight }) => Math.abs(weight)), 1e-12);
  const weights = new Map(
    words
      .filter(({ weight }) => Math.abs(weight) / most >= FAINTEST)
      .map(({ word, weight }) => [word.toLowerCase(), weight / most]),
  );
  if (!weights.size) return [text];
  const nodes = [];
  const seen = new Set();
  let done = 0;
  for (const match of text.matchAll(patternOf([...weights.keys()]))) {
    const word = match[0].toLowerCase().replace(/[^\p{L}\p{N}_]+/gu, " ");
    const weight = weights.get(word) ?? weights.get(match[0].toLowerCase());
    if (weight === undefined) continue;
    nodes.push(text.slice(done, match.index), markOf(match[0], weight, !seen.has(word), explain));
    seen.add(word);
    done = match.index + match[0].length;
  }
  return [...nodes, text.slice(done)].filter((node) => node !== "");
}

/** Whole words, where words are separated; between the words of a pair there may be white space or punctuation. */
function patternOf(words) {
  const spelled = words.sort((a, b) => b.length - a.length).map((word) => {
    const text = word.split(" ").map(escaped).join(`${NO_LETTER}+`);
    return UNSPACED.test(word) ? text : `(?<!${LETTER})${text}(?!${LETTER})`;
  });
  return new RegExp(spelled.join("|"), "giu");
}

const [LETTER, NO_LETTER] = ["[\\p{L}\\p{N}_]", "[^\\p{L}\\p{N}_]"];
const UNSPACED = /[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/;
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** A marked word; only its first occurrence is reached by keys. */
function markOf(text, weight, isFirst, explain) {
  const isFor = weight > 0;
  const tell = ({ currentTarget }) => explain(currentTarget, text, weight);
  const untell = ({ currentTarget }) => explain(currentTarget, null);
  return el(
    "mark",
    {
      class: isFor ? "reason-for" : "reason-against",
      style: { "--share": percent(Math.abs(weight)).replace(" ", ""), "--thick": `${1 + 2 * Math.abs(weight)}px` },
      tabindex: isFirst ? 0 : null,
      title: isFor ? "for this group" : "for the second-best group",
      onpointerenter: tell,
      onfocus: tell,
      onpointerleave: untell,
      onblur: untell,
    },
    text,
  );
}

/** What the marks mean. */
export function legend(group, next) {
  return el("p", { class: "meaning", "aria-live": "polite" }, meaning(group, next));
}

const meaning = (group, next) => [
  el("mark", { class: "reason-for" }, `for ${shortName(group)}`),
  next >= 0 ? [" ", el("mark", { class: "reason-against" }, `for ${shortName(next)}`)] : null,
];

/** Say in the legend beside a marked word what the word does; without a word, what the marks mean. */
export function explainIn(group, next) {
  return (mark, word, weight) => {
    const line = mark.closest("article")?.querySelector(".meaning");
    if (!line) return;
    const [target, other] = weight > 0 ? [group, next] : [next, group];
    const than = other >= 0 ? ` rather than ${shortName(other)}` : "";
    const strength = `${percent(Math.abs(weight))} as strong as the strongest word`;
    fill(line, word === null ? meaning(group, next) : `“${word}” supports ${shortName(target)}${than}: ${strength}`);
  };
}
