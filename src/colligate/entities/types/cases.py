"""Cases: each name in each document, what it may stand for, and what speaks for that.

Choices: what a filter decides, and how scores of candidates become decisions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from colligate.entities.types.candidates import Candidate


IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
_SECONDARY = 0.1


@dataclass(frozen=True, eq=False)
class Cases:
    """One case for each name in each document: within a document a name stands for one thing.

    `backed` has (case, candidate, sentences): a sentence backs a candidate of a case if the knowledge base
    relates its entity to the one that the sentence names beside it.
    """

    document: IntArray
    name: IntArray
    count: IntArray
    candidates: Sequence[tuple[Candidate, ...]]
    backed: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.document)

    @cached_property
    def row_case(self) -> IntArray:
        """Rows are the candidates of all cases, one after the other; this is the case of each row."""
        return np.repeat(np.arange(len(self)), np.diff(self.borders))

    @cached_property
    def borders(self) -> IntArray:
        """Where the rows of each case begin, and at last how many rows there are."""
        many = np.array([len(found) for found in self.candidates], dtype=np.int64)
        return np.concatenate([[0], np.cumsum(many[self.name])]).astype(np.int64)

    @cached_property
    def rows(self) -> list[Candidate]:
        """The candidate of each row."""
        return [candidate for name in self.name.tolist() for candidate in self.candidates[name]]

    @cached_property
    def row_type(self) -> IntArray:
        """The type of each row, by number."""
        return _numbered([candidate.type for candidate in self.rows])

    @cached_property
    def row_entity(self) -> IntArray:
        """The entity of each row, by number."""
        return _numbered([candidate.entity for candidate in self.rows])

    @cached_property
    def row_backed(self) -> FloatArray:
        """In how many sentences each row is backed."""
        found = np.zeros(len(self.row_case))
        for (case, candidate), sentences in self.backed.items():
            found[self.borders[case] + candidate] = sentences
        return found

    @cached_property
    def frequency(self) -> FloatArray:
        """How often each row is met in its document: mentions shared among candidates, and what backs it."""
        many = np.diff(self.borders)[self.row_case]
        return self.count[self.row_case] / many + self.row_backed

    @cached_property
    def prior(self) -> FloatArray:
        """What each row counts before any context: little for a secondary candidate that nothing backs."""
        secondary = np.array([candidate.secondary for candidate in self.rows], dtype=bool)
        return np.where(secondary & (self.row_backed == 0), _SECONDARY, 1.0)


def _numbered(texts: list[str]) -> IntArray:
    numbers = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    return np.array([numbers[text] for text in texts], dtype=np.int64)


class Choice(NamedTuple):
    """The candidate chosen for each case (-1 for a case without any), and how sure it is, from 0 to 1."""

    candidate: IntArray
    confidence: FloatArray


class Filter(Protocol):
    """Picks one candidate, and so one type, for every case."""

    name: str

    def choose(self, cases: Cases) -> Choice:
        """Decide all cases; the same cases give the same choice."""
        ...


def choose_best(cases: Cases, score: FloatArray) -> Choice:
    """The type with the highest sum of scores in each case, and its candidate with the highest score.

    Scores are taken as shares of their case, each times its prior. What the priors of a case leave open goes
    to something that the knowledge base does not have: a name with only secondary candidates is never sure.
    Among equals the first wins: the knowledge base names the most telling class first. A decision is right if
    its type is, and also if the entity is, which may have other types as well.
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


def choose_primary_type(cases: Cases, choice: Choice) -> Choice:
    """The same choice of entities, each seen as the type that says best what it is: its first candidate.

    An entity of several types would otherwise be another thing in every document.
    """
    case = np.flatnonzero(choice.candidate >= 0)
    entity = np.full(len(cases), -1)
    entity[case] = cases.row_entity[cases.borders[case] + choice.candidate[case]]
    own = np.flatnonzero(cases.row_entity == entity[cases.row_case])
    found, first = np.unique(cases.row_case[own], return_index=True)
    candidate = choice.candidate.copy()
    candidate[found] = own[first] - cases.borders[found]
    return Choice(candidate, choice.confidence)


def _total(cases: Cases, score: FloatArray) -> FloatArray:
    return np.asarray(np.bincount(cases.row_case, weights=score, minlength=len(cases)))


def _open(cases: Cases) -> FloatArray:
    """What the priors of each case leave to something else; all of it where there is no candidate."""
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
