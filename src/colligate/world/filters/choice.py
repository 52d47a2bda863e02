"""Choices: what a filter decides, and how scores of readings become decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from colligate.world.filters.cases import Cases, FloatArray, IntArray


class Choice(NamedTuple):
    """The reading chosen for each case (-1 for a case without any), and how sure it is, from 0 to 1."""

    reading: IntArray
    confidence: FloatArray


class Filter(Protocol):
    """Picks one reading, and so one type, for every case."""

    name: str

    def choose(self, cases: Cases) -> Choice:
        """Decide all cases; the same cases give the same choice."""
        ...


def best(cases: Cases, score: FloatArray) -> Choice:
    """The type with the highest sum of scores in each case, and its reading with the highest score.

    Scores are taken as shares of their case, each times its prior. What the priors of a case leave open goes
    to something that the knowledge base does not have: a name of secondary readings only is never sure. Among
    equals the first wins: the knowledge base names the most telling class first. A decision is right if the
    type is, and also if the entity is, which may have other types as well.
    """
    chosen, sure = np.full(len(cases), -1), np.zeros(len(cases))
    if not len(cases.row_case):
        return Choice(chosen, sure)
    share = _shares(cases, score) * cases.prior
    order = np.lexsort((-np.round(share, 12), -np.round(_by_type(cases, share), 12), cases.row_case))
    case, at = np.unique(cases.row_case[order], return_index=True)
    first = np.zeros(len(cases), dtype=np.int64)
    first[case] = order[at]
    chosen[case] = first[case] - cases.borders[case]
    own = first[cases.row_case]
    right = (cases.row_type == cases.row_type[own]) | (cases.row_entity == cases.row_entity[own])
    agreeing = np.bincount(cases.row_case, weights=share * right, minlength=len(cases))
    sure[case] = (agreeing / (_total(cases, share) + _open(cases)))[case]
    return Choice(chosen, np.clip(sure, 0.0, 1.0))


def one_type_each(cases: Cases, choice: Choice) -> Choice:
    """The same choice of entities, each seen as the type that says best what it is: its first reading.

    An entity of several types would otherwise be another thing in every document.
    """
    case = np.flatnonzero(choice.reading >= 0)
    entity = np.full(len(cases), -1)
    entity[case] = cases.row_entity[cases.borders[case] + choice.reading[case]]
    own = np.flatnonzero(cases.row_entity == entity[cases.row_case])
    found, first = np.unique(cases.row_case[own], return_index=True)
    reading = choice.reading.copy()
    reading[found] = own[first] - cases.borders[found]
    return Choice(reading, choice.confidence)


def _total(cases: Cases, score: FloatArray) -> FloatArray:
    return np.asarray(np.bincount(cases.row_case, weights=score, minlength=len(cases)))


def _open(cases: Cases) -> FloatArray:
    """What the priors of each case leave to something else; all of it where there is no reading."""
    most = np.zeros(len(cases))
    np.maximum.at(most, cases.row_case, cases.prior)
    return 1.0 - most


def _shares(cases: Cases, score: FloatArray) -> FloatArray:
    total = _total(cases, score)[cases.row_case]
    many = np.diff(cases.borders)[cases.row_case]
    return np.divide(score, total, out=1.0 / many, where=total > 0)


def _by_type(cases: Cases, share: FloatArray) -> FloatArray:
    """For each row the sum over the rows of its case that have its type."""
    kinds = int(cases.row_type.max()) + 1
    _, group = np.unique(cases.row_case * kinds + cases.row_type, return_inverse=True)
    return np.asarray(np.bincount(group, weights=share)[group])
