"""Objects of one type, and the names that types, relations and objects may have.

A relation: a sparse non-negative matrix between the objects of two types, or of a type with itself.

Turning what a user hands in into the one matrix form used inside: CSR, float, finite, non-negative.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.errors import InputError, MatrixError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scipy.sparse import csr_array

DOCUMENTS = "documents"
WORDS = "words"
_DEFAULT = "documents × words"
# sums of squares and of products with logarithms stay far within what a float holds
LARGEST = 1e100


@dataclass(frozen=True, eq=False, repr=False)
class ObjectType:
    """Objects of one kind. Objects without names of their own are named by their position (a `range`)."""

    name: str
    names: Sequence[str] | range

    def __post_init__(self) -> None:
        check_name(self.name, "type")
        object.__setattr__(self, "names", _checked_names(self.names, self.name))

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"ObjectType({self.name}: {len(self):,})"


def check_name(name: object, what: str) -> None:
    """Refuse what cannot be the name of a type or a relation: it stands in messages, tables and files."""
    if not isinstance(name, str):
        raise InputError(f"the name of a {what} must be text; got {name!r:.60}")
    if not name or name != name.strip() or not name.isprintable():
        raise InputError(
            f"the name of a {what} must be one line of text without spaces around it; got {name!r:.60}"
        )


def _checked_names(names: Any, type_name: str) -> Sequence[str] | range:
    if isinstance(names, range):
        if names != range(len(names)):
            raise InputError(
                f"{type_name} known by position are numbered from 0: give range({len(names)}); got {names}"
            )
        return names
    if isinstance(names, str):
        raise InputError(f"the names of {type_name} must be a list; got the single text {names!r:.60}")
    listed = names if isinstance(names, list | tuple) else list(names)
    _refuse_unfit(listed, type_name)
    if len(set(listed)) < len(listed):
        _refuse_repeated(listed, type_name)
    return listed


def _refuse_unfit(names: Sequence[Any], type_name: str) -> None:
    """Names must be text that a file can hold; they are tried all at once, since there may be millions."""
    try:
        "".join(names).encode()
    except (TypeError, UnicodeEncodeError):
        at, name = next((at, name) for at, name in enumerate(names) if not _fit(name))
        raise InputError(
            f"the names of {type_name} must be text that a file can hold; got {name!r:.60} at {at}"
        ) from None


def _fit(name: object) -> bool:
    try:
        return isinstance(name, str) and name.encode() is not None
    except UnicodeEncodeError:
        return False


def _refuse_repeated(names: Sequence[str], type_name: str) -> None:
    seen: dict[str, int] = {}
    for at, name in enumerate(names):
        if name in seen:
            raise InputError(
                f"the names of {type_name} must differ; {name!r:.60} is at {seen[name]} and at {at}"
            )
        seen[name] = at


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
        check_name(self.name, "relation")
        object.__setattr__(self, "matrix", check_matrix(self.matrix, self.name))
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


def check_matrix(matrix: Any, name: str = _DEFAULT) -> sparse.csr_array:
    """Return `matrix` as a canonical CSR array of floats, or say what is wrong with it and where.

    Entries must be finite and not negative. Explicit zeros and duplicate entries are folded away in a copy;
    the caller's matrix is never changed. `name` is the relation, for messages.
    """
    found = _csr(matrix, name)
    if found.dtype not in (np.float32, np.float64):
        found = found.astype(np.float32 if _exact_in_float32(found.data) else np.float64)
    _refuse_bad_entries(found, name)
    if found.has_canonical_format and np.all(found.data > 0):
        return found
    found = found.copy()
    found.sum_duplicates()
    found.eliminate_zeros()
    return found


def _csr(matrix: Any, name: str) -> sparse.csr_array:
    try:
        found = sparse.csr_array(matrix)
        if found.ndim == 2:
            # indices beyond the shape would have the compiled kernels read foreign memory
            found.check_format(full_check=True)
    except (TypeError, ValueError) as error:
        raise MatrixError(f"a matrix of {name} is needed ({error})") from error
    if found.ndim != 2:
        raise MatrixError(f"a matrix of {name} is needed; got {found.ndim} dimension(s)")
    if found.dtype.kind not in "biuf":
        raise MatrixError(f"the matrix of {name} must hold numbers; got {found.dtype}")
    return found


def _exact_in_float32(data: np.ndarray[Any, Any]) -> bool:
    return data.dtype.kind != "f" and (data.size == 0 or bool(np.abs(data).max() < 2**24))


def _refuse_bad_entries(matrix: sparse.csr_array, name: str) -> None:
    for what, bad in (
        ("NaN", np.isnan(matrix.data)),
        ("Infinity (inf)", np.isinf(matrix.data)),
        ("Numbers above 1e100", matrix.data > np.float64(LARGEST)),
        ("Numbers below 1e-100", (matrix.data > 0) & (matrix.data < np.float64(1.0 / LARGEST))),
        ("Negative values", matrix.data < 0),
    ):
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            row = int(np.searchsorted(matrix.indptr, at, side="right")) - 1
            raise MatrixError(
                f"{what} in data: row {row}, column {matrix.indices[at]} "
                f"({int(bad.sum())} in all) of {name}; entries must be finite, not negative, "
                "and of a size that can be summed"
            )
