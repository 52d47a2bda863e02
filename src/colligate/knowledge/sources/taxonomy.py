"""A taxonomy: concepts with names, each below others; and the categories of words that its parts make.

Concepts of a knowledge base: its classes, and its entities below the classes they are of.

The nouns of WordNet, from the files of its database.

A line of data.noun holds offset, file, part of speech, the number of words (in hex), each with an id, the
number of pointers, each with symbol, offset, part of speech and ends, and a gloss; one of index.noun a lemma,
part of speech, numbers of senses and pointers, the symbols, two numbers, and the offsets of its senses, the
most frequent one first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from colligate._storage.atomic import expand_path
from colligate.corpus.vectorize import make_word_tokenizer
from colligate.errors import KnowledgeError
from colligate.knowledge.knowledge import Knowledge
from colligate.knowledge.sources.tables import read_concepts

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from colligate.knowledge.sources.tables import Concepts


LEAST = 0.5
SHORTEST = 2
EXAMPLES = 3

BROADER = ("@", "@i")


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """Concepts by id: their names, and the concepts they stand below."""

    names: Mapping[str, tuple[str, ...]]
    broader: Mapping[str, tuple[str, ...]]
    source: str = "taxonomy"

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None) -> Taxonomy:
        """Read a CSV or TSV file (also .gz) with a concept in every row: id, label, broader, other labels.

        `broader` holds ids and `alternative` further labels, several of them by |. `columns` renames:
        `columns={"broader": "broader_ids"}`.
        """
        return cls(*read_concepts(path, columns or {}))

    @classmethod
    def wordnet(cls, path: str | os.PathLike[str]) -> Taxonomy:
        """Read the nouns of WordNet: the folder of its database (data.noun, index.noun).

        A word counts in its most frequent sense alone.
        """
        return cls(*read_synsets(path))

    @classmethod
    def of_base(cls, base: Base) -> Taxonomy:
        """Take the classes of a knowledge base and, below them, its entities by all their names."""
        return cls(*base_concepts(base))

    def below(self, roots: Iterable[str]) -> set[str]:
        """The ids of some concepts, given by id or by name, and of all that stand below them."""
        found: set[str] = set()
        left = [id for root in roots for id in self._found(root)]
        while left:
            concept = left.pop()
            if concept not in found:
                found.add(concept)
                left.extend(self._narrower[concept])
        return found

    def categories(
        self, roots: Mapping[str, str | Sequence[str]], words: Collection[str], *, least: float = LEAST
    ) -> Knowledge:
        """Make categories of the `words` of a corpus: `categories({"space": ["Astronomy"]}, corpus.words)`.

        A word leans to a category by the share of its concepts there, of all its concepts in any of the
        categories; below `least` it says too little and is left out.
        """
        known = set(words)
        counts = {
            name: self._words(self.below([given] if isinstance(given, str) else given), known)
            for name, given in roots.items()
        }
        total: Counter[str] = sum(counts.values(), start=Counter())
        knowledge = Knowledge()
        for name, found in counts.items():
            telling = {
                word: count / total[word] for word, count in found.items() if count / total[word] >= least
            }
            if not telling:
                raise KnowledgeError(
                    f"category {name!r} of {self.source} has no word of the corpus that tells it from the "
                    "others; give other concepts for it, or leave it out"
                )
            for strength in sorted(set(telling.values()), reverse=True):
                members = sorted(word for word, own in telling.items() if own == strength)
                knowledge.category(name, strength=strength, source=self.source, words=members)
        return knowledge

    def _words(self, concepts: set[str], known: set[str]) -> Counter[str]:
        """In how many concepts each known word is part of a name."""
        runs = make_word_tokenizer(SHORTEST)
        found: Counter[str] = Counter()
        for concept in concepts:
            found.update({run.lower() for name in self.names[concept] for run in runs(name)} & known)
        return found

    @cached_property
    def _narrower(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for concept, parents in self.broader.items():
            for parent in parents:
                found[parent].append(concept)
        return found

    @cached_property
    def _by_name(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for concept, names in self.names.items():
            for name in names:
                found[name.casefold()].append(concept)
        return found

    def _found(self, root: str) -> list[str]:
        if root in self.names:
            return [root]
        found = self._by_name.get(root.casefold(), [])
        if not found:
            raise KnowledgeError(f"{self.source} has no concept {root!r}, neither by id nor by name")
        if len(found) > 1:
            told = ", ".join(found[:EXAMPLES]) + (" …" if len(found) > EXAMPLES else "")
            raise KnowledgeError(
                f"{self.source} has {len(found)} concepts called {root!r}; give the id of one: {told}"
            )
        return found


class _Hierarchy(Protocol):
    @property
    def parents(self) -> Mapping[str, tuple[str, ...]]: ...

    def label(self, kind: str) -> str: ...


class Base(Protocol):
    """What is asked of a knowledge base: those of `colligate.entities` answer it."""

    def names(self) -> Iterator[tuple[str, str]]:
        """Every (entity, name)."""

    def types(self, entities: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """The classes of each entity."""

    def hierarchy(self) -> _Hierarchy:
        """All classes, those above them, and their labels."""


def base_concepts(base: Base) -> Concepts:
    """The names of each class and entity, and the classes it stands below."""
    hierarchy, called = base.hierarchy(), defaultdict(list)
    for entity, name in base.names():
        called[entity].append(name)
    types = base.types(tuple(called))
    broader = {entity: tuple(types.get(entity, ())) for entity in called} | dict(hierarchy.parents)
    classes = {kind for above in broader.values() for kind in above} | set(hierarchy.parents)
    names = {entity: tuple(own) for entity, own in called.items()}
    return names | {kind: (hierarchy.label(kind),) for kind in sorted(classes)}, broader, "knowledge base"


def read_synsets(path: str | os.PathLike[str]) -> Concepts:
    """The words of each synset, those whose first sense it is, and the synsets it stands below."""
    folder = expand_path(path)
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
