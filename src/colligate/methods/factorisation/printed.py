"""The updates of the word-space and triplet papers as they are printed (docs: cp, cp-links, ssnmf).

These serve `reading="printed"`: no penalty on overlapping columns, no unit columns, one multiplicative step a
factor and iteration. Where a printed formula cannot be computed, the page of the method says what stands in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from colligate._array import one_hot
from colligate.errors import InputError
from colligate.kernels import SparseRows
from colligate.methods.factorisation.metric import ROUNDING, latent_rows, link_scatters, linked_pairs
from colligate.methods.factorisation.penalty import Anchor, LinkPenalty
from colligate.methods.factorisation.problem import FactorRelation, Factors, assign_groups
from colligate.methods.factorisation.start import initialize_labels
from colligate.methods.factorisation.trifactorisation import pack_factors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.knowledge import Guidance
    from colligate.methods.factorisation.problem import FactorProblem
    from colligate.methods.loop import Labels, State
    from colligate.network import Network

    Floats = NDArray[np.float64]

# added to the 0/1 memberships of k-means, after Ding, Li, Peng and Park (2006): with exact zeros, which a
# multiplicative step keeps, no document could ever leave its first group
SOFT_START = 0.2
# the paper has no ridge, but the differences of linked rows span fewer directions than there are words
RIDGE = 0.1
# entries of a projected relation, which is dense: 400 MB
MAX_ENTRIES = 50_000_000
# below this a denominator, or a length, is 0
TINY = 1e-300


def check_one_relation(name: str, network: Network) -> None:
    """Refuse a network for which the paper has no update."""
    if len(network.relations) != 1:
        raise InputError(
            f"{name} with reading='printed' takes one relation, documents × words, as its paper does; this "
            f"network has {len(network.relations)}. Leave reading out, or pass one relation only"
        )


def without_orthogonality(problem: FactorProblem) -> FactorProblem:
    """Return the problem without the penalty on overlapping columns, and with non-negative associations."""
    penalties = {kind: replace(penalty, rho=0.0) for kind, penalty in problem.penalties.items()}
    return replace(problem, penalties=penalties, signed=False)


def start_from_kmeans(problem: FactorProblem, inits: dict[Any, Any], rng: np.random.Generator) -> Factors:
    """Return F = F0, G by k-means, and S = [(GᵀG)⁻¹·GᵀXF·(FᵀF)⁻¹]₊; without categories F by k-means."""
    memberships = {}
    for kind, n_clusters in problem.n_clusters_by_type.items():
        F0 = _category_memberships(problem, kind)
        if F0 is None:
            # `auto` would let knowledge shape the start, which the paper does not
            init = "tfidf" if isinstance(inits[kind], str) and inits[kind] == "auto" else inits[kind]
            F0 = _soft_memberships(initialize_labels(problem, kind, init, rng), n_clusters)
        memberships[kind] = F0
    relation, crude = problem.relations[0], Factors(memberships)
    G_p, G_q = memberships[relation.rows], memberships[relation.columns]
    # pseudo-inverses, since a category without words is a column of zeros
    S = np.linalg.pinv(G_p.T @ G_p) @ problem.cross(0, crude) @ np.linalg.pinv(G_q.T @ G_q)
    return Factors(memberships, (np.maximum(S, 0.0),))


def _category_memberships(problem: FactorProblem, kind: str) -> Floats | None:
    for part in problem.penalties[kind].parts:
        if isinstance(part, Anchor):
            F0 = np.zeros((len(problem.network.types[kind]), problem.n_clusters_by_type[kind]))
            F0[part.where] = part.G0
            return F0
    return None


def _soft_memberships(labels: Labels, n_clusters: int) -> Floats:
    """Return unit columns of k-means labels plus 0.2; zeros for objects in no group."""
    G = np.asarray(one_hot(labels, n_clusters).todense(), dtype=np.float64)
    G[labels >= 0] += SOFT_START
    return np.asarray(G / np.maximum(np.sqrt(np.square(G).sum(axis=0)), TINY))


def sweep_word_space(problem: FactorProblem, factors: Factors) -> Factors:
    """Update G (eq. 8), F (eq. 10, or eq. 18 with links) and S (eq. 9) of the word-space paper in turn."""
    relation = problem.relations[0]
    documents, words, S = relation.rows, relation.columns, factors.associations[0]
    G, F = factors.memberships[documents], factors.memberships[words]
    A = problem.product(0, F, transposed=False) @ S.T
    G = G * _ratio(A, G @ (G.T @ A))  # eq. 8
    C = problem.product(0, G, transposed=True) @ S
    gain, loss, linked = _knowledge_terms(problem, words, F)
    gain = C + gain
    step = _ratio(gain, F @ (F.T @ gain) + loss)
    # eq. 18 has a root and eq. 10 has none. Of the printed denominator of eq. 18, −γ·F·FᵀBF is left out: with
    # it the denominator turns negative
    F = F * (np.sqrt(step) if linked else step)
    if linked:
        F = np.asarray(F / np.maximum(np.sqrt(np.square(F).sum(axis=0)), TINY))
    factors = Factors({documents: G, words: F}, (S,))
    S = S * _ratio(problem.cross(0, factors), (G.T @ G) @ S @ (F.T @ F))  # eq. 9
    return Factors(factors.memberships, (S,))


def _knowledge_terms(problem: FactorProblem, kind: str, F: Floats) -> tuple[Floats, Floats, bool]:
    """Return α·F0 + β·AF, γ·BF (γ = β), and whether there are links."""
    gain, loss, linked = np.zeros_like(F), np.zeros_like(F), False
    for part in problem.penalties[kind].parts:
        if isinstance(part, Anchor):
            gain[part.where] += part.alpha * part.G0
        elif isinstance(part, LinkPenalty):
            AF, BF = part.guidance.gain_and_loss(F)
            gain, loss, linked = gain + part.beta * AF, loss + part.beta * BF, True
    return gain, loss, linked


def start_at_random(problem: FactorProblem, rng: np.random.Generator) -> Factors:
    """Return non-negative values drawn between 0 and 1 for all factors, as the triplet paper starts."""
    sizes = problem.n_clusters_by_type
    memberships = {}
    for kind, size in sizes.items():
        drawn = rng.random((len(problem.network.types[kind]), size))
        memberships[kind] = np.where(problem.filled[kind][:, None], drawn, 0.0)
    shapes = [(sizes[relation.rows], sizes[relation.columns]) for relation in problem.relations]
    return Factors(memberships, tuple(rng.random(shape) for shape in shapes))


def sweep_triplet(problem: FactorProblem, factors: Factors) -> Factors:
    """Update words (eq. 6), documents (eq. 7), categories (eq. 8), then associations (eqs. 9, 10) in turn."""
    centre, terms = problem.network.centre, problem.network.terms
    others = [kind for kind in problem.n_clusters_by_type if kind not in (centre, terms)]
    for kind in (terms, centre, *others):
        factors = factors.with_memberships(str(kind), _step_triplet(problem, factors, str(kind)))
    associations = []
    for number, relation in enumerate(problem.relations):
        G_p, G_q = factors.memberships[relation.rows], factors.memberships[relation.columns]
        S = factors.associations[number]
        associations.append(S * _ratio(problem.cross(number, factors), (G_p.T @ G_p) @ S @ (G_q.T @ G_q)))
    return Factors(factors.memberships, tuple(associations))


def _step_triplet(problem: FactorProblem, factors: Factors, kind: str) -> Floats:
    """Return G ∘ (Σ_r R̃·G_q·Sᵀ) / (Σ_r G·S·G_qᵀG_q·Sᵀ), the form of eqs. 6, 7 and 8."""
    G = factors.memberships[kind]
    gain, loss = np.zeros_like(G), np.zeros_like(G)
    for number, relation in enumerate(problem.relations):
        if kind not in (relation.rows, relation.columns):
            continue
        across = relation.columns == kind
        G_q = factors.memberships[relation.rows if across else relation.columns]
        S = factors.associations[number].T if across else factors.associations[number]
        gain += problem.product(number, G_q, transposed=across) @ S.T
        loss += G @ (S @ (G_q.T @ G_q) @ S.T)
    return G * _ratio(gain, loss)


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotient, and 0 where the denominator is 0: its factor is 0 there as well."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > TINY)


def pack_printed(problem: FactorProblem, factors: Factors, before: State | None = None) -> State:
    """Return the factors as a state; an object whose memberships are all 0 keeps its group of `before`.

    Such are words that the categories leave out, which F = F0 has at 0: they are in no group at all.
    """
    state = pack_factors(problem, factors)
    labels = {}
    for kind, G in factors.memberships.items():
        placed = problem.filled[kind] & G.any(axis=1)
        earlier = np.full(len(G), -1, dtype=np.int32) if before is None else before.labels[kind]
        labels[kind] = np.where(placed, assign_groups(G, placed), earlier).astype(np.int32)
    return replace(state, labels=labels)


@dataclass(frozen=True, eq=False)
class Projection:
    """√L = U·Uᵀ of a metric L of fixed rank."""

    U: Floats

    def apply(self, G: Floats) -> Floats:
        """Return √L·G, with which rows that are not projected are to be multiplied."""
        return np.asarray(self.U @ (self.U.T @ G))


@dataclass(frozen=True, eq=False)
class ProjectedRelation(FactorRelation):
    """A relation whose rows are R̃ = max(R·√L, 0): the negative entries of the projection are set to 0."""

    projected: csr_array | None = None

    def product(self, kernels: Kernels, G: Floats, *, transposed: bool) -> Floats:
        """Return R̃·G or R̃ᵀ·G."""
        rows = SparseRows.of(self.rows_in_metric)
        return kernels.transposed_product(rows, G) if transposed else kernels.product(rows, G)

    @property
    def rows_in_metric(self) -> csr_array:
        """R̃."""
        assert self.projected is not None
        return self.projected

    @property
    def squared_norm(self) -> float:
        """‖R̃‖²."""
        return float(np.square(self.rows_in_metric.data).sum())


def learn_as_printed(
    relations: tuple[FactorRelation, ...], centre: str, links: Guidance, rank: int
) -> tuple[tuple[FactorRelation, ...], Floats]:
    """Return R̃ of every relation, each with weight 1, and the modality importance a (algorithm 1).

    Algorithm 2 does not use a, so neither does this. a is not scaled.
    """
    whole = tuple(replace(relation, weight=1.0, present=(None, None)) for relation in relations)
    for relation in whole:
        if relation.rows != centre:
            raise InputError(
                f"ssnmf with reading='printed' takes relations of {centre} only, as its paper does; leave "
                f"out {relation.name}, or leave reading out"
            )
    projected = tuple(_project(relation, links, rank) for relation in whole)
    return projected, modality_importance(projected, links)


def _project(relation: FactorRelation, links: Guidance, rank: int) -> FactorRelation:
    """Return the relation in its metric; as it is if linked rows of a sign are equal (eq. 4 is 0 or ∞)."""
    Z, V = latent_rows(relation)
    together, apart = link_scatters(Z, links)
    if min(np.trace(together), np.trace(apart)) <= ROUNDING * np.square(Z).sum():
        return relation
    if np.prod(relation.matrix.shape) > MAX_ENTRIES:
        raise InputError(
            f"ssnmf with reading='printed' forms {relation.name} densely: {relation.matrix.shape[0]} × "
            f"{relation.matrix.shape[1]} entries, more than {MAX_ENTRIES}. Keep fewer words, or leave "
            "reading out"
        )
    U = V @ printed_directions(together, apart, rank)
    dense = np.maximum((relation.matrix @ U) @ U.T, 0.0)
    fields = {name: getattr(relation, name) for name in FactorRelation.__dataclass_fields__}
    metric: Any = Projection(U)
    return ProjectedRelation(**{**fields, "metric": metric}, projected=csr_array(dense))


def printed_directions(together: Floats, apart: Floats, rank: int) -> Floats:
    """Return leading eigenvectors, orthonormal, of fixed rank: they make tr(UᵀWU)/tr(UᵀBU) small (eq. 4)."""
    from scipy.linalg import eigh

    size = len(together)
    within = together / np.trace(together) + RIDGE * np.eye(size) / size
    _, vectors = eigh(apart / np.trace(apart), within, subset_by_index=(size - min(rank, size), size - 1))
    return np.asarray(np.linalg.qr(vectors)[0])


def modality_importance(relations: tuple[FactorRelation, ...], links: Guidance) -> Floats:
    """Return a = argmin ‖M̃ − Σ_r a_r·M_r‖², a ≥ 0, over linked pairs; M_r holds products of rows of R̃."""
    from scipy.optimize import nnls

    pairs = linked_pairs(links)
    if not len(pairs.target):
        return np.ones(len(relations))
    products = []
    for relation in relations:
        rows = relation.rows_in_metric if isinstance(relation, ProjectedRelation) else relation.matrix
        products.append(np.asarray(rows[pairs.left].multiply(rows[pairs.right]).sum(axis=1)).ravel())
    a, _ = nnls(np.column_stack(products), pairs.target)
    # a network has no relations of weight 0, so a relation that tells nothing keeps a trace
    return np.asarray(np.maximum(a, 1e-9 * a.max()) if a.max() > 0 else np.ones(len(a)))
