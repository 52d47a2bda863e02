"""The nouns of WordNet, from the files of its database.

A line of data.noun holds offset, file, part of speech, the number of words (in hex), each with an id, the
number of pointers, each with symbol, offset, part of speech and ends, and a gloss; one of index.noun a lemma,
part of speech, numbers of senses and pointers, the symbols, two numbers, and the offsets of its senses, the
most frequent one first.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from colligate.errors import KnowledgeError
from colligate.files import located

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from pathlib import Path

    from colligate.knowledge.sources.tables import Concepts

BROADER = ("@", "@i")


def read_synsets(path: str | os.PathLike[str]) -> Concepts:
    """The words of each synset, those whose first sense it is, and the synsets it stands below."""
    folder = located(path)
    first = dict(_first_senses(folder / "index.noun"))
    names: dict[str, tuple[str, ...]] = {}
    broader: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for offset, lemmas, parents in _synsets(folder / "data.noun"):
        names[offset] = tuple(
            lemma.replace("_", " ") for lemma in lemmas if first.get(lemma.lower(), offset) == offset
        )
        broader[offset] = tuple(parents)
    return names, dict(broader), "WordNet"


def _synsets(path: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    for at, fields in _lines(path):
        try:
            n_words = int(fields[3], 16)
            lemmas = fields[4 : 4 + 2 * n_words : 2]
            start = 4 + 2 * n_words
            pointers = fields[start + 1 : start + 1 + 4 * int(fields[start])]
        except (ValueError, IndexError):
            raise KnowledgeError(f"{path}, line {at}: this is no line of WordNet's data files") from None
        parents = [pointers[p + 1] for p in range(0, len(pointers) - 3, 4) if pointers[p] in BROADER]
        yield fields[0], lemmas, parents


def _first_senses(path: Path) -> Iterator[tuple[str, str]]:
    for at, fields in _lines(path):
        try:
            yield fields[0], fields[6 + int(fields[3])]
        except (ValueError, IndexError):
            raise KnowledgeError(f"{path}, line {at}: this is no line of WordNet's index files") from None


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The fields of each line; the licence at the head is indented."""
    if not path.is_file():
        raise KnowledgeError(
            f"there is no {path.name} in {path.parent}; give the folder of WordNet's database, such as a "
            "WordNet package installs"
        )
    with path.open(encoding="utf-8", errors="replace") as lines:
        for at, line in enumerate(lines, start=1):
            if line.strip() and not line.startswith(" "):
                yield at, line.split(" | ")[0].split()
