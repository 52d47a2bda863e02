"""Logical forms: what can be asked of a knowledge base, as small immutable trees.

A unary form stands for a set of entities, a binary one for a set of pairs. "Presidents of the USA" is
`Join(Relation(president_of), Entity(usa))`, "people born in Hawaii who are presidents of the USA" an
`Intersection` of two joins. A class is an entity here: all cities are `Join(Relation(type), Entity(city))`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entity:
    """The one entity that has this id."""

    id: str


@dataclass(frozen=True)
class Relation:
    """All pairs (head, tail) between which a relation holds; `inverse` turns them round."""

    id: str
    inverse: bool = False


@dataclass(frozen=True)
class Join:
    """The entities that stand in the relation to something that the unary form `of` stands for."""

    relation: Relation
    of: Unary


@dataclass(frozen=True)
class Intersection:
    """The entities for which both unary forms stand."""

    left: Unary
    right: Unary


Unary = Entity | Join | Intersection
Form = Unary | Relation
