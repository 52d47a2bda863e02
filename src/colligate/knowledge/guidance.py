"""Guidance: knowledge compiled to numbers for the objects of one type.

Links are listed pairs (must-link, cannot-link), or groups whose pairs are implied and never listed. With M
the objects × groups incidence, c = M·1 the entries of each object, t and a the together and apart strengths,
the implied links act as  t·(M·Mᵀ − diag c)  and  a·(c·cᵀ − M·Mᵀ − diag(c² − c)):  two thin products instead
of pairs. What a kind of knowledge says about groups rather than objects is a `GroupGuidance`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colligate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
MAX_LEVELS = 8
"""Every level lists its entries again, so this bounds the memory and time that the levels take."""


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
    In entry e, object `member[e]` is in group `group[e]`, because of statement `statement[e]`; no
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
        """Return the entries that determine the group of an object: all but those of bridges."""
        _, position, count = np.unique(self.member, return_inverse=True, return_counts=True)
        if not self.apart or (count == 1).all():
            return self
        keep = count[position] == 1
        return replace(self, member=self.member[keep], group=self.group[keep], statement=self.statement[keep])


@dataclass(frozen=True, eq=False)
class Seeds:
    """Objects × categories: how strongly an object supports each category (seed words; the papers' F0).

    `statement` has the number of the statement behind each entry, in the order of `matrix.data`.
    """

    matrix: sparse.csr_array
    categories: tuple[str, ...]
    statement: IntArray


class GroupGuidance:
    """A kind of knowledge about groups, as numbers; each such kind has a subclass.

    `name` is its word in a method's `takes`. The run sees nothing but `arrays` and `group_names`: they also
    identify the guidance of a checkpoint.
    """

    name: ClassVar[str]

    @property
    def group_names(self) -> tuple[str, ...]:
        """The names of the groups it is about."""
        raise NotImplementedError

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All its numbers."""
        raise NotImplementedError


Piece = TypeVar("Piece", bound=GroupGuidance)


@dataclass(frozen=True, eq=False)
class Guidance:
    """All that is known about the objects of one type and their groups, as numbers.

    `labels` has -1 for an object without a label, and `label_statements` the statement that labels each
    object. `frozen` are positions of labelled objects that stay in their group, and whose labels say nothing
    about other objects. `outsiders` are positions; `outside` has further outsiders, which are no objects of
    the network, as counts over the terms of the type. `about_groups` has a piece for each kind that is about
    groups. `sources` has a number for the source of each statement of the whole knowledge, also of those
    about other types; -1 for labels that the program added. `by_model` marks the statements of language
    models in the same way.
    """

    size: int
    pairs: PairLinks = field(default_factory=PairLinks)
    groups: tuple[GroupLinks, ...] = ()
    seeds: Seeds | None = None
    labels: IntArray | None = None
    label_names: tuple[str, ...] = ()
    label_statements: IntArray | None = None
    frozen: IntArray = field(default_factory=_no_ints)
    outsiders: IntArray = field(default_factory=_no_ints)
    outside: sparse.csr_array | None = None
    about_groups: tuple[GroupGuidance, ...] = ()
    sources: IntArray = field(default_factory=_no_ints)
    by_model: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))

    @property
    def kinds(self) -> tuple[str, ...]:
        """What there is, in the words of a method's `takes`: links, categories, labels, sizes, …"""
        present = {
            "links": len(self.pairs) > 0 or any(len(links) for links in self.groups),
            "categories": self.seeds is not None,
            "labels": self.labels is not None,
            "outside": len(self.outsiders) > 0 or self.outside is not None,
            **{piece.name: True for piece in self.about_groups},
        }
        return tuple(name for name, is_present in present.items() if is_present)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known about these objects."""
        return not self.kinds

    def of_kind(self, piece_type: type[Piece]) -> Piece | None:
        """Return what is known about the groups in one form, such as `GroupSizes`; None without any."""
        return next((piece for piece in self.about_groups if isinstance(piece, piece_type)), None)

    def gain_and_loss(self, memberships: NDArray[Any]) -> tuple[FloatArray, FloatArray]:
        """Return the gain A·G and the loss B·G of memberships G: A the together, B the apart strengths.

        Multiplicative updates need the two apart: a single linear reward makes tri-factorisation diverge.
        """
        self._check_rows(memberships)
        G = np.asarray(memberships, dtype=np.float64)
        together, apart = self._pair_matrices
        gain, loss = together @ G, apart @ G
        for links, incidence in zip(self.groups, self._incidences, strict=True):
            _add_group_gain_and_loss(gain, loss, incidence, links.together, links.apart, G)
        return gain, loss

    def components(self) -> IntArray:
        """Return the number of each object's component under together-links, shared groups and equal labels.

        Objects of one component are to be in one cluster; components are numbered by their first object. A
        bridge does not join its groups.
        """
        return together_components(self)

    def label_groups(self, together: float = 1.0, apart: float = 1.0) -> GroupLinks | None:
        """Return the labels as implied links: equal labels together, different labels apart."""
        if self.labels is None:
            return None
        member = np.flatnonzero(self.labels >= 0).astype(np.int64)
        statement = np.full(self.size, -1) if self.label_statements is None else self.label_statements
        return GroupLinks(
            member, self.labels[member], self.label_names, statement[member], float(together), float(apart)
        )

    def seed_groups(self) -> tuple[GroupLinks, ...]:
        """Return the seeds as implied links: objects of one category together, none apart.

        Two objects of a category are linked by the weaker of their strengths. That is a sum over levels of
        strength: each adds its step from the one below to all objects of at least its strength. Where more
        than eight strengths occur, they are rounded down to eight of them, so that an object is listed at
        most eight times for each of its categories.
        """
        if self.seeds is None:
            return ()
        entries = sparse.coo_array(self.seeds.matrix)
        member, group = (np.asarray(side, dtype=np.int64) for side in entries.coords)
        names, statement = self.seeds.categories, self.seeds.statement
        return tuple(
            GroupLinks(member[reach], group[reach], names, statement[reach], step, 0.0)
            for reach, step in strength_levels(entries.data)
        )

    def with_groups(self, *groups: GroupLinks | None) -> Guidance:
        """Return the same guidance with more implied links; None adds nothing."""
        return replace(self, groups=(*self.groups, *(links for links in groups if links is not None)))

    @cached_property
    def _pair_matrices(self) -> tuple[sparse.csr_array, sparse.csr_array]:
        pairs = self.pairs
        together, apart = (
            _symmetric(pairs.left[chosen], pairs.right[chosen], pairs.strength[chosen], self.size)
            for chosen in (pairs.sign > 0, pairs.sign < 0)
        )
        return together, apart

    @cached_property
    def _incidences(self) -> tuple[sparse.csr_array, ...]:
        return tuple(
            _incidence(links.member, links.group, (self.size, len(links.names))) for links in self.groups
        )

    def _check_rows(self, rows: NDArray[Any]) -> None:
        if len(rows) != self.size:
            raise InputError(
                f"the knowledge is about {self.size} objects, but the array has {len(rows)} rows; give one "
                "row for each object"
            )


def _symmetric(left: NDArray[Any], right: NDArray[Any], strength: FloatArray, size: int) -> sparse.csr_array:
    """Return the symmetric matrix of listed pairs."""
    rows, columns = np.concatenate([left, right]), np.concatenate([right, left])
    entries = np.concatenate([strength, strength])
    return sparse.csr_array(sparse.coo_array((entries, (rows, columns)), shape=(size, size)))


def _incidence(member: NDArray[Any], group: NDArray[Any], shape: tuple[int, int]) -> sparse.csr_array:
    """Return objects × groups with a 1 where an object is a member."""
    return sparse.csr_array(sparse.coo_array((np.ones(len(member)), (member, group)), shape=shape))


def _add_group_gain_and_loss(
    gain: FloatArray, loss: FloatArray, M: sparse.csr_array, together: float, apart: float, G: FloatArray
) -> None:
    """Add the implied links to `gain` and `loss`, by sums per group.

    The sums contain the object itself, which is subtracted again; rounding may leave a little below zero, and
    multiplicative updates need non-negative parts, so the parts are cut at 0.
    """
    sums = M.T @ G
    through_groups = M @ sums
    c = _entries(M)[:, None]
    if together:
        gain += together * np.maximum(through_groups - c * G, 0)
    if apart:
        loss += apart * np.maximum(c * sums.sum(axis=0) - through_groups - c * (c - 1) * G, 0)


def _entries(M: sparse.csr_array) -> FloatArray:
    return np.diff(M.indptr).astype(np.float64)


def connected_nodes(n_nodes: int, left: IntArray, right: IntArray) -> IntArray:
    """Return the component of every node of an undirected graph, numbered by first node."""
    from scipy.sparse.csgraph import connected_components

    _, component = connected_components(adjacency(n_nodes, left, right), directed=False)
    return component.astype(np.int64)


def adjacency(n_nodes: int, left: IntArray, right: IntArray) -> sparse.csr_array:
    """Return the adjacency matrix of an undirected graph."""
    rows, columns = np.concatenate([left, right]), np.concatenate([right, left])
    # only where entries are counts: sums of parallel edges may wrap round, but stay entries
    ones = np.ones(len(rows), dtype=np.int8)
    return sparse.csr_array(sparse.coo_array((ones, (rows, columns)), shape=(n_nodes, n_nodes)))


def together_components(guidance: Guidance) -> IntArray:
    """Return the component of every object; groups and labels are nodes, so that no pair is listed."""
    edges = [(guidance.pairs.left[guidance.pairs.sign > 0], guidance.pairs.right[guidance.pairs.sign > 0])]
    n_nodes = guidance.size
    for links in (*guidance.groups, guidance.label_groups()):
        if links is not None and links.together > 0:
            # a bridge would join groups that are apart into one component
            certain = links.without_bridges()
            edges.append((certain.member, certain.group + n_nodes))
            n_nodes += len(links.names)
    left, right = (np.concatenate(side) for side in zip(*edges, strict=True))
    # nodes after the objects are groups and labels
    return connected_nodes(n_nodes, left, right)[: guidance.size]


def strength_levels(strengths: NDArray[Any]) -> Iterator[tuple[NDArray[np.int64], float]]:
    """Yield the entries that reach each level, with the level's step from the one below, lowest first.

    The steps that an entry reaches add up to its strength, rounded down to the nearest level.
    """
    levels = _levels(strengths)
    for level, step in zip(levels, np.diff(levels, prepend=0.0), strict=True):
        yield np.flatnonzero(strengths >= level).astype(np.int64), float(step)


def _levels(strengths: NDArray[Any]) -> NDArray[np.float64]:
    """Return all strengths that occur where these are few; else some, evenly by rank from the lowest."""
    occurring = np.unique(strengths).astype(np.float64)
    if len(occurring) <= MAX_LEVELS:
        return occurring
    return occurring[np.arange(MAX_LEVELS) * len(occurring) // MAX_LEVELS]
