"""The array operations that the methods are made of.

Methods use only the `Kernels` interface, so that they run on every back end. `fast` is the default, on the
CPU or on a GPU; `reference` is slow and plain. All return the same numbers, and the tests run all.
"""

from __future__ import annotations

from typing import Any

from colligate._machine import count_cores
from colligate.errors import ParameterError
from colligate.kernels.interface import Kernels, SparseRows, SplitGradient, cut_entries
from colligate.kernels.links import (
    Links,
    LinkTables,
    add_groups,
    add_pairs,
    costs_by_cluster,
    membership_costs,
)
from colligate.shards.matrix import ShardedMatrix

__all__ = [
    "DEVICES",
    "Kernels",
    "LinkTables",
    "Links",
    "SparseRows",
    "SplitGradient",
    "add_groups",
    "add_pairs",
    "costs_by_cluster",
    "cut_entries",
    "kernels_of",
    "make_kernels",
    "membership_costs",
]

DEVICES = ("auto", "cpu", "cuda")

FEW_ENTRIES = 20_000_000
FEW_THREADS = 8
"""More threads than these wait for each other on few entries: `colligate` on 20 Newsgroups, which has 1.7
million, takes 3.3 seconds on 8 threads and 4.4 on 16."""


def make_kernels(
    name: str = "fast", n_jobs: int | None = None, device: str = "cpu", n_entries: int = 0
) -> Kernels:
    """Return a back end: "fast" (Numba on `n_jobs` threads) or "reference".

    -1 means all cores, and so does None, unless the matrices have too few entries for so many. The fast one
    is on a GPU with the device "cuda", and with "auto" if there is one and the matrices have entries enough.
    """
    if n_jobs is None and 0 < n_entries < FEW_ENTRIES:
        n_jobs = min(count_cores(), FEW_THREADS)
    if name == "fast" and _is_on_gpu(device, n_entries):
        from colligate.kernels.cuda import CudaKernels

        return CudaKernels(n_jobs)
    if name == "fast":
        from colligate.kernels.numba import FastKernels

        return FastKernels(n_jobs)
    if name == "reference":
        from colligate.kernels.reference import ReferenceKernels

        return ReferenceKernels()
    raise ParameterError(f"there is no back end {name!r}; choose 'fast' or 'reference'")


def kernels_of(matrix: Any) -> Kernels:
    """Return the kernels that compute where a matrix is: on all cores of this machine, or on workers."""
    if not isinstance(matrix, ShardedMatrix):
        return make_kernels()
    from colligate.kernels.sharded import ShardedKernels

    return ShardedKernels()


def _is_on_gpu(device: str, n_entries: int) -> bool:
    if device == "cpu":
        return False
    from colligate.kernels.cuda.device import choose_device

    return choose_device(device, n_entries) == "cuda"
