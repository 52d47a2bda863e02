"""What links cost: in all, per object and cluster, per statement. An object in no cluster breaks no link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.information.links import SideLinks
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]


def link_cost(links: SideLinks, labels: Labels) -> float:
    """The cost of all broken links."""
    tables = links.tables(labels)
    both_ends = tables.broken.sum() + kernels.membership_costs(links.kernel, tables).sum()
    return float(both_ends) / 2.0


def costs_by_cluster(links: SideLinks, labels: Labels, n_clusters: int) -> Floats:
    """What each cluster would cost each linked object, up to a constant per object."""
    return kernels.costs_by_cluster(links.kernel, links.tables(labels, n_clusters))


def statement_costs(links: SideLinks, labels: Labels, n_statements: int) -> Floats:
    """What each statement costs: its broken pair, or all broken pairs that its membership implies."""
    broken = _broken(links, labels)
    costs = np.zeros(n_statements)
    np.add.at(costs, links.pairs.statement[broken], links.pairs.cost[broken])
    said = links.members.statement >= 0
    by_member = kernels.membership_costs(links.kernel, links.tables(labels))
    np.add.at(costs, links.members.statement[said], by_member[said])
    return costs


def _broken(links: SideLinks, labels: Labels) -> NDArray[np.bool_]:
    """Which listed links are broken."""
    left, right = labels[links.pairs.left], labels[links.pairs.right]
    return np.asarray((left >= 0) & (right >= 0) & ((left != right) == links.pairs.together))
