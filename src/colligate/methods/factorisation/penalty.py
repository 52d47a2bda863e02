"""Penalties on the memberships G of one type: orthogonality, categories and links (docs: tnmf, eq. 2).

    ρ·Σ_{k≠l} ⟨g_k, g_l⟩ + α·‖G_known − G0‖² + β·½Σ A_ij·‖g_i − g_j‖² + β·Σ B_ij·⟨g_i, g_j⟩

g_k are the columns of G, of unit length, and g_i its rows; A and B hold the links together and apart. Half
the gradient is loss − gain, both non-negative, as a multiplicative update needs it (eq. 4). No term can fall
below 0, so no knowledge, however strong, drives the memberships to infinity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from colligate.kernels.arrays import to_host

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import GroupLinks, Guidance
    from colligate.methods.factorisation.problem import FactorRelation

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# power iterations of the decomposition behind a weight: a rough norm is enough
POWER_ITERATIONS = 2


class PenaltyTerms(NamedTuple):
    """A part of the objective: its value, and half its gradient as loss − gain."""

    value: float
    gain: Floats
    loss: Floats


@dataclass(frozen=True, eq=False)
class Anchor:
    """α·‖G − G0‖² over the objects in categories; all other objects are free.

    In entry e, `statement[e]` names the anchored object number `owner[e]`.
    """

    where: Ints
    G0: Floats
    alpha: float
    owner: Ints
    statement: Ints

    def add_to(self, terms: PenaltyTerms, G: Floats) -> PenaltyTerms:
        """Pull the anchored rows to G0."""
        # `where` has no repeats, so that += reaches every row
        terms.gain[self.where] += self.alpha * self.G0
        terms.loss[self.where] += self.alpha * G[self.where]
        distance = float(np.square(G[self.where] - self.G0).sum())
        return terms._replace(value=terms.value + self.alpha * distance)

    def costs(self, G: Floats) -> tuple[Ints, Floats]:
        """Split the cost of each anchored object evenly among the statements that name it."""
        cost = self.alpha * np.square(G[self.where] - self.G0).sum(axis=1)
        n_statements = np.bincount(self.owner, minlength=len(self.where))
        return self.statement, (cost / n_statements)[self.owner]


@dataclass(frozen=True, eq=False)
class LinkPenalty:
    """β·½Σ A_ij·‖g_i − g_j‖² + β·Σ B_ij·⟨g_i, g_j⟩, with implied pairs never listed.

    The links of an object share its weight: A_ij is the strength times scale_i·scale_j, where the scale is
    1/√(sum of the object's strengths) if that sum is above 1. `degree` has D_A, the row sums of A.
    """

    guidance: Guidance
    scale: Floats
    degree: Floats
    beta: float

    @classmethod
    def of(cls, guidance: Guidance, beta: float) -> LinkPenalty:
        """Compute the scales and degrees."""
        together, apart = guidance.gain_and_loss(np.ones((guidance.size, 1)))
        scale = 1.0 / np.sqrt(np.maximum(together + apart, 1.0))
        return cls(guidance, scale, scale * guidance.gain_and_loss(scale)[0], beta)

    @classmethod
    def as_printed(cls, guidance: Guidance, beta: float) -> LinkPenalty:
        """Return the reward −β·tr GᵀAG + β·tr GᵀBG of the word-space paper: no degrees, every link whole."""
        ones = np.ones((guidance.size, 1))
        return cls(guidance, ones, np.zeros_like(ones), beta)

    def add_to(self, terms: PenaltyTerms, G: Floats) -> PenaltyTerms:
        """Charge objects linked together for different memberships, and those apart for shared ones."""
        AG, BG = self.guidance.gain_and_loss(self.scale * G)
        gain = self.beta * self.scale * AG
        loss = self.beta * (self.degree * G + self.scale * BG)
        # the value of a quadratic form is ⟨G, half its gradient⟩
        value = terms.value + float(np.vdot(G, loss - gain))
        return PenaltyTerms(value, terms.gain + gain, terms.loss + loss)

    def costs(self, G: Floats) -> Iterator[tuple[Ints, Floats]]:
        """Yield statements and costs: a listed link its cost, a membership half of what it implies."""
        pairs, scale = self.guidance.pairs, self.scale.ravel()
        left, right = G[pairs.left], G[pairs.right]
        # eq. 2 sums over i and j, so it has each pair twice; the ½ before ‖g_i − g_j‖² makes up for that
        differ, shared = np.square(left - right).sum(axis=1), 2.0 * (left * right).sum(axis=1)
        strength = self.beta * pairs.strength * scale[pairs.left] * scale[pairs.right]
        yield pairs.statement, strength * np.where(pairs.sign > 0, differ, shared)
        for links in self.guidance.groups:
            yield links.statement, self.beta * _membership_costs(links, scale, G)


def _membership_costs(links: GroupLinks, scale: Floats, G: Floats) -> Floats:
    """Return half the cost of the implied links of each membership, by sums over groups.

    Over the members j of a group, Σ scale_j·‖g_i − g_j‖² needs only the sums of scale, scale·g and
    scale·‖g‖²; the links apart need the sums of scale·g over all other groups.
    """
    member, group, n_groups = links.member, links.group, len(links.names)
    g, weight = G[member], scale[member]
    length = np.square(g).sum(axis=1)
    mass, lengths = (np.bincount(group, values, n_groups) for values in (weight, weight * length))
    sums = np.zeros((n_groups, G.shape[1]))
    np.add.at(sums, group, weight[:, None] * g)
    inside = (g * sums[group]).sum(axis=1)
    differ = length * mass[group] - 2.0 * inside + lengths[group]
    # an object in several groups meets itself in them, which is no link
    other_groups = np.bincount(member, minlength=len(G))[member] - 1.0
    shared = g @ sums.sum(axis=0) - inside - other_groups * weight * length
    return np.asarray(weight * (0.5 * links.together * differ + links.apart * shared))


@dataclass(frozen=True, eq=False)
class PartialGram:
    """tr(G·Q·Gᵀ) over the objects present in a relation: the part of eq. 3 that holds for these only."""

    present: Bools
    Q: Floats

    def add_to(self, terms: PenaltyTerms, G: Floats) -> PenaltyTerms:
        """Charge the present rows."""
        G_present = G[self.present]
        terms.gain[self.present] += G_present @ np.maximum(-self.Q, 0.0)
        terms.loss[self.present] += G_present @ np.maximum(self.Q, 0.0)
        return terms._replace(value=terms.value + float(np.vdot(G_present.T @ G_present, self.Q)))


@dataclass(frozen=True, eq=False)
class Penalty:
    """All penalties of one type: ρ, and the parts that knowledge and partial relations add."""

    rho: float
    parts: tuple[Anchor | LinkPenalty | PartialGram, ...] = ()

    def extend(self, partial: Iterable[PartialGram]) -> Penalty:
        """Return the penalty with the parts of relations in which only some objects are present."""
        return Penalty(self.rho, (*self.parts, *partial))

    def overlap_costs(self, n_clusters: int) -> Floats:
        """Return the cost of each overlap of two columns: ρ for different ones."""
        return self.rho * (1.0 - np.eye(n_clusters))

    def evaluate(self, G: Floats) -> PenaltyTerms | None:
        """Return value, gain and loss of all parts but orthogonality; None if there are none."""
        if not self.parts:
            return None
        # statements are about few objects, which are looked up on the host
        G = to_host(G)
        # new arrays, because the parts add to them in place
        terms = PenaltyTerms(0.0, np.zeros_like(G), np.zeros_like(G))
        for part in self.parts:
            terms = part.add_to(terms, G)
        return terms

    def value(self, G: Floats, gram: Floats) -> float:
        """Return the whole penalty of memberships with this Gram matrix."""
        terms = self.evaluate(G)
        overlaps = float(np.vdot(self.overlap_costs(len(gram)), gram))
        return overlaps + (0.0 if terms is None else terms.value)


def make_anchors(guidance: Guidance, n_clusters: int, alpha: float) -> tuple[Anchor, ...]:
    """Return categories as G0, with a column of unit length each; nothing without categories.

    Objects in no category are not anchored. Groups beyond the categories are open to them only.
    """
    if guidance.seeds is None or not alpha:
        return ()
    seeds = guidance.seeds.matrix
    length = np.sqrt(np.asarray(seeds.multiply(seeds).sum(axis=0)).ravel())
    where = np.flatnonzero(np.diff(seeds.indptr))
    G0 = np.zeros((len(where), n_clusters))
    G0[:, : seeds.shape[1]] = seeds[where].toarray() / np.where(length > 0, length, 1.0)
    owner = np.repeat(np.arange(len(where)), np.diff(seeds.indptr)[where])
    return (Anchor(where, G0, alpha, owner, guidance.seeds.statement),)


def make_link_penalties(
    guidance: Guidance, beta: float, *, categories: bool, printed: bool = False
) -> tuple[LinkPenalty, ...]:
    """Return links and labels as a penalty; with `categories`, their members are linked together too."""
    linked = guidance.with_groups(guidance.label_groups(), *(guidance.seed_groups() if categories else ()))
    if not beta or not (len(linked.pairs) or linked.groups):
        return ()
    return (LinkPenalty.as_printed(linked, beta) if printed else LinkPenalty.of(linked, beta),)


def statement_costs(penalty: Penalty, G: Floats, n_statements: int) -> Floats:
    """Return the cost of each statement; all costs sum to the penalty of the knowledge."""
    costs = np.zeros(n_statements)
    for statement, cost in _split_costs(penalty, G):
        # memberships that come from no statement have -1
        stated = statement >= 0
        np.add.at(costs, statement[stated], cost[stated])
    return costs


def _split_costs(penalty: Penalty, G: Floats) -> Iterator[tuple[Ints, Floats]]:
    for part in penalty.parts:
        if isinstance(part, Anchor):
            yield part.costs(G)
        elif isinstance(part, LinkPenalty):
            yield from part.costs(G)


class Scale(NamedTuple):
    """Per group: the squared norm of the relations of a type, and the part that groups can explain.

    Of tf-idf rows, groups explain a few hundredths. A link with the weight of a whole row would be kept at
    any price, by moving objects to whatever group has no links, whatever their words. So links are weighed
    by what groups can explain at best: the squares of as many leading singular values as there are groups.
    """

    whole: float
    explained: float


def measure_scale(
    kind: str, relations: Iterable[FactorRelation], sizes: Mapping[str, int], *, guided: bool
) -> Scale:
    """Return the scale of one type; the explained part is computed only for a `guided` type."""
    of_kind = [relation for relation in relations if kind in (relation.rows, relation.columns)]
    whole = sum(relation.squared_norm for relation in of_kind)
    explained = whole
    if guided:
        # G_p·S·G_qᵀ has the rank of its smaller side; a type that is not clustered sets no limit
        ranks = [min(sizes[side] for side in (r.rows, r.columns) if side in sizes) for r in of_kind]
        explained = sum(explainable_norm(r, rank) for r, rank in zip(of_kind, ranks, strict=True))
    return Scale(whole / sizes[kind], explained / sizes[kind])


def explainable_norm(relation: FactorRelation, rank: int) -> float:
    """Return the weighted sum of the squares of the leading singular values."""
    from sklearn.utils.extmath import randomized_svd

    rank = min(rank, *relation.matrix.shape)
    _, values, _ = randomized_svd(relation.matrix, rank, n_iter=POWER_ITERATIONS, random_state=0)
    return relation.weight * float(np.square(values).sum())
