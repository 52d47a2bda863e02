"""The few operations on arrays that every method is made of.

Methods see only the `Kernels` interface, so that one loop serves every back end. `reference` is slow and
plain; `fast` is the default. Both give the same numbers, and the tests run both.
"""

from colligate.kernels.choose import kernels
from colligate.kernels.interface import GroupSums, Kernels, Links, Rows

__all__ = ["GroupSums", "Kernels", "Links", "Rows", "kernels"]
