"""Guidance: knowledge compiled to numbers for the objects of one type.

Links are kept as listed pairs or as groups whose pairs are implied and never listed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colligate.errors import InputError
from colligate.knowledge import closure, faces, levels

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


def _no_ints() -> IntArray:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class PairLinks:
    """Listed links. `sign` is +1 for together and -1 for apart; `left` < `right`; no pair of a sign twice."""

    left: IntArray = field(default_factory=_no_ints)
    right: IntArray = field(default_factory=_no_ints)
    sign: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, dtype=np.int8))
    strength: FloatArray = field(default_factory=lambda: np.zeros(0))
    statement: IntArray = field(default_factory=_no_ints)

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True, eq=False)
class GroupLinks:
    """Implied links: members of one group belong together, members of different groups apart.

    `together` and `apart` are the strengths of one implied pair; 0 switches that sign off.
    Entry e says that object `member[e]` is in group `group[e]`, because of statement `statement[e]`; no
    entry twice. An object in several groups that are apart is a bridge: its links pull both ways, and their
    strengths decide.
    """

    member: IntArray
    group: IntArray
    names: tuple[str, ...]
    statement: IntArray
    together: float = 1.0
    apart: float = 0.0

    def __len__(self) -> int:
        return len(self.member)

    def without_bridges(self) -> GroupLinks:
        """The entries that say for certain where an object belongs: all but those of bridges."""
        _, at, count = np.unique(self.member, return_inverse=True, return_counts=True)
        if not self.apart or (count == 1).all():
            return self
        keep = count[at] == 1
        return replace(self, member=self.member[keep], group=self.group[keep], statement=self.statement[keep])


@dataclass(frozen=True, eq=False)
class Leanings:
    """Objects × categories: how strongly an object leans to each category (the papers' F0).

    `statement` holds the number of the statement behind each entry, in the order of `matrix.data`.
    """

    matrix: sparse.csr_array
    categories: tuple[str, ...]
    statement: IntArray


@dataclass(frozen=True, eq=False)
class Guidance:
    """All that is known about the objects of one type, as numbers.

    `labels` holds -1 for an object without a label, and `label_statements` the statement that labels each
    object. `outsiders` are positions; `outside` holds further outsiders, which are no objects of the network,
    as counts over the terms of the type.
    """

    size: int
    pairs: PairLinks = field(default_factory=PairLinks)
    groups: tuple[GroupLinks, ...] = ()
    leanings: Leanings | None = None
    labels: IntArray | None = None
    label_names: tuple[str, ...] = ()
    label_statements: IntArray | None = None
    outsiders: IntArray = field(default_factory=_no_ints)
    outside: sparse.csr_array | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """What there is, in the words of a method's `takes`: links, categories, labels, outside."""
        present = {
            "links": len(self.pairs) > 0 or any(len(links) for links in self.groups),
            "categories": self.leanings is not None,
            "labels": self.labels is not None,
            "outside": len(self.outsiders) > 0 or self.outside is not None,
        }
        return tuple(name for name, there in present.items() if there)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known about these objects."""
        return not self.kinds

    def pull(self, labels: NDArray[Any], n_clusters: int) -> FloatArray:
        """What the links add to the score of each object in each cluster, the others staying where they are.

        Entry (i, k) is the strength of i's together-partners now in cluster k less that of its
        apart-partners there. A label of -1 is in no cluster. An object is no partner of itself.
        """
        self._check_rows(labels)
        placed = faces.one_hot(labels, n_clusters)
        together, apart = self._pair_matrices
        score: FloatArray = ((together - apart) @ placed).toarray()
        for links, incidence in zip(self.groups, self._incidences, strict=True):
            faces.add_group_pull(score, incidence, links.together, links.apart, placed)
        return score

    def split(self, memberships: NDArray[Any]) -> tuple[FloatArray, FloatArray]:
        """The gain A·G and the loss B·G of memberships G, with A the together and B the apart strengths."""
        self._check_rows(memberships)
        G = np.asarray(memberships, dtype=np.float64)
        together, apart = self._pair_matrices
        gain, loss = together @ G, apart @ G
        for links, incidence in zip(self.groups, self._incidences, strict=True):
            faces.add_group_split(gain, loss, incidence, links.together, links.apart, G)
        return gain, loss

    def components(self) -> IntArray:
        """The number of each object's component under its together-links, shared groups and equal labels.

        Objects of one component are to be in one cluster; components are numbered by their first object. A
        bridge does not join its groups.
        """
        return closure.components_of(self)

    def label_groups(self, together: float = 1.0, apart: float = 1.0) -> GroupLinks | None:
        """The labels as implied links: equal labels together, different labels apart."""
        if self.labels is None:
            return None
        member = np.flatnonzero(self.labels >= 0).astype(np.int64)
        statement = np.full(self.size, -1) if self.label_statements is None else self.label_statements
        return GroupLinks(
            member, self.labels[member], self.label_names, statement[member], float(together), float(apart)
        )

    def leaning_groups(self) -> tuple[GroupLinks, ...]:
        """The leanings as implied links: objects that lean to one category together, none apart.

        Two objects of a category are linked by the weaker of their strengths. That is a sum over levels of
        strength: each adds its step from the one below to all objects that lean at least so much. Where more
        than eight strengths occur, they are rounded down to eight of them, so that an object is listed at
        most eight times for each of its categories.
        """
        if self.leanings is None:
            return ()
        entries = sparse.coo_array(self.leanings.matrix)
        member, group = (np.asarray(side, dtype=np.int64) for side in entries.coords)
        names, statement = self.leanings.categories, self.leanings.statement
        return tuple(
            GroupLinks(member[reach], group[reach], names, statement[reach], step, 0.0)
            for reach, step in levels.nested(entries.data)
        )

    def with_groups(self, *groups: GroupLinks | None) -> Guidance:
        """The same guidance with more implied links; None adds nothing."""
        return replace(self, groups=(*self.groups, *(links for links in groups if links is not None)))

    @cached_property
    def _pair_matrices(self) -> tuple[sparse.csr_array, sparse.csr_array]:
        pairs = self.pairs
        together, apart = (
            faces.symmetric(pairs.left[chosen], pairs.right[chosen], pairs.strength[chosen], self.size)
            for chosen in (pairs.sign > 0, pairs.sign < 0)
        )
        return together, apart

    @cached_property
    def _incidences(self) -> tuple[sparse.csr_array, ...]:
        return tuple(
            faces.incidence(links.member, links.group, (self.size, len(links.names))) for links in self.groups
        )

    def _check_rows(self, rows: NDArray[Any]) -> None:
        if len(rows) != self.size:
            raise InputError(f"the guidance is about {self.size} objects; got {len(rows)} of them")
