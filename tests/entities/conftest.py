"""A knowledge base of a few lines, and the documents that speak of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from colligate.entities.kb.base import Hierarchy, Info, QueryResult
from colligate.entities.kb.sparql import Entity, Intersection, Join, Relation


@dataclass
class TinyBase:
    """The interface of a knowledge base over plain Python."""

    called: dict[str, list[str]]
    kinds: dict[str, list[str]]
    above: dict[str, tuple[str, ...]] = field(default_factory=dict)
    facts: list[tuple[str, str, str]] = field(default_factory=list)
    asked: list[object] = field(default_factory=list)

    def names(self):
        yield from sorted((entity, name) for entity, names in self.called.items() for name in names)

    def named(self, names):
        matches = {name: tuple(e for e, n in self.names() if n == name) for name in names}
        return {name: entities for name, entities in matches.items() if entities}

    def types(self, entities):
        return {entity: tuple(self.kinds.get(entity, ())) for entity in entities}

    def labels(self, entities):
        return {}

    def aliases(self, entities):
        return {}

    def hierarchy(self):
        return Hierarchy(self.above)

    def relations(self, pairs):
        self.asked.append(pairs)
        matches = {pair: tuple(sorted(r for h, r, t in self.facts if (h, t) == pair)) for pair in pairs}
        return {pair: relations for pair, relations in matches.items() if relations}

    def ask(self, form, limit=1000):
        return tuple(sorted(self._of(form)))[:limit]

    def query(self, sparql):
        return QueryResult((), ())

    def info(self):
        return Info(len(self.facts), len(self.called), len(list(self.names())), len(self.above), 0)

    def _of(self, form):
        match form:
            case Entity(id):
                return {(id,)} if id in self.called else set()
            case Relation(id, inverse):
                return {(t, h) if inverse else (h, t) for h, r, t in self.facts if r == id}
            case Join(relation, of):
                tails = {tail for (tail,) in self._of(of)}
                return {(head,) for head, tail in self._of(relation) if tail in tails}
            case Intersection(left, right):
                return self._of(left) & self._of(right)


@pytest.fixture
def tiny():
    return TinyBase


@pytest.fixture
def base():
    return TinyBase(
        called={
            "kb/apple_inc": ["Apple", "Apple Computer"],
            "kb/apple": ["Apple"],
            "kb/ibm": ["IBM"],
            "kb/microsoft": ["Microsoft"],
            "kb/banana": ["Banana"],
            "kb/cherry": ["Cherry"],
            "kb/jobs": ["Steve Jobs"],
            "kb/gates": ["Bill Gates"],
            "kb/seattle": ["Seattle"],
        },
        kinds={
            "kb/apple_inc": ["firm"],
            "kb/apple": ["fruit"],
            "kb/ibm": ["firm"],
            "kb/microsoft": ["firm"],
            "kb/banana": ["fruit"],
            "kb/cherry": ["fruit"],
            "kb/jobs": ["founder"],
            "kb/gates": ["founder"],
            "kb/seattle": ["city"],
        },
        above={
            "firm": ("Organisation",),
            "fruit": ("Food",),
            "founder": ("Person",),
            "city": ("Place",),
        },
        facts=[
            ("kb/jobs", "founded", "kb/apple_inc"),
            ("kb/gates", "founded", "kb/microsoft"),
            ("kb/microsoft", "based_in", "kb/seattle"),
        ],
    )


@pytest.fixture
def documents():
    return {
        "mac": "Steve Jobs founded Apple. The firm Apple sued Microsoft, not IBM.",
        "pie": "I like Apple with Banana and Cherry. Now a Banana, then a Cherry, then an Apple.",
        "bill": "We know that Bill Gates founded Microsoft. Then Microsoft moved to Seattle with IBM.",
        "empty": "",
    }
