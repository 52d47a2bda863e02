"""The lexicon: which relation a phrase means, learned from the pairs of names that both have in common."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

MIN_PAIRS = 2
"""A phrase and a relation with fewer pairs of names in common may meet by chance."""
DirectedRelation = tuple[str, bool]
"""A relation, and whether it holds from the second name to the first."""


@dataclass(frozen=True)
class Lexicon:
    """By phrase its relations, each with the share of the phrase's pairs between which it holds."""

    shares: Mapping[str, Mapping[DirectedRelation, float]]

    @classmethod
    def learn(
        cls,
        observations: Iterable[tuple[str, Hashable, Iterable[DirectedRelation]]],
        min_pairs: int = MIN_PAIRS,
    ) -> Lexicon:
        """Count which relations hold over the distinct pairs of names around each phrase."""
        total: Counter[str] = Counter()
        counts: dict[str, Counter[DirectedRelation]] = defaultdict(Counter)
        seen: set[tuple[str, Hashable]] = set()
        for phrase, names, relations in observations:
            if (phrase, names) not in seen:
                seen.add((phrase, names))
                total[phrase] += 1
                counts[phrase].update(dict.fromkeys(relations, 1))
        return cls(
            {
                phrase: {relation: n / total[phrase] for relation, n in common.items() if n >= min_pairs}
                for phrase, common in counts.items()
                if common
            }
        )

    def relations(self, phrase: str) -> list[DirectedRelation]:
        """Return the relations of a phrase, the likeliest first."""
        shares = self.shares.get(phrase, {})
        return sorted(shares, key=lambda relation: (-shares[relation], relation))

    def share(self, phrase: str, relation: DirectedRelation) -> float:
        """Return how likely a phrase means a relation; 0 if they have too few pairs in common."""
        return self.shares.get(phrase, {}).get(relation, 0.0)
