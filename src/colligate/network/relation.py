"""A relation: a sparse non-negative matrix between the objects of two types, or of a type with itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate.errors import InputError
from colligate.network.matrix import checked_matrix
from colligate.network.objects import check_title

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False, repr=False)
class Relation:
    """A sparse non-negative matrix between two types.

    `weight` is what the relation counts in a method's objective; None leaves that to the method.
    `name` is how the relation is called in results. It is `documents × words` unless another is given, which
    several relations between the same two types need.
    """

    rows: str
    columns: str
    matrix: csr_array
    weight: float | None = None
    name: str = ""

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", f"{self.rows} × {self.columns}")
        check_title(self.name, "relation")
        object.__setattr__(self, "matrix", checked_matrix(self.matrix, self.name))
        if self.weight is not None and not (math.isfinite(self.weight) and self.weight >= 0):
            raise InputError(
                f"the weight of relation {self.name} must be finite and not negative; got {self.weight}"
            )

    @property
    def total(self) -> float:
        """The sum of all entries."""
        return float(self.matrix.sum(dtype=np.float64))

    @property
    def effective_weight(self) -> float:
        """What the relation counts: its weight, and 1 without one."""
        return 1.0 if self.weight is None else float(self.weight)

    @property
    def per_occurrence(self) -> float:
        """What one unit of an entry counts: the effective weight over the sum of all entries."""
        return self.effective_weight / self.total if self.total > 0 else 0.0

    def __repr__(self) -> str:
        return f"Relation({self})"

    def __str__(self) -> str:
        entries = self.matrix.nnz
        return f"{self.name}: {entries:,} {'entry' if entries == 1 else 'entries'}"
