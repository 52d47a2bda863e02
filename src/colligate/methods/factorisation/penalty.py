"""What memberships G of one type are asked beside the relations, with the two parts of its gradient.

    ρ·Σ_{k≠l} ⟨g_k, g_l⟩ + α·‖G_known − G0‖² + β·½Σ A_ij·‖g_i − g_j‖² + β·Σ B_ij·⟨g_i, g_j⟩

g_k are the columns of G, of unit length, and g_i its rows; A and B hold the links together and apart. Half
the gradient is loss − gain, both never negative, which is all that a multiplicative update needs. No term can
fall below 0, so that no knowledge, however strong, drives the memberships to infinity.

Knowledge as penalties: categories as anchors; links, and what implies links, as link penalties.

What each statement of knowledge costs at some memberships: the penalties, shared out among statements.

A listed link has its own cost. The cost of an implied link is halved between the memberships that imply it,
the cost of an anchored object split evenly among the categories it was told. The costs of all statements add
up to the penalty.

What weights of knowledge are relative to: per group, all there is to explain, and what groups can explain.

Of tf-idf rows, groups explain a few hundredths. A link that weighs as much as the whole row is then obeyed at
any price, by moving objects to whatever group is free of it, and the words have no say. So links are weighed
by what groups can explain at best: the squares of as many leading singular values as there are groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import GroupLinks, Guidance
    from colligate.methods.factorisation.problem import FactorRelation

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


POWER_STEPS = 2


class PenaltyTerms(NamedTuple):
    """A part of the objective at some memberships: its value, and half its gradient as loss − gain."""

    value: float
    gain: Floats
    loss: Floats


@dataclass(frozen=True, eq=False)
class Anchor:
    """α·‖G − G0‖² over the objects of which something is known; the others are free.

    Statement `statement[e]` told something of the known object number `owner[e]`.
    """

    known: Ints
    target: Floats
    weight: float
    owner: Ints
    statement: Ints

    def add_to(self, terms: PenaltyTerms, G: Floats) -> PenaltyTerms:
        """Add the pull of the known rows."""
        terms.gain[self.known] += self.weight * self.target
        terms.loss[self.known] += self.weight * G[self.known]
        apart = float(np.square(G[self.known] - self.target).sum())
        return terms._replace(value=terms.value + self.weight * apart)


@dataclass(frozen=True, eq=False)
class LinkPenalty:
    """Links through the `split` face of guidance, so that implied pairs are never listed.

    The links of an object share its weight: A_ij is the strength times scale_i·scale_j, with scale 1/√(sum of
    the object's strengths) where that is above 1, and `degree` holds the row sums of A.
    """

    guidance: Guidance
    scale: Floats
    degree: Floats
    weight: float

    @classmethod
    def of(cls, guidance: Guidance, weight: float) -> LinkPenalty:
        """Find the scales and degrees."""
        together, apart = guidance.gain_and_loss(np.ones((guidance.size, 1)))
        scale = 1.0 / np.sqrt(np.maximum(together + apart, 1.0))
        return cls(guidance, scale, scale * guidance.gain_and_loss(scale)[0], weight)

    def add_to(self, terms: PenaltyTerms, G: Floats) -> PenaltyTerms:
        """Charge tied objects for memberships that differ, and separate ones for those they share."""
        together, apart = self.guidance.gain_and_loss(self.scale * G)
        gain = self.weight * self.scale * together
        loss = self.weight * (self.degree * G + self.scale * apart)
        value = terms.value + float(np.vdot(G, loss - gain))
        return PenaltyTerms(value, terms.gain + gain, terms.loss + loss)


@dataclass(frozen=True, eq=False)
class PartialGram:
    """tr(G·Q·Gᵀ) over the objects that a relation speaks of: what it charges for explaining too much."""

    there: Bools
    Q: Floats

    def add_to(self, terms: PenaltyTerms, G: Floats) -> PenaltyTerms:
        """Charge the rows that are there."""
        own = G[self.there]
        terms.gain[self.there] += own @ np.maximum(-self.Q, 0.0)
        terms.loss[self.there] += own @ np.maximum(self.Q, 0.0)
        return terms._replace(value=terms.value + float(np.vdot(own.T @ own, self.Q)))


@dataclass(frozen=True, eq=False)
class Penalty:
    """All that is asked of the memberships of one type."""

    orthogonality: float
    asked: tuple[Anchor | LinkPenalty | PartialGram, ...] = ()

    def and_for(self, parts: Iterable[PartialGram]) -> Penalty:
        """The same with what relations that speak of some objects alone ask of them."""
        return Penalty(self.orthogonality, (*self.asked, *parts))

    def charges(self, n_clusters: int) -> Floats:
        """What each overlap of two columns costs: ρ for those of different ones."""
        return self.orthogonality * (1.0 - np.eye(n_clusters))

    def charge(self, gram: Floats) -> float:
        """What the overlaps of all columns cost."""
        return float(np.vdot(self.charges(len(gram)), gram))

    def terms(self, G: Floats) -> PenaltyTerms | None:
        """Value, gain and loss at G of all that is asked but orthogonality; None where nothing is."""
        if not self.asked:
            return None
        terms = PenaltyTerms(0.0, np.zeros_like(G), np.zeros_like(G))
        for part in self.asked:
            terms = part.add_to(terms, G)
        return terms

    def value(self, G: Floats, gram: Floats) -> float:
        """All that is asked, at memberships with these overlaps of columns."""
        told = self.terms(G)
        return self.charge(gram) + (0.0 if told is None else told.value)


def make_anchors(guidance: Guidance, size: int, weight: float) -> tuple[Anchor, ...]:
    """Categories as G0: a column of unit length for each, in the order of the categories; none without any.

    Objects in no category are not anchored. Groups beyond the categories are open to them alone.
    """
    if guidance.seeds is None or not weight:
        return ()
    seeds = guidance.seeds.matrix
    length = np.sqrt(np.asarray(seeds.multiply(seeds).sum(axis=0)).ravel())
    known = np.flatnonzero(np.diff(seeds.indptr))
    target = np.zeros((len(known), size))
    target[:, : seeds.shape[1]] = seeds[known].toarray() / np.where(length > 0, length, 1.0)
    owner = np.repeat(np.arange(len(known)), np.diff(seeds.indptr)[known])
    return (Anchor(known, target, weight, owner, guidance.seeds.statement),)


def make_link_penalties(guidance: Guidance, weight: float, *, categories: bool) -> tuple[LinkPenalty, ...]:
    """Links and labels and, if asked, `categories`, whose members are then linked together."""
    linked = guidance.with_groups(guidance.label_groups(), *(guidance.seed_groups() if categories else ()))
    if not weight or not (len(linked.pairs) or linked.groups):
        return ()
    return (LinkPenalty.of(linked, weight),)


def statement_costs(penalty: Penalty, G: Floats, n_statements: int) -> Floats:
    """The cost of each statement behind a penalty."""
    costs = np.zeros(n_statements)
    for statement, cost in _shares(penalty, G):
        said = statement >= 0
        np.add.at(costs, statement[said], cost[said])
    return costs


def _shares(penalty: Penalty, G: Floats) -> Iterator[tuple[Ints, Floats]]:
    for part in penalty.asked:
        if isinstance(part, Anchor):
            yield _of_anchors(part, G)
        elif isinstance(part, LinkPenalty):
            yield from _of_links(part, G)


def _of_anchors(part: Anchor, G: Floats) -> tuple[Ints, Floats]:
    whole = part.weight * np.square(G[part.known] - part.target).sum(axis=1)
    told = np.bincount(part.owner, minlength=len(part.known))
    return part.statement, (whole / told)[part.owner]


def _of_links(part: LinkPenalty, G: Floats) -> Iterator[tuple[Ints, Floats]]:
    pairs, scale = part.guidance.pairs, part.scale.ravel()
    left, right = G[pairs.left], G[pairs.right]
    differ, shared = np.square(left - right).sum(axis=1), 2.0 * (left * right).sum(axis=1)
    strength = part.weight * pairs.strength * scale[pairs.left] * scale[pairs.right]
    yield pairs.statement, strength * np.where(pairs.sign > 0, differ, shared)
    for links in part.guidance.groups:
        yield links.statement, part.weight * _of_members(links, scale, G)


def _of_members(links: GroupLinks, scale: Floats, G: Floats) -> Floats:
    """Half of what each membership's implied links cost, by sums over groups.

    Over the members j of a group, Σ scale_j·‖g_i − g_j‖² needs the sums of scale, scale·g and scale·‖g‖²
    alone; the links apart need the sums of scale·g over all other groups.
    """
    member, group, n_groups = links.member, links.group, len(links.names)
    own, weight = G[member], scale[member]
    length = np.square(own).sum(axis=1)
    mass, lengths = (np.bincount(group, values, n_groups) for values in (weight, weight * length))
    sums = np.zeros((n_groups, G.shape[1]))
    np.add.at(sums, group, weight[:, None] * own)
    inside = (own * sums[group]).sum(axis=1)
    differ = length * mass[group] - 2.0 * inside + lengths[group]
    others = np.bincount(member, minlength=len(G))[member] - 1.0
    shared = own @ sums.sum(axis=0) - inside - others * weight * length
    return np.asarray(weight * (0.5 * links.together * differ + links.apart * shared))


class Scale(NamedTuple):
    """Per group: the squared norm of the relations of a type, and the part that groups can explain."""

    whole: float
    explained: float


def measure_scale(
    kind: str, pieces: Iterable[FactorRelation], sizes: Mapping[str, int], *, known: bool
) -> Scale:
    """The scale of one type; what can be explained is found only where something is `known` to be weighed."""
    own = [piece for piece in pieces if kind in (piece.rows, piece.columns)]
    whole = sum(piece.squared_norm for piece in own)
    explained = sum(explainable_norm(piece, _rank(piece, sizes)) for piece in own) if known else whole
    return Scale(whole / sizes[kind], explained / sizes[kind])


def explainable_norm(piece: FactorRelation, rank: int) -> float:
    """The weighted sum of the squares of the leading singular values."""
    from sklearn.utils.extmath import randomized_svd

    rank = min(rank, *piece.matrix.shape)
    _, values, _ = randomized_svd(piece.matrix, rank, n_iter=POWER_STEPS, random_state=0)
    return piece.weight * float(np.square(values).sum())


def _rank(piece: FactorRelation, sizes: Mapping[str, int]) -> int:
    """A product G_p·S·G_qᵀ has the rank of its smaller side; types that are not grouped set no limit."""
    return min(sizes[kind] for kind in (piece.rows, piece.columns) if kind in sizes)
