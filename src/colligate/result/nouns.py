"""What one object of a type is called: types are named in the plural, sentences need the singular too."""

from __future__ import annotations

import re

IRREGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman", "series": "series"}
ENDINGS = (("([^aeiou])ies$", r"\1y"), ("(ss|x|z|ch|sh)es$", r"\1"), ("([^s])s$", r"\1"))


def singular(kind: str) -> str:
    """One of a kind: a document of documents, a person of people; a name without a plural stays."""
    start, _, last = kind.rpartition(" ")
    return f"{start} {_one(last)}".strip()


def counted(number: int, kind: str) -> str:
    """A count with its noun: 1 document, 2 documents."""
    return f"{number:,} {singular(kind) if number == 1 else kind}"


def _one(word: str) -> str:
    if word in IRREGULAR:
        return IRREGULAR[word]
    for ending, stem in ENDINGS:
        if re.search(ending, word):
            return re.sub(ending, stem, word)
    return word
