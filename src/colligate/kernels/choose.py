"""Choosing a back end by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.errors import ParameterError

if TYPE_CHECKING:
    from colligate.kernels.interface import Kernels


def kernels(name: str = "fast", n_jobs: int | None = None) -> Kernels:
    """Return the back end: `fast` (Numba on `n_jobs` threads; None and -1 mean all cores) or `reference`."""
    if name == "fast":
        from colligate.kernels.fast import FastKernels

        return FastKernels(n_jobs)
    if name == "reference":
        from colligate.kernels.reference import ReferenceKernels

        return ReferenceKernels()
    raise ParameterError(f"there is no back end {name!r}; choose 'fast' or 'reference'")
