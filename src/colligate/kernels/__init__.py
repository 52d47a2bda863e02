"""The few operations on arrays that every method is made of.

Methods see only the `Kernels` interface, so that one loop serves every back end. `reference` is slow and
plain; `fast` is the default. Both give the same numbers, and the tests run both.
"""

from colligate.kernels.choose import kernels
from colligate.kernels.interface import Kernels, Rows
from colligate.kernels.link_arrays import with_groups, with_pairs
from colligate.kernels.linked import Links, LinkTables, costs_by_cluster, membership_costs
from colligate.kernels.slope import Slope

__all__ = [
    "Kernels",
    "LinkTables",
    "Links",
    "Rows",
    "Slope",
    "costs_by_cluster",
    "kernels",
    "membership_costs",
    "with_groups",
    "with_pairs",
]
