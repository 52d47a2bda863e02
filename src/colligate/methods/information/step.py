"""One label update of one type (itcc, eq. 3; hinc, eq. 2), and the scores behind memberships.

Each object i goes to the cluster k with the largest Σ_l T[i, l]·log p(l|k), where T sums its entries over the
column clusters l. Objects with links go, one after the other, where that score less the cost of their links
is largest (iterated conditional modes). For a start, components of linked objects are placed as wholes.
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
    from colligate.methods.information.links import TypeLinks
    from colligate.methods.information.problem import InformationProblem, TypeView
    from colligate.methods.loop import Labels

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# ICM rounds in a label update, and in placing components; both nearly always end earlier
ICM_ROUNDS = 30
# ε in eq. 4 while components are placed: that of the first sweep
COMPONENT_SMOOTHING = 0.01
# cost of a cluster that is not allowed: more than all other costs together
FORBIDDEN_COST = 1e9
# an update may raise the objective by this share: rounding
ROUNDING = 1e-12
# used as log 0: a cluster that lacks the words of a document does not win it, and nothing is infinite
LOG_ZERO = -700.0
# with more groups the table of apart links between components is too large for a start, which then ignores
# them; so does a set in which an object is in several groups
MAX_GROUPS = 2000


def update_labels(
    problem: InformationProblem,
    labels: Mapping[str, Labels],
    kind: str,
    smoothing: float,
    orders: Mapping[str, Ints],
) -> Mapping[str, Labels]:
    """Update one type with smoothed tables or, if that raises the objective, with exact ones.

    Exact tables cannot raise it, unless the type is related to itself, since its columns move with its rows.
    Then only a part of the objects moves.
    """
    reflexive = problem.views[kind].reflexive
    updated = _assign_labels(problem, labels, kind, smoothing, orders)
    exact = smoothing == 0.0 and not reflexive
    # the printed step does not minimise the objective, so a rise says nothing about it
    if problem.printed_step or exact or _does_not_rise(problem, labels, updated):
        return updated
    updated = _assign_labels(problem, labels, kind, 0.0, orders)
    return _move_in_part(problem, labels, updated, kind) if reflexive else updated


def _does_not_rise(
    problem: InformationProblem, labels: Mapping[str, Labels], following: Mapping[str, Labels]
) -> bool:
    before = problem.evaluate(labels).objective
    return problem.evaluate(following).objective <= before + ROUNDING * abs(before)


def _move_in_part(
    problem: InformationProblem, labels: Mapping[str, Labels], following: Mapping[str, Labels], kind: str
) -> Mapping[str, Labels]:
    """Move all objects, else half of them, a quarter and so on, until the objective does not rise.

    Objects with the most mass go first.
    """
    moving = np.flatnonzero(labels[kind] != following[kind])
    moving = moving[np.argsort(-problem.views[kind].mass[moving], kind="stable")]
    while len(moving):
        part = labels[kind].copy()
        part[moving] = following[kind][moving]
        candidate = {**labels, kind: part}
        if _does_not_rise(problem, labels, candidate):
            return candidate
        # halving ends after log2(n) evaluations of the objective
        moving = moving[: len(moving) // 2]
    return labels


def _assign_labels(
    problem: InformationProblem,
    labels: Mapping[str, Labels],
    kind: str,
    smoothing: float,
    orders: Mapping[str, Ints],
) -> Mapping[str, Labels]:
    view = problem.views[kind]
    log_p = log_conditionals(view, problem.evaluate(labels).tables, smoothing)
    columns = view.columns(labels, problem.n_clusters_by_type)
    if len(problem.network.relations) == 1 and kind not in {*problem.allowed_clusters, *problem.links}:
        return _assign_and_remember(problem, labels, view, columns, log_p)
    assigned, _ = problem.kernels.assign_rows(view.rows, columns, log_p)  # itcc, eq. 3; hinc, eq. 2
    for part in problem.allowed_clusters.get(kind, ()):
        allowed = np.ascontiguousarray(log_p[:, part.first : part.last])
        best, _ = problem.kernels.assign_rows(part.rows, columns, allowed)
        assigned[part.where] = np.where(best >= 0, best + part.first, -1)
    if kind in problem.links:
        where = problem.links[kind].where
        # from the current labels: ICM moves to cheaper clusters only, so the objective cannot rise
        assigned[where] = _run_icm(problem, kind, labels[kind][where], columns, log_p, orders[kind])
    return {**labels, kind: assigned}


def _assign_and_remember(
    problem: InformationProblem, labels: Mapping[str, Labels], view: TypeView, columns: Labels, log_p: Floats
) -> Mapping[str, Labels]:
    """Assign every object freely; where the back end sums the new table on the way, it is remembered."""
    assigned, sums = problem.kernels.assign_and_sum(view.rows, columns, log_p)  # itcc, eq. 3; hinc, eq. 2
    updated = {**labels, view.kind: assigned}
    # the table of a type that is related to itself changes by its rows and by its columns
    if sums is not None and not view.reflexive:
        problem.remember(updated, [sums.T if view.relations[0].flipped else sums])
    return updated


def _run_icm(
    problem: InformationProblem, kind: str, current: Labels, columns: Labels, log_p: Floats, order: Ints
) -> Labels:
    """Return the labels of the linked objects after iterated conditional modes from their current ones."""
    links = problem.links[kind]
    cost = -problem.kernels.score_rows(links.rows, columns, log_p)
    if problem.printed_step:
        # the printed step leaves p(d) out (docs: citcc, the printed reading)
        cost /= np.maximum(problem.views[kind].mass[links.where], 1e-300)[:, None]
    cost[_forbidden(problem, kind, links.where)] += FORBIDDEN_COST
    return links.run_icm(current, cost, order, ICM_ROUNDS)


def _forbidden(problem: InformationProblem, kind: str, where: Ints) -> NDArray[np.bool_]:
    """Return objects × clusters: which clusters are not allowed."""
    forbidden = np.zeros((len(where), problem.n_clusters_by_type[kind]), dtype=bool)
    for part in problem.allowed_clusters.get(kind, ()):
        bound = np.isin(where, part.where)
        forbidden[bound, : part.first] = True
        forbidden[bound, part.last :] = True
    return forbidden


def sum_blocks(problem: InformationProblem, labels: Mapping[str, Labels]) -> list[Floats]:
    """Sum the counts of each relation over pairs of row cluster and column cluster."""
    tables = []
    for relation, rows in zip(problem.network.relations, problem.rows, strict=True):
        sizes = problem.n_clusters_by_type[relation.rows], problem.n_clusters_by_type[relation.columns]
        tables.append(
            problem.kernels.block_sums(rows, labels[relation.rows], labels[relation.columns], *sizes)
        )
    return tables


def log_conditionals(view: TypeView, tables: list[Floats], smoothing: float) -> Floats:
    """Return column clusters × row clusters: scale·log((1 − ε)·p(l|k) + ε·p(l)), ε the smoothing (eq. 4)."""
    blocks = []
    for relation in view.relations:
        counts = tables[relation.relation].T if relation.flipped else tables[relation.relation]
        sums = counts.sum(axis=1, keepdims=True)
        p_l = counts.sum(axis=0) / max(counts.sum(), 1e-300)
        # an empty cluster has the distribution of all objects, so no object is excluded from it
        p_l_k = np.where(sums > 0, counts / np.where(sums > 0, sums, 1.0), p_l)
        mixed = (1.0 - smoothing) * p_l_k + smoothing * p_l
        log_p = np.asarray(np.log(mixed, where=mixed > 0, out=np.full_like(mixed, LOG_ZERO)))
        blocks.append(relation.scale * log_p.T)
    return np.ascontiguousarray(np.concatenate(blocks))


def score_objects(
    problem: InformationProblem, labels: Mapping[str, Labels], kind: str, smoothing: float
) -> Floats:
    """Return objects × clusters: the scores of one type, links included, in nats of the objective."""
    view = problem.views[kind]
    log_p = log_conditionals(view, problem.evaluate(labels).tables, smoothing)
    scores = problem.kernels.score_rows(view.rows, view.columns(labels, problem.n_clusters_by_type), log_p)
    links = problem.links.get(kind)
    if links is not None:
        costs = costs_by_cluster(links, labels[kind][links.where], problem.n_clusters_by_type[kind])
        # the printed step weighs links against the divergence of one object, not against its share
        scores[links.where] -= costs * view.mass[links.where][:, None] if problem.printed_step else costs
    return scores


def polish_labels(
    problem: InformationProblem, labels: Mapping[str, Labels], kind: str
) -> tuple[Mapping[str, Labels], int]:
    """Move single free objects where that lowers J, updating the tables after each; return the moves too."""
    view = problem.views[kind]
    tables = problem.evaluate(labels).tables
    oriented = [tables[r.relation].T if r.flipped else tables[r.relation] for r in view.relations]
    polished = labels[kind].copy()
    moves = problem.kernels.polish_rows(
        view.rows,
        polished,
        view.columns(labels, problem.n_clusters_by_type),
        # a copy, which the kernel changes: the tables of an evaluation are cached
        np.ascontiguousarray(np.concatenate(oriented, axis=1)),
        view.blocks(problem.n_clusters_by_type),
        np.array([relation.scale for relation in view.relations]),
        np.flatnonzero(_free(problem, kind)),
    )
    return {**labels, kind: polished}, moves


def rank_misfits(problem: InformationProblem, labels: Mapping[str, Labels], kind: str) -> Ints:
    """Return free objects by their loss mass·KL(p(·|i) ‖ p(·|k)) in their cluster, the largest first."""
    view, current = problem.views[kind], labels[kind]
    columns, n_columns = (
        view.columns(labels, problem.n_clusters_by_type),
        int(view.blocks(problem.n_clusters_by_type)[-1]),
    )
    log_p = log_conditionals(view, problem.evaluate(labels).tables, 0.0)
    scores = problem.kernels.score_rows(view.rows, columns, log_p)
    # scores under the identity are T. It is formed as a whole here, which only empty clusters ask for
    T = problem.kernels.score_rows(view.rows, columns, np.eye(n_columns))
    scale = view.scales(problem.n_clusters_by_type)
    share = T / np.maximum(T.sum(axis=1, keepdims=True), 1e-300)
    entropy = (scale * T * log_or_zero(share)).sum(axis=1)
    loss = entropy - scores[np.arange(len(current)), np.maximum(current, 0)]
    candidates = np.flatnonzero((current >= 0) & _free(problem, kind))
    return candidates[np.argsort(-loss[candidates], kind="stable")]


def _free(problem: InformationProblem, kind: str) -> NDArray[np.bool_]:
    """Return which objects may move independently: those without links for which all clusters are allowed."""
    free = np.ones(len(problem.views[kind].rows), dtype=bool)
    if kind in problem.links:
        free[problem.links[kind].where] = False
    for part in problem.allowed_clusters.get(kind, ()):
        free[part.where] = False
    return free


def place_components(
    problem: InformationProblem, labels: Mapping[str, Labels], kind: str
) -> Mapping[str, Labels]:
    """Put each component of linked objects into one cluster by its pooled scores.

    Object by object, a component hardly ever leaves a wrong cluster: the first object to move pays for all
    its links.
    """
    view, links = problem.views[kind], problem.links[kind]
    log_p = log_conditionals(view, problem.evaluate(labels).tables, COMPONENT_SMOOTHING)
    scores = problem.kernels.score_rows(links.rows, view.columns(labels, problem.n_clusters_by_type), log_p)
    scores[_forbidden(problem, kind, links.where)] -= FORBIDDEN_COST
    placed = labels[kind].copy()
    placed[links.where] = assign_components(links, scores, problem.kernels)
    return {**labels, kind: placed}


def assign_components(links: TypeLinks, scores: Floats, kernels: Kernels) -> Labels:
    """Label the linked objects from their scores (objects × clusters), each component as a whole.

    The largest component is placed first, each where its pooled score less the cost of its apart links is
    highest, and again until none would move.
    """
    _, component = np.unique(links.component, return_inverse=True)
    n_components = int(component.max()) + 1
    pooled = np.zeros((n_components, scores.shape[1]))
    np.add.at(pooled, component, scores)
    between = Links.of_pairs(_component_energies(links, component, n_components))
    labels = np.full(n_components, -1, dtype=np.int32)
    order = np.argsort(-np.bincount(component), kind="stable")
    kernels.run_icm(between, None, -pooled, labels, order, ICM_ROUNDS)
    return np.asarray(labels[component], dtype=np.int32)


def _component_energies(links: TypeLinks, component: Ints, n_components: int) -> sparse.csr_array:
    """Return components × components: the cost of the apart links between two that share a cluster."""
    k, n = links.kernel, len(links.where)
    pairs = sparse.csr_array((k.energy, k.neighbours, k.neighbour_start), shape=(n, n))
    belongs = sparse.csr_array((np.ones(n), (np.arange(n), component)), shape=(n, n_components))
    total = sparse.csr_array(belongs.T @ pairs @ belongs)
    for z in np.flatnonzero(k.apart > 0):
        total = total + _group_energies(links, int(z), component, n_components)
    # links within a component hold wherever it goes
    total.setdiag(0.0)
    total.eliminate_zeros()
    return sparse.csr_array(total)


def _group_energies(links: TypeLinks, z: int, component: Ints, n_components: int) -> sparse.csr_array:
    """Return the cost of the implied apart links between the groups of set z, each within one component."""
    k, members = links.kernel, links.members
    of_set = np.flatnonzero(members.set == z)
    owner = members.owner[of_set]
    _, group = np.unique(members.group[of_set], return_inverse=True)
    n_groups = int(group.max()) + 1
    home = np.zeros(n_groups, dtype=np.int64)
    home[group] = component[owner]
    if n_groups > MAX_GROUPS or np.any(home[group] != component[owner]):
        return sparse.csr_array((n_components, n_components))
    inside = sparse.csr_array((np.ones(len(of_set)), (group, owner)), shape=(n_groups, len(links.where)))
    shape = (len(links.where), links.n_columns)
    y = inside @ sparse.csr_array((k.y, k.indices, k.indptr), shape=shape)
    s = inside @ sparse.csr_array((k.s, k.indices, k.indptr), shape=shape)
    # groups × groups, at most MAX_GROUPS²
    shared = (y @ s.T).toarray()
    y_s = np.asarray(inside @ k.self_term)
    count = np.bincount(group, minlength=n_groups).astype(np.float64)
    divergence = np.outer(y_s, count) + np.outer(count, y_s) - shared - shared.T  # citcc, eq. 6
    cost = k.apart[z] * (k.twice_d_max * np.outer(count, count) - divergence)  # citcc, eq. 2
    rows, columns = np.repeat(home, n_groups), np.tile(home, n_groups)
    table = sparse.coo_array((cost.ravel(), (rows, columns)), shape=(n_components, n_components))
    return sparse.csr_array(table)
