"""What linking found: mentions, what was decided of them, and the triples among them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from colligate.world.tables import Table, entity_table, mention_table, relation_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from colligate.world.filters.cases import Cases
    from colligate.world.filters.choice import Choice
    from colligate.world.filters.readings import Reading
    from colligate.world.mentions.found import Found, IntArray
    from colligate.world.parsing.lexicon import Lexicon
    from colligate.world.parsing.triples import Triple


@dataclass(frozen=True)
class Wanted:
    """Which decisions are taken: those that are sure enough, and of a type of interest."""

    least_confidence: float
    types: frozenset[str] | None = None

    def taken(self, chosen: Reading, readings: tuple[Reading, ...], confidence: float) -> Reading | None:
        """The reading that is taken, if any: the chosen one, or the same entity as something of interest."""
        if confidence < self.least_confidence:
            return None
        if self.types is None or chosen.type in self.types:
            return chosen
        same = (one for one in readings if one.entity == chosen.entity and one.type in (self.types or ()))
        return next(same, None)


@dataclass(frozen=True, eq=False)
class Linked:
    """The entities of documents. `found` are all mentions, `case` their cases, `choice` what was decided.

    The tables are columns by name, and hold the decisions that are `wanted`.
    """

    ids: list[str]
    texts: Sequence[str]
    names: list[str]
    found: Found
    case: IntArray
    cases: Cases
    choice: Choice
    wanted: Wanted
    lexicon: Lexicon
    triples: tuple[Triple, ...] = ()

    def with_triples(self, triples: Iterable[Triple]) -> Linked:
        """The same with triples."""
        return replace(self, triples=tuple(triples))

    @cached_property
    def readings(self) -> list[Reading | None]:
        """By case the reading that was chosen; None where nothing is decided."""
        columns = (self.cases.name.tolist(), self.choice.reading.tolist(), self.choice.confidence.tolist())
        return [self._taken(*row) for row in zip(*columns, strict=True)]

    @cached_property
    def case_entities(self) -> list[str | None]:
        """By case the entity that was chosen."""
        return [None if reading is None else reading.entity for reading in self.readings]

    @cached_property
    def called(self) -> Mapping[tuple[str, str], str]:
        """By entity and type the name that the documents use most; entities of one type differ in it."""
        used: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        rows = zip(self.cases.name.tolist(), self.cases.count.tolist(), self.readings, strict=True)
        for name, count, reading in rows:
            if reading is not None:
                used[reading.entity, reading.type][self.names[name]] += count
        return _told_apart(
            {key: min(names, key=lambda name: (-names[name], name)) for key, names in used.items()}
        )

    @cached_property
    def mentions(self) -> Table:
        """A row for each document and entity in it, as `Network.from_tables` takes it."""
        return mention_table(self)

    @cached_property
    def entities(self) -> Table:
        """A row for each entity and type: what it is called, its sub-types, and how much speaks of it."""
        return entity_table(self.mentions)

    @cached_property
    def relations(self) -> Table:
        """A row for each triple that a sentence says, and the sentence."""
        return relation_table(self)

    def _taken(self, name: int, chosen: int, confidence: float) -> Reading | None:
        if chosen < 0:
            return None
        readings = self.cases.readings[name]
        return self.wanted.taken(readings[chosen], readings, confidence)


def _told_apart(called: dict[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """Entities of one type and name get the end of their ids in brackets, or the whole if ends are alike."""
    apart = called
    for told in (_end, str):
        shared = Counter((kind, name) for (_, kind), name in apart.items())
        apart = {
            (entity, kind): f"{called[entity, kind]} ({told(entity)})" if shared[kind, name] > 1 else name
            for (entity, kind), name in apart.items()
        }
    return apart


def _end(entity: str) -> str:
    return re.split("[/#:]", entity.rstrip("/#:"))[-1] or entity
