"""Triples: what sentences say of two entities and the knowledge base confirms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from colligate.world.mentions.found import Found, IntArray
    from colligate.world.parsing.facts import Facts
    from colligate.world.parsing.lexicon import Lexicon, Told
    from colligate.world.parsing.pairs import Pair


@dataclass(frozen=True)
class Triple:
    """A relation from the case `head` to the case `tail`, and where it is said.

    `share` is how likely the phrase between both means the relation, by the lexicon.
    """

    head: int
    relation: str
    tail: int
    document: int
    phrase: str
    sentence: tuple[int, int]
    share: float


def triples(
    found: Found,
    case: IntArray,
    entities: Sequence[str | None],
    pairs: Iterable[Pair],
    facts: Facts,
    lexicon: Lexicon,
) -> Iterator[Triple]:
    """For each pair of mentions whose entities are decided and related, the relation that fits best.

    `entities` are by case, None where nothing is decided.
    """
    for pair in pairs:
        left, right = int(case[pair.left]), int(case[pair.right])
        one, other = entities[left], entities[right]
        names = int(found.name[pair.left]), int(found.name[pair.right])
        told = [relation for a, b, relation in facts.between(*names) if a == one and b == other]
        if told:
            (relation, inverse), share = _best(told, pair.phrase, lexicon)
            head, tail = (right, left) if inverse else (left, right)
            document = int(found.document[pair.left])
            yield Triple(head, relation, tail, document, pair.phrase, pair.sentence, share)


def _best(told: list[Told], phrase: str, lexicon: Lexicon) -> tuple[Told, float]:
    chosen = min(told, key=lambda relation: (-lexicon.share(phrase, relation), relation))
    return chosen, lexicon.share(phrase, chosen)
