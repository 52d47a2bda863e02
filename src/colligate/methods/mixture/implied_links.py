"""Groups of linked features: how far the documents bear them out, and how strong their links are for it.

A group of features, such as the entities of one sub-type, implies that its members belong to one group of
documents. The runs of the ensemble do not use these links. So they can show whether documents with different
members of a group are more often in one group than documents at random.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from colligate.methods.mixture.em import TINY
from colligate.methods.mixture.priors import linked_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from colligate.knowledge.guidance import GroupLinks, Guidance
    from colligate.methods.mixture.problem import MixtureProblem

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# pairs of documents below this share of all weigh nothing: they are what rounding leaves of none
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class ImpliedLinks:
    """The guidance of linked features, with links as strong as they are reliable, and t of every member.

    `share` has for each feature of a type how much its links count, the highest t of its groups. Types that
    are not in `guidance` and `share` keep their links in full.
    """

    guidance: Mapping[str, Guidance] = field(default_factory=dict)
    share: Mapping[str, Floats] = field(default_factory=dict)
    statement: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    reliability: Floats = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True, eq=False)
class Agreement:
    """How often two documents are in one group beyond chance, for every group of features.

    In `between` the two documents have different members of the group, in `within` the same member. `apart`
    is how much less often than by chance they meet if they have members of different groups, as a share of
    what is possible. `mass` is the y of each group that has pairs of both kinds.
    """

    between: Floats
    within: Floats
    apart: float
    mass: Floats


def weigh_implied_links(problem: MixtureProblem, resps: Sequence[Floats]) -> ImpliedLinks:
    """Estimate t of every group of linked features (eq. 18), and weigh its links by it (eq. 19).

    With fewer members than `min_statements` in all groups, nothing is estimated.
    """
    linked = {part.other: known for part, known in linked_parts(problem)}
    pools = [(type_name, links) for type_name, known in linked.items() for links in known.groups]
    if sum(len(links) for _, links in pools) < problem.constants.min_statements:
        return ImpliedLinks()
    chances = _chances(np.sum([_counts_of(problem, name).sum(axis=1) for name in linked], axis=0), resps)
    agreements = [_measure_agreement(problem, type_name, links, resps, chances) for type_name, links in pools]
    overall = _divide(
        sum(agreement.mass @ agreement.between for agreement in agreements),
        sum(agreement.mass @ agreement.within for agreement in agreements),
    )
    weighted: dict[str, list[GroupLinks]] = {type_name: [] for type_name in linked}
    share = {type_name: _listed_links(known) for type_name, known in linked.items()}
    t_of_member = []
    for (type_name, links), agreement in zip(pools, agreements, strict=True):
        t = _group_reliability(links, agreement, float(overall), problem.constants.min_statements)
        # groups that do not hold together have nothing to be apart from each other
        weighted[type_name] += _weigh(links, t, min(agreement.apart, float(t[links.group].mean())))
        np.maximum.at(share[type_name], links.member, t[links.group])
        t_of_member.append(t[links.group])
    guidance = {name: replace(known, groups=tuple(weighted[name])) for name, known in linked.items()}
    statement = np.concatenate([links.statement for _, links in pools])
    return ImpliedLinks(guidance, share, statement, np.concatenate(t_of_member))


def _listed_links(known: Guidance) -> Floats:
    """Return 1 for every feature with a listed link, which always counts in full."""
    listed = np.zeros(known.size)
    listed[known.pairs.left] = listed[known.pairs.right] = 1.0
    return listed


def _group_reliability(links: GroupLinks, agreement: Agreement, overall: float, n_prior: int) -> Floats:
    """Compute t of every group (eq. 18); a small group is drawn towards all groups together."""
    n = np.bincount(links.group, minlength=len(links.names)) * (agreement.mass > 0)
    ratio = _divide(agreement.between, agreement.within)
    return np.asarray(np.clip((n * ratio + n_prior * overall) / (n + n_prior), 0.0, 1.0))  # eq. 18


def _weigh(links: GroupLinks, t: Floats, t_apart: float) -> Iterator[GroupLinks]:
    """Yield the links of every group with their strength (eq. 19), then those between groups."""
    for number, name in enumerate(links.names):
        entries = np.flatnonzero(links.group == number)
        if len(entries) > 1 and t[number] > 0.0 and links.together:
            yield replace(
                links,
                member=links.member[entries],
                group=np.zeros(len(entries), dtype=np.int64),
                names=(name,),
                statement=links.statement[entries],
                together=links.together * joint_strength(len(entries), float(t[number])),
                apart=0.0,
            )
    if links.apart and t_apart > 0.0:
        yield replace(links, together=0.0, apart=links.apart * joint_strength(len(links), t_apart))


def joint_strength(n_members: int, t: float) -> float:
    """Compute the strength of one of many implied links (eq. 19).

    Certain links add up. Doubtful ones share their doubt, so all links of a member together have at most
    the strength t / (1 − t).
    """
    return t / (1.0 + max(n_members - 2, 0) * (1.0 - t))  # eq. 19


def _measure_agreement(
    problem: MixtureProblem,
    type_name: str,
    links: GroupLinks,
    resps: Sequence[Floats],
    chances: Sequence[float],
) -> Agreement:
    """Average over runs how often documents with members of a group are in one group."""
    y = _counts_of(problem, type_name)
    shape = (y.shape[1], len(links.names))
    members = csr_array((np.ones(len(links)), (links.member, links.group)), shape=shape)
    n_pairs = _sum_pairs(y, members, np.ones((y.shape[0], 1)))
    between, within, apart = np.zeros(shape[1]), np.zeros(shape[1]), 0.0
    for resp, chance in zip(resps, chances, strict=True):
        same, different, other = (
            np.where(pairs > 0.0, _divide(sums, pairs) - chance, 0.0)
            for sums, pairs in zip(_sum_pairs(y, members, resp), n_pairs, strict=True)
        )
        within += same
        between += different
        possible = _divide(n_pairs[0] @ same, n_pairs[0].sum()) * chance / max(1.0 - chance, TINY)
        apart += float(_divide(-other, possible))
    has_pairs = (n_pairs[0] > 0.0) & (n_pairs[1] > 0.0)
    mass = np.asarray(members.T @ np.asarray(y.sum(axis=0)).ravel()) * has_pairs
    return Agreement(between, within, float(np.clip(apart / len(resps), 0.0, 1.0)), mass)


def _chances(y_of_document: Floats, resps: Sequence[Floats]) -> list[float]:
    """Compute for each run how often two documents are in one group, by the y of their linked features."""
    squares = np.square(y_of_document)
    n_pairs = float(y_of_document.sum() ** 2 - squares.sum())
    return [
        float(_divide(np.square(y_of_document @ q).sum() - squares @ np.square(q).sum(axis=1), n_pairs))
        for q in resps
    ]


def _counts_of(problem: MixtureProblem, type_name: str) -> csr_array:
    """Return y of the documents in the relations to one type, summed."""
    y = csr_array((problem.y.data, problem.y.indices, problem.y.indptr), shape=problem.counts.shape)
    first, *rest = (y[:, part.start : part.stop] for part in problem.parts if part.other == type_name)
    return csr_array(sum(rest, start=first))


def _sum_pairs(y: csr_array, members: csr_array, q: Floats) -> tuple[Floats, Floats, Floats]:
    """Sum ⟨q_d, q_d′⟩ over pairs of different documents, by the y of what they have.

    The first sums, one for each group, are of documents with the same member; the second of documents with
    different members; the third is of documents with members of different groups.
    """
    self_products = np.square(q).sum(axis=1)
    squares = y.multiply(y)
    by_member = y.T @ q
    total_same = members.T @ np.square(by_member).sum(axis=1)
    same = total_same - members.T @ (squares.T @ self_products)
    by_document = csr_array(y @ members)
    by_group = by_document.T @ q
    total = np.square(by_group).sum(axis=1)
    both = total - by_document.multiply(by_document).T @ self_products
    together = by_group.sum(axis=0)
    everything = float(together @ together)
    apart = (
        everything
        - float(np.square(np.asarray(by_document.sum(axis=1)).ravel()) @ self_products)
        - both.sum()
    )
    different = both - same
    return (
        np.where(same > ROUNDING * total_same, same, 0.0),
        np.where(different > ROUNDING * total, different, 0.0),
        np.array(apart if apart > ROUNDING * everything else 0.0),
    )


def _divide(value: ArrayLike, by: ArrayLike) -> Floats:
    """Divide where the divisor is positive; 0 elsewhere."""
    value, by = np.asarray(value, dtype=np.float64), np.asarray(by, dtype=np.float64)
    return np.asarray(np.divide(value, by, out=np.zeros(np.broadcast(value, by).shape), where=by > 0.0))
