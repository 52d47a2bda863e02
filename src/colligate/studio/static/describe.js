// A statement in words.

import { shortName } from "./store.js";
import { count } from "./format.js";

const listed = (items) =>
  items.length > 3 ? `${items.slice(0, 2).join(", ")} and ${items.length - 2} more` : items.join(" and ");

const SENTENCES = {
  together: ({ items }) => `${listed(items)} belong together`,
  apart: ({ items }) => `${listed(items)} belong apart`,
  label: ({ document, group }) => `${document} belongs in ${shortName(group)}`,
  outside: ({ document }) => `${document} belongs to no group`,
  category: ({ name, word }) => `the word ${word} is about ${name}`,
  name: ({ group, name }) => `group ${group + 1} is called ${name}`,
  merge: ({ groups }) => `${groups.map(shortName).join(" and ")} are one group`,
  split: ({ group, into }) => `${shortName(group)} is ${into} groups`,
  freeze: ({ group, documents }) =>
    `${shortName(group)} stays as it is (${count(documents?.length ?? 0, "document")})`,
  knowledge: ({ text }) => `a knowledge file of ${count(text.split("\n").length, "line")}`,
};

export const sentence = ({ kind, body }) => SENTENCES[kind]?.(body) ?? kind;
