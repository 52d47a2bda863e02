"""A taxonomy: concepts with names, each below others; and the categories of words that its parts make."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from colligate.corpus.pattern import word_runs
from colligate.errors import KnowledgeError
from colligate.knowledge.knowledge import Knowledge
from colligate.knowledge.sources.bases import base_concepts
from colligate.knowledge.sources.tables import read_concepts
from colligate.knowledge.sources.wordnet import read_synsets

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from colligate.knowledge.sources.bases import Base

LEAST = 0.5
SHORTEST = 2
EXAMPLES = 3


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
        runs = word_runs(SHORTEST)
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
