"""Cases: each name in each document, its candidates, and the choice that a semantic filter makes."""

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
_SECONDARY_PRIOR = 0.1


@dataclass(frozen=True, eq=False)
class Cases:
    """One case for each name in each document: within a document a name means one thing.

    `candidates` are by name. `backing` counts, by case and candidate, the sentences that back the candidate:
    those that name it beside an entity to which the knowledge base relates it.
    """

    document: IntArray
    name: IntArray
    count: IntArray
    candidates: Sequence[tuple[Candidate, ...]]
    backing: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.document)

    @cached_property
    def borders(self) -> IntArray:
        """The first row of each case, and at last the number of rows.

        Rows are the candidates of all cases, one case after the other.
        """
        sizes = np.array([len(listed) for listed in self.candidates], dtype=np.int64)
        return np.concatenate([[0], np.cumsum(sizes[self.name])]).astype(np.int64)

    @cached_property
    def row_case(self) -> IntArray:
        """The case of each row."""
        return np.repeat(np.arange(len(self)), np.diff(self.borders))

    @cached_property
    def row_size(self) -> IntArray:
        """The number of rows in the case of each row."""
        return np.diff(self.borders)[self.row_case]

    @cached_property
    def rows(self) -> list[Candidate]:
        """The candidate of each row."""
        return [candidate for name in self.name.tolist() for candidate in self.candidates[name]]

    @cached_property
    def row_type(self) -> IntArray:
        """The type of each row, by number."""
        return _number([candidate.type for candidate in self.rows])

    @cached_property
    def row_entity(self) -> IntArray:
        """The entity of each row, by number."""
        return _number([candidate.entity for candidate in self.rows])

    @cached_property
    def row_backing(self) -> FloatArray:
        """The number of sentences that back each row."""
        backing = np.zeros(len(self.row_case))
        for (case, candidate), sentences in self.backing.items():
            backing[self.borders[case] + candidate] = sentences
        return backing

    @cached_property
    def frequency(self) -> FloatArray:
        """The frequency of each row in its document: its share of the mentions, plus its backing."""
        return self.count[self.row_case] / self.row_size + self.row_backing

    @cached_property
    def prior(self) -> FloatArray:
        """The weight of each row before any context: small for a secondary candidate without backing."""
        secondary = np.array([candidate.secondary for candidate in self.rows], dtype=bool)
        return np.where(secondary & (self.row_backing == 0), _SECONDARY_PRIOR, 1.0)

    def sum_rows(self, values: FloatArray) -> FloatArray:
        """Sum the values of rows by case."""
        return np.asarray(np.bincount(self.row_case, weights=values, minlength=len(self)))


def _number(texts: list[str]) -> IntArray:
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    return np.array([numbers[text] for text in texts], dtype=np.int64)


class Choice(NamedTuple):
    """The candidate chosen for each case (-1 for a case without any), and its confidence from 0 to 1."""

    candidate: IntArray
    confidence: FloatArray


class Filter(Protocol):
    """A semantic filter: chooses one candidate, and so one type, for every case."""

    name: str

    def choose(self, cases: Cases) -> Choice:
        """Decide all cases; the same cases give the same choice."""
        ...


def choose_best(cases: Cases, score: FloatArray) -> Choice:
    """Choose the type with the highest sum of scores in each case, and its candidate with the highest score.

    Scores become shares of their case, multiplied by the priors. The rest of the prior goes to something that
    the knowledge base does not have: a name with only secondary candidates is never certain. Among equals the
    first wins, since the knowledge base lists the most telling class first. A decision counts as right if its
    type is, and also if its entity is, which may have other types as well.
    """
    chosen, confidence = np.full(len(cases), -1), np.zeros(len(cases))
    if not len(cases.row_case):
        return Choice(chosen, confidence)
    share = _score_shares(cases, score) * cases.prior
    order = np.lexsort((-np.round(share, 12), -np.round(_sum_by_type(cases, share), 12), cases.row_case))
    case, first = np.unique(cases.row_case[order], return_index=True)
    best_row = np.zeros(len(cases), dtype=np.int64)
    best_row[case] = order[first]
    chosen[case] = best_row[case] - cases.borders[case]
    best = best_row[cases.row_case]
    agrees = (cases.row_type == cases.row_type[best]) | (cases.row_entity == cases.row_entity[best])
    agreeing = cases.sum_rows(share * agrees)
    confidence[case] = (agreeing / (cases.sum_rows(share) + _unassigned_prior(cases)))[case]
    return Choice(chosen, np.clip(confidence, 0.0, 1.0))


def choose_primary_type(cases: Cases, choice: Choice) -> Choice:
    """Keep the chosen entities, each with its first type.

    An entity of several types would otherwise be another object in every document.
    """
    case = np.flatnonzero(choice.candidate >= 0)
    entity = np.full(len(cases), -1)
    entity[case] = cases.row_entity[cases.borders[case] + choice.candidate[case]]
    same_entity = np.flatnonzero(cases.row_entity == entity[cases.row_case])
    decided, first = np.unique(cases.row_case[same_entity], return_index=True)
    candidate = choice.candidate.copy()
    candidate[decided] = same_entity[first] - cases.borders[decided]
    return Choice(candidate, choice.confidence)


def _score_shares(cases: Cases, score: FloatArray) -> FloatArray:
    total = cases.sum_rows(score)[cases.row_case]
    return np.divide(score, total, out=1.0 / cases.row_size, where=total > 0)


def _sum_by_type(cases: Cases, share: FloatArray) -> FloatArray:
    """Return for each row the sum over the rows of its case that have its type."""
    n_types = int(cases.row_type.max()) + 1
    _, group = np.unique(cases.row_case * n_types + cases.row_type, return_inverse=True)
    return np.asarray(np.bincount(group, weights=share)[group])


def _unassigned_prior(cases: Cases) -> FloatArray:
    """Return the prior of each case that no candidate takes; all of it if there is no candidate."""
    highest = np.zeros(len(cases))
    np.maximum.at(highest, cases.row_case, cases.prior)
    return 1.0 - highest
