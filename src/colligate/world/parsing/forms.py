"""From two entities and the phrase between them to logical forms, which a knowledge base may confirm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.world.base.forms import Entity, Intersection, Join, Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.world.base.forms import Form
    from colligate.world.base.interface import KnowledgeBase
    from colligate.world.parsing.lexicon import Lexicon


def forms(left: str, phrase: str, right: str, lexicon: Lexicon) -> Iterator[Form]:
    """The forms of "left phrase right", the likeliest relation first.

    For "Obama is the president of the USA" these are Obama, the USA, president-of, president-of.USA, and
    Obama ∩ president-of.USA, which stands for Obama if the sentence is true.
    """
    yield Entity(left)
    yield Entity(right)
    for relation, inverse in lexicon.relations(phrase):
        told = Relation(relation, inverse)
        joined = Join(told, Entity(right))
        yield from (told, joined, Intersection(Entity(left), joined))


def holds(form: Form, base: KnowledgeBase) -> bool:
    """Whether a form stands for anything at all."""
    return bool(base.ask(form, limit=1))
