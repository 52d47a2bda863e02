"""The lexicon: which relation a phrase stands for, learned from the entity pairs that both share."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

FEWEST = 2
"""A phrase and a relation that share fewer pairs of names met by chance."""

DirectedRelation = tuple[str, bool]
"""A relation, and whether it holds from the second name to the first."""


@dataclass(frozen=True)
class Lexicon:
    """By phrase the relations it stands for, each with the share of the phrase's pairs that it holds for."""

    shares: Mapping[str, Mapping[DirectedRelation, float]]

    @classmethod
    def learn(
        cls, met: Iterable[tuple[str, Hashable, Iterable[DirectedRelation]]], fewest: int = FEWEST
    ) -> Lexicon:
        """Count, over the distinct pairs of names that a phrase stands between, which relations hold."""
        total: Counter[str] = Counter()
        shared: dict[str, Counter[DirectedRelation]] = defaultdict(Counter)
        seen: set[tuple[str, Hashable]] = set()
        for phrase, names, relations in met:
            if (phrase, names) not in seen:
                seen.add((phrase, names))
                total[phrase] += 1
                shared[phrase].update(dict.fromkeys(relations, 1))
        return cls(
            {phrase: _shares(counts, total[phrase], fewest) for phrase, counts in shared.items() if counts}
        )

    def relations(self, phrase: str) -> list[DirectedRelation]:
        """The relations of a phrase, the likeliest first."""
        found = self.shares.get(phrase, {})
        return sorted(found, key=lambda told: (-found[told], told))

    def share(self, phrase: str, told: DirectedRelation) -> float:
        """How likely a phrase means a relation; 0 if they never met often enough."""
        return self.shares.get(phrase, {}).get(told, 0.0)


def _shares(counts: Counter[DirectedRelation], total: int, fewest: int) -> dict[DirectedRelation, float]:
    return {told: count / total for told, count in counts.items() if count >= fewest}
