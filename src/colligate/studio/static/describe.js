// A statement in words.

import { state } from "./store.js";
import { count } from "./format.js";

const listed = (items) =>
  items.length > 3 ? `${items.slice(0, 2).join(", ")} and ${items.length - 2} more` : items.join(" and ");

/** What a label was called when something was said of it: by the last name it had got before. */
function calledThen(label, seq) {
  const names = state.statements.filter(
    (one) => one.kind === "name" && one.status === "live" && one.seq < seq && one.body.label === label,
  );
  return names.at(-1)?.body.name ?? label;
}

const ofDocuments = ({ document, documents = [document] }, rest) =>
  documents.length > 1 ? `${listed(documents)} belong ${rest}` : `${documents[0]} belongs ${rest}`;

const SENTENCES = {
  together: ({ items }) => `${listed(items)} belong together`,
  apart: ({ items }) => `${listed(items)} belong apart`,
  label: (body, called) => ofDocuments(body, `in ${called(body.label)}`),
  outside: (body) => ofDocuments(body, "to no group"),
  category: ({ name, word }) => `the word ${word} is about ${name}`,
  name: ({ label, name }, called) => `${called(label)} is called ${name}`,
  merge: ({ labels }, called) => `${labels.map(called).join(" and ")} are one group`,
  split: ({ labels, into }, called) => `${called(labels[0])} is ${into} groups`,
  freeze: ({ label, documents }, called) =>
    `nobody leaves ${called(label)} (${count(documents.length, "document")})`,
  knowledge: ({ text }) => `a knowledge file of ${count(text.split("\n").length, "line")}`,
};

export const sentence = ({ kind, body, seq }) =>
  SENTENCES[kind]?.(body, (label) => calledThen(label, seq)) ?? kind;
