"""The array operations that the methods are made of.

Methods use only the `Kernels` interface, so that they run on every back end. `fast` is the default,
`reference` is slow and plain. Both return the same numbers, and the tests run both.
"""

from __future__ import annotations

from colligate.errors import ParameterError
from colligate.kernels.interface import Kernels, SparseRows, SplitGradient
from colligate.kernels.links import (
    Links,
    LinkTables,
    add_groups,
    add_pairs,
    costs_by_cluster,
    membership_costs,
)

__all__ = [
    "Kernels",
    "LinkTables",
    "Links",
    "SparseRows",
    "SplitGradient",
    "add_groups",
    "add_pairs",
    "costs_by_cluster",
    "make_kernels",
    "membership_costs",
]


def make_kernels(name: str = "fast", n_jobs: int | None = None) -> Kernels:
    """Return a back end: "fast" (Numba on `n_jobs` threads; None and -1 mean all cores) or "reference"."""
    if name == "fast":
        from colligate.kernels.numba import FastKernels

        return FastKernels(n_jobs)
    if name == "reference":
        from colligate.kernels.reference import ReferenceKernels

        return ReferenceKernels()
    raise ParameterError(f"there is no back end {name!r}; choose 'fast' or 'reference'")
