"""Taxonomies: concepts with names, each below others, and the word categories that they make.

Concepts come from a table, from WordNet's database, or from a knowledge base: its classes, with its entities
below them. A line of WordNet's data.noun has offset, file, part of speech, the number of words (in hex), each
with an id, the number of pointers, each with symbol, offset, part of speech and ends, and a gloss; one of
index.noun has a lemma, part of speech, numbers of senses and pointers, the symbols, two numbers, and the
offsets of its senses, the most frequent one first.
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


MIN_SHARE = 0.5
_SHORTEST_WORD = 2
_MAX_EXAMPLES = 3
_BROADER_POINTERS = ("@", "@i")


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """Concepts by id: their names, and the concepts above them."""

    names: Mapping[str, tuple[str, ...]]
    broader: Mapping[str, tuple[str, ...]]
    source: str = "taxonomy"

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None) -> Taxonomy:
        """Read a CSV or TSV file (also .gz) with a concept in every row: id, label, broader, other labels.

        `broader` has ids and `alternative` further labels, several of them by |. `columns` renames:
        `columns={"broader": "broader_ids"}`.
        """
        return cls(*read_concepts(path, columns or {}))

    @classmethod
    def wordnet(cls, path: str | os.PathLike[str]) -> Taxonomy:
        """Read the nouns of WordNet: the folder of its database (data.noun, index.noun).

        A word counts only in its most frequent sense.
        """
        return cls(*read_synsets(path))

    @classmethod
    def of_base(cls, base: Base) -> Taxonomy:
        """Take the classes of a knowledge base and, below them, its entities by all their names."""
        return cls(*base_concepts(base))

    def below(self, roots: Iterable[str]) -> set[str]:
        """Return the ids of concepts, named by id or by name, and of all concepts below them."""
        reached: set[str] = set()
        left = [id for root in roots for id in self._find(root)]
        while left:
            concept = left.pop()
            if concept not in reached:
                reached.add(concept)
                left.extend(self._narrower[concept])
        return reached

    def categories(
        self, roots: Mapping[str, str | Sequence[str]], words: Collection[str], *, least: float = MIN_SHARE
    ) -> Knowledge:
        """Make categories of the `words` of a corpus: `categories({"space": ["Astronomy"]}, corpus.words)`.

        The strength of a word is the share of its concepts in the category, of all its concepts in any of the
        categories; a word with a share below `least` is left out.
        """
        vocabulary = set(words)
        counts = {
            name: self._words(self.below([root] if isinstance(root, str) else root), vocabulary)
            for name, root in roots.items()
        }
        total: Counter[str] = sum(counts.values(), start=Counter())
        knowledge = Knowledge()
        for name, count_of in counts.items():
            shares = {word: count / total[word] for word, count in count_of.items()}
            telling = {word: share for word, share in shares.items() if share >= least}
            if not telling:
                raise KnowledgeError(
                    f"category {name!r} of {self.source} has no usable word: each of its words is "
                    "missing from the corpus or also in another category; choose other concepts, or "
                    "leave out this category"
                )
            for strength in sorted(set(telling.values()), reverse=True):
                members = sorted(word for word, share in telling.items() if share == strength)
                knowledge.category(name, strength=strength, source=self.source, words=members)
        return knowledge

    def _words(self, concepts: set[str], vocabulary: set[str]) -> Counter[str]:
        """Count the concepts in whose names each word of the vocabulary occurs."""
        runs = make_word_tokenizer(_SHORTEST_WORD)
        counts: Counter[str] = Counter()
        for concept in concepts:
            counts.update({run.lower() for name in self.names[concept] for run in runs(name)} & vocabulary)
        return counts

    @cached_property
    def _narrower(self) -> Mapping[str, list[str]]:
        narrower: dict[str, list[str]] = defaultdict(list)
        for concept, parents in self.broader.items():
            for parent in parents:
                narrower[parent].append(concept)
        return narrower

    @cached_property
    def _by_name(self) -> Mapping[str, list[str]]:
        by_name: dict[str, list[str]] = defaultdict(list)
        for concept, names in self.names.items():
            for name in names:
                by_name[name.casefold()].append(concept)
        return by_name

    def _find(self, root: str) -> list[str]:
        if root in self.names:
            return [root]
        ids = self._by_name.get(root.casefold(), [])
        if not ids:
            raise KnowledgeError(f"{self.source} has no concept with the id or name {root!r}")
        if len(ids) > 1:
            examples = ", ".join(ids[:_MAX_EXAMPLES]) + (" …" if len(ids) > _MAX_EXAMPLES else "")
            raise KnowledgeError(
                f"{self.source} has {len(ids)} concepts called {root!r}; give the id of one: {examples}"
            )
        return ids


class _Hierarchy(Protocol):
    @property
    def parents(self) -> Mapping[str, tuple[str, ...]]: ...

    def label(self, kind: str) -> str: ...


class Base(Protocol):
    """What a taxonomy needs of a knowledge base; those of `colligate.entities` have it."""

    def names(self) -> Iterator[tuple[str, str]]:
        """Every (entity, name)."""

    def types(self, entities: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """The classes of each entity."""

    def hierarchy(self) -> _Hierarchy:
        """All classes, those above them, and their labels."""


def base_concepts(base: Base) -> Concepts:
    """Return the names of each class and entity, and the classes above it."""
    hierarchy, aliases = base.hierarchy(), defaultdict(list)
    for entity, name in base.names():
        aliases[entity].append(name)
    types = base.types(tuple(aliases))
    broader = {entity: tuple(types.get(entity, ())) for entity in aliases} | dict(hierarchy.parents)
    classes = {cls for above in broader.values() for cls in above} | set(hierarchy.parents)
    names = {entity: tuple(entity_names) for entity, entity_names in aliases.items()}
    return names | {cls: (hierarchy.label(cls),) for cls in sorted(classes)}, broader, "knowledge base"


def read_synsets(path: str | os.PathLike[str]) -> Concepts:
    """Return the words of each synset, those whose first sense it is, and the synsets above it."""
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
    for number, fields in _lines(path):
        try:
            n_words = int(fields[3], 16)
            lemmas = fields[4 : 4 + 2 * n_words : 2]
            start = 4 + 2 * n_words
            pointers = fields[start + 1 : start + 1 + 4 * int(fields[start])]
        except (ValueError, IndexError):
            raise KnowledgeError(
                f"{path}, line {number}: this is not a valid line of a WordNet data file; download the "
                "database again"
            ) from None
        parents = [
            pointers[p + 1] for p in range(0, len(pointers) - 3, 4) if pointers[p] in _BROADER_POINTERS
        ]
        yield fields[0], lemmas, parents


def _first_senses(path: Path) -> Iterator[tuple[str, str]]:
    for number, fields in _lines(path):
        try:
            yield fields[0], fields[6 + int(fields[3])]
        except (ValueError, IndexError):
            raise KnowledgeError(
                f"{path}, line {number}: this is not a valid line of a WordNet index file; download the "
                "database again"
            ) from None


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each line; the licence at the head is indented."""
    if not path.is_file():
        raise KnowledgeError(
            f"there is no {path.name} in {path.parent}; give the folder that contains the WordNet database"
        )
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip() and not line.startswith(" "):
                yield number, line.split(" | ")[0].split()
