"""One label update of one type, its objective, and the scores behind memberships.

    J = Σ_r weight_r·(I_r − Î_r) + Σ cost of broken links

I_r is the information of relation r and Î_r what its cluster table keeps of it. The update puts each object i
where Σ_l T[i, l]·log p(l|k) is largest, T summing its entries over the column clusters, and objects with
links where that less the cost of their links is largest, one after the other.

Cluster tables: the mass per pair of clusters of a relation, and their logs.

A start for linked objects: those tied together start in one cluster, where their pooled words fit best.

Object by object, a set of tied objects hardly ever leaves a wrong cluster, since the first to go pays for all
its ties. So sets are placed as wholes: the largest first, each where its pooled score is highest, less the
cost of what it is to be apart from, and again until none would move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate._array import log_or_zero
from colligate.kernels import Links
from colligate.methods.information.links import costs_by_cluster

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.information.links import SideLinks
    from colligate.methods.information.problem import InformationProblem, TypeView
    from colligate.methods.loop import Labels

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

ICM_SWEEPS = 30
COMPONENT_SMOOTHING = 0.01
# what a cluster that is not open to an object costs it: more than anything else can
FORBIDDEN_COST = 1e9
# an update may raise the objective by rounding alone
ROUNDING = 1e-12
# the logarithm that stands for log 0: no document enters a cluster that lacks its words, nothing is infinite
LOG_ZERO = -700.0
COMPONENT_SWEEPS = 30
# beyond this many groups the table of what is apart from what grows too large for a start, which then leaves
# apart-links to the sweeps; so it does with a set in which an object is in several groups
MAX_GROUPS = 2000


def update_labels(
    problem: InformationProblem,
    labels: Mapping[str, Labels],
    kind: str,
    smoothing: float,
    orders: Mapping[str, Ints],
) -> Mapping[str, Labels]:
    """Update one type with smoothed tables; if that raises the objective, with exact ones, which cannot.

    They can where the type is related to itself, since its columns move with its rows: then in part only.
    """
    reflexive = problem.sides[kind].reflexive
    found = _labels(problem, labels, kind, smoothing, orders)
    if problem.printed_step or (smoothing == 0.0 and not reflexive) or _holds(problem, labels, found):
        return found
    found = _labels(problem, labels, kind, 0.0, orders)
    return _in_part(problem, labels, found, kind) if reflexive else found


def _holds(
    problem: InformationProblem, labels: Mapping[str, Labels], following: Mapping[str, Labels]
) -> bool:
    """Whether following labels do not raise the objective."""
    before = problem.evaluate(labels).objective
    return problem.evaluate(following).objective <= before + ROUNDING * abs(before)


def _in_part(
    problem: InformationProblem, labels: Mapping[str, Labels], following: Mapping[str, Labels], kind: str
) -> Mapping[str, Labels]:
    """The following labels for as many objects as lower the objective: all, half of those that move, and on.

    Those with the most mass go first; labels stay where not even one alone may move.
    """
    moving = np.flatnonzero(labels[kind] != following[kind])
    moving = moving[np.argsort(-problem.sides[kind].mass[moving], kind="stable")]
    while len(moving):
        part = labels[kind].copy()
        part[moving] = following[kind][moving]
        candidate = {**labels, kind: part}
        if _holds(problem, labels, candidate):
            return candidate
        moving = moving[: len(moving) // 2]
    return labels


def place_components(
    problem: InformationProblem, labels: Mapping[str, Labels], kind: str
) -> Mapping[str, Labels]:
    """Put the objects of a type that are tied together into one cluster each, by their pooled scores."""
    side, links = problem.sides[kind], problem.links[kind]
    table = log_conditionals(side, problem.evaluate(labels).tables, COMPONENT_SMOOTHING)
    found = problem.kernels.score_rows(links.rows, side.columns(labels, problem.sizes), table)
    found[_closed(problem, kind, links.where)] -= FORBIDDEN_COST
    placed = labels[kind].copy()
    placed[links.where] = assign_components(links, found, problem.kernels)
    return {**labels, kind: placed}


def score_objects(
    problem: InformationProblem, labels: Mapping[str, Labels], kind: str, smoothing: float
) -> Floats:
    """What each cluster scores for each object of a type, in nats of the objective, links included."""
    side = problem.sides[kind]
    table = log_conditionals(side, problem.evaluate(labels).tables, smoothing)
    found = problem.kernels.score_rows(side.rows, side.columns(labels, problem.sizes), table)
    links = problem.links.get(kind)
    if links is not None:
        costs = costs_by_cluster(links, labels[kind][links.where], problem.sizes[kind])
        # the printed step weighs links against the divergence of one object, not against its share
        found[links.where] -= costs * side.mass[links.where][:, None] if problem.printed_step else costs
    return found


def _labels(
    problem: InformationProblem,
    labels: Mapping[str, Labels],
    kind: str,
    smoothing: float,
    orders: Mapping[str, Ints],
) -> Mapping[str, Labels]:
    side = problem.sides[kind]
    table = log_conditionals(side, problem.evaluate(labels).tables, smoothing)
    columns = side.columns(labels, problem.sizes)
    found, _ = problem.kernels.assign_rows(side.rows, columns, table)
    for part in problem.places.get(kind, ()):
        open_to = np.ascontiguousarray(table[:, part.first : part.last])
        among, _ = problem.kernels.assign_rows(part.rows, columns, open_to)
        found[part.where] = np.where(among >= 0, among + part.first, -1)
    if kind in problem.links:
        where = problem.links[kind].where
        found[where] = _settled(problem, kind, labels[kind][where], columns, table, orders[kind])
    return {**labels, kind: found}


def _settled(
    problem: InformationProblem, kind: str, current: Labels, columns: Labels, table: Floats, order: Ints
) -> Labels:
    """The labels of the linked objects after iterated conditional modes from where they are."""
    links = problem.links[kind]
    cost = -problem.kernels.score_rows(links.rows, columns, table)
    if problem.printed_step:
        cost /= np.maximum(problem.sides[kind].mass[links.where], 1e-300)[:, None]
    cost[_closed(problem, kind, links.where)] += FORBIDDEN_COST
    return links.settled(current, cost, order, ICM_SWEEPS)


def _closed(problem: InformationProblem, kind: str, where: Ints) -> NDArray[np.bool_]:
    """Which clusters are not open to each of some objects."""
    found = np.zeros((len(where), problem.sizes[kind]), dtype=bool)
    for part in problem.places.get(kind, ()):
        bound = np.isin(where, part.where)
        found[bound, : part.first] = True
        found[bound, part.last :] = True
    return found


def _free(problem: InformationProblem, kind: str) -> NDArray[np.bool_]:
    """Which objects of a type may be moved by themselves: those without links, to whom all is open."""
    found = np.ones(len(problem.sides[kind].rows), dtype=bool)
    if kind in problem.links:
        found[problem.links[kind].where] = False
    for part in problem.places.get(kind, ()):
        found[part.where] = False
    return found


def polish_labels(
    problem: InformationProblem, labels: Mapping[str, Labels], kind: str
) -> tuple[Mapping[str, Labels], int]:
    """Move single objects without links where that lowers J, the tables following every move."""
    side = problem.sides[kind]
    tables = problem.evaluate(labels).tables
    oriented = [tables[p.relation].T if p.flipped else tables[p.relation] for p in side.pieces]
    found = labels[kind].copy()
    moves = problem.kernels.polish_rows(
        side.rows,
        found,
        side.columns(labels, problem.sizes),
        np.ascontiguousarray(np.concatenate(oriented, axis=1)),
        side.blocks(problem.sizes),
        np.array([piece.scale for piece in side.pieces]),
        np.flatnonzero(_free(problem, kind)),
    )
    return {**labels, kind: found}, moves


def rank_misfits(problem: InformationProblem, labels: Mapping[str, Labels], kind: str) -> Ints:
    """Objects without links, those that lose most by their cluster first: mass · KL(own ‖ cluster)."""
    side, own = problem.sides[kind], labels[kind]
    columns, n_columns = side.columns(labels, problem.sizes), int(side.blocks(problem.sizes)[-1])
    exact = log_conditionals(side, problem.evaluate(labels).tables, 0.0)
    found = problem.kernels.score_rows(side.rows, columns, exact)
    masses = problem.kernels.score_rows(side.rows, columns, np.eye(n_columns))
    scale = side.scales(problem.sizes)
    share = masses / np.maximum(masses.sum(axis=1, keepdims=True), 1e-300)
    entropy = (scale * masses * log_or_zero(share)).sum(axis=1)
    loss = entropy - found[np.arange(len(own)), np.maximum(own, 0)]
    candidates = np.flatnonzero((own >= 0) & _free(problem, kind))
    return candidates[np.argsort(-loss[candidates], kind="stable")]


def sum_blocks(problem: InformationProblem, labels: Mapping[str, Labels]) -> list[Floats]:
    """For each relation, the counts per (row cluster, column cluster)."""
    found = []
    for relation, rows in zip(problem.network.relations, problem.rows, strict=True):
        sizes = problem.sizes[relation.rows], problem.sizes[relation.columns]
        found.append(
            problem.kernels.block_sums(rows, labels[relation.rows], labels[relation.columns], *sizes)
        )
    return found


def log_conditionals(side: TypeView, tables: list[Floats], smoothing: float) -> Floats:
    """The scores (column × row clusters) of a label update: scale·log p(column cluster | row cluster).

    p is mixed with the clusters' common distribution by `smoothing`, so that a cluster can win a document of
    which it has not yet seen every word group.
    """
    blocks = []
    for piece in side.pieces:
        counts = tables[piece.relation].T if piece.flipped else tables[piece.relation]
        blocks.append(piece.scale * _log_conditional(counts, smoothing).T)
    return np.ascontiguousarray(np.concatenate(blocks))


def _log_conditional(counts: Floats, smoothing: float) -> Floats:
    sums = counts.sum(axis=1, keepdims=True)
    common = counts.sum(axis=0) / max(counts.sum(), 1e-300)
    conditional = np.where(sums > 0, counts / np.where(sums > 0, sums, 1.0), common)
    mixed = (1.0 - smoothing) * conditional + smoothing * common
    return np.asarray(np.log(mixed, where=mixed > 0, out=np.full_like(mixed, LOG_ZERO)))


def assign_components(links: SideLinks, scores: Floats, kernels: Kernels) -> Labels:
    """Labels of the linked objects from their scores (objects × clusters)."""
    _, tie = np.unique(links.component, return_inverse=True)
    n_ties = int(tie.max()) + 1
    pooled = np.zeros((n_ties, scores.shape[1]))
    np.add.at(pooled, tie, scores)
    between = Links.of_pairs(_energies(links, tie, n_ties))
    labels = np.full(n_ties, -1, dtype=np.int32)
    order = np.argsort(-np.bincount(tie), kind="stable")
    kernels.run_icm(between, None, -pooled, labels, order, COMPONENT_SWEEPS)
    return np.asarray(labels[tie], dtype=np.int32)


def _energies(links: SideLinks, tie: Ints, n_ties: int) -> sparse.csr_array:
    """What two sets of tied objects cost in one cluster: the links apart between them."""
    k, n = links.kernel, len(links.where)
    pairs = sparse.csr_array((k.energy, k.neighbours, k.neighbour_start), shape=(n, n))
    belongs = sparse.csr_array((np.ones(n), (np.arange(n), tie)), shape=(n, n_ties))
    total = sparse.csr_array(belongs.T @ pairs @ belongs)
    for z in np.flatnonzero(k.apart > 0):
        total = total + _group_energies(links, int(z), tie, n_ties)
    total.setdiag(0.0)
    total.eliminate_zeros()
    return sparse.csr_array(total)


def _group_energies(links: SideLinks, z: int, tie: Ints, n_ties: int) -> sparse.csr_array:
    """The implied links apart between the groups of one set, each group being part of one tie."""
    k, members = links.kernel, links.members
    mine = np.flatnonzero(members.set == z)
    owner = members.owner[mine]
    _, group = np.unique(members.group[mine], return_inverse=True)
    n_groups = int(group.max()) + 1
    home = np.zeros(n_groups, dtype=np.int64)
    home[group] = tie[owner]
    if n_groups > MAX_GROUPS or np.any(home[group] != tie[owner]):
        return sparse.csr_array((n_ties, n_ties))
    inside = sparse.csr_array((np.ones(len(mine)), (group, owner)), shape=(n_groups, len(links.where)))
    shape = (len(links.where), links.n_columns)
    y = inside @ sparse.csr_array((k.y, k.indices, k.indptr), shape=shape)
    s = inside @ sparse.csr_array((k.s, k.indices, k.indptr), shape=shape)
    shared = (y @ s.T).toarray()
    own = np.asarray(inside @ k.self_term)
    count = np.bincount(group, minlength=n_groups).astype(np.float64)
    divergence = np.outer(own, count) + np.outer(count, own) - shared - shared.T
    cost = k.apart[z] * (k.twice_d_max * np.outer(count, count) - divergence)
    rows, columns = np.repeat(home, n_groups), np.tile(home, n_groups)
    table = sparse.coo_array((cost.ravel(), (rows, columns)), shape=(n_ties, n_ties))
    return sparse.csr_array(table)
