"""Types of objects, relations between them, and the checks of names and matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate._array import check_sparse
from colligate.errors import InputError, MatrixError
from colligate.knowledge.text import singular
from colligate.shards.matrix import ShardedMatrix, count_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

DOCUMENTS = "documents"
WORDS = "words"
MAX_ENTRY = 1e100
"""Up to this, sums of squares and products with logarithms stay within the range of a float."""
MAX_OBJECTS = 2**31 - 1
"""Groups and positions are counted by 32 bits."""


@dataclass(frozen=True, eq=False, repr=False)
class ObjectType:
    """Objects of one type.

    Parameters
    ----------
    name
        The type, such as "documents".
    names
        The names of the objects, or a `range` if they are known by position.
    singular
        The noun for one object, such as "movie"; by default it is derived from the name of the type.
    """

    name: str
    names: Sequence[str] | range
    singular: str = ""

    def __post_init__(self) -> None:
        check_name(self.name, "type")
        if not self.singular:
            object.__setattr__(self, "singular", singular(self.name))
        check_name(self.singular, "singular")
        object.__setattr__(self, "names", _check_names(self.names, self.name))

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"ObjectType({self.name}: {len(self):,})"


def check_name(name: object, what: str) -> None:
    """Raise an error for what cannot be the name of a type or relation in messages, tables and files."""
    if not isinstance(name, str):
        raise InputError(f"the name of a {what} must be text; got {name!r:.60}")
    if not name or name != name.strip() or not name.isprintable():
        raise InputError(
            f"the name of a {what} must be one line of text without spaces around it; got {name!r:.60}"
        )


def _check_names(names: Any, type_name: str) -> Sequence[str] | range:
    if isinstance(names, range):
        # `len` of a longer range overflows
        if names and names[-1] >= MAX_OBJECTS:
            raise InputError(f"a type has at most {MAX_OBJECTS:,} objects; got {names} for {type_name}")
        if names != range(len(names)):
            raise InputError(
                f"the positions of {type_name} must be numbered from 0, as in range({len(names)}); got "
                f"{names}"
            )
        return names
    if isinstance(names, str):
        raise InputError(f"the names of {type_name} must be a list; got the single text {names!r:.60}")
    listed = names if isinstance(names, list | tuple) else list(names)
    _check_texts(listed, type_name)
    if len(set(listed)) < len(listed):
        _refuse_repeated(listed, type_name)
    return listed


def _check_texts(names: Sequence[Any], type_name: str) -> None:
    """Raise an error for a name that is not text or not Unicode; millions of names are checked at once."""
    try:
        "".join(names).encode()
    except (TypeError, UnicodeEncodeError):
        position, name = next((p, name) for p, name in enumerate(names) if not is_unicode(name))
        raise InputError(
            f"the names of {type_name} must be text in valid Unicode; got {name!r:.60} at position {position}"
        ) from None


def is_unicode(name: object) -> bool:
    """Whether a value is text that UTF-8 can hold; half of a surrogate pair cannot be stored."""
    try:
        return isinstance(name, str) and name.encode() is not None
    except UnicodeEncodeError:
        return False


def _refuse_repeated(names: Sequence[str], type_name: str) -> None:
    seen: dict[str, int] = {}
    for position, name in enumerate(names):
        if name in seen:
            raise InputError(
                f"the names of {type_name} must be unique; {name!r:.60} is at positions {seen[name]} and "
                f"{position}"
            )
        seen[name] = position


@dataclass(frozen=True, eq=False, repr=False)
class Relation:
    """A sparse non-negative matrix between two types, or between a type and itself.

    Parameters
    ----------
    rows, columns
        The two types.
    matrix
        The entries: finite and not negative.
    weight
        The weight of the relation in a method's objective; None leaves it to the method.
    name
        The name in results, by default as in `documents × words`. Several relations between the same two
        types need different names.
    in_text
        Whether the entries were counted in texts whose words are counted too, as mentions of entities are.
    """

    rows: str
    columns: str
    matrix: csr_array
    weight: float | None = None
    name: str = ""
    in_text: bool = False

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", f"{self.rows} × {self.columns}")
        check_name(self.name, "relation")
        object.__setattr__(self, "matrix", check_matrix(self.matrix, self.name))
        _check_weight(self.weight, self.name)

    def with_weight(self, weight: float) -> Relation:
        """Return the relation with another weight; its matrix is not checked again."""
        weighted = copy(self)
        object.__setattr__(weighted, "weight", weight)
        _check_weight(weight, self.name)
        return weighted

    @cached_property
    def total(self) -> float:
        """The sum of all entries."""
        return float(self.matrix.sum(dtype=np.float64))

    @cached_property
    def filled_columns(self) -> NDArray[np.bool_]:
        """Which columns have an entry."""
        return np.asarray(count_columns(self.matrix) > 0)

    @property
    def effective_weight(self) -> float:
        """The weight of the relation, or 1 if it has none."""
        return 1.0 if self.weight is None else float(self.weight)

    @property
    def per_occurrence(self) -> float:
        """The weight of one unit of an entry: the effective weight over the sum of all entries."""
        return self.effective_weight / self.total if self.total > 0 else 0.0

    def __repr__(self) -> str:
        return f"Relation({self})"

    def __str__(self) -> str:
        entries = self.matrix.nnz
        return f"{self.name}: {entries:,} {'entry' if entries == 1 else 'entries'}"


def _check_weight(weight: float | None, name: str) -> None:
    if weight is not None and not (math.isfinite(weight) and weight >= 0):
        raise InputError(f"the weight of relation {name} must be finite and not negative; got {weight}")


def check_matrix(matrix: Any, name: str = f"{DOCUMENTS} × {WORDS}") -> sparse.csr_array:
    """Return `matrix` as a canonical CSR array of floats, or raise an error that names the wrong entry.

    Entries must be finite and not negative. Explicit zeros and duplicate entries are merged in a copy; the
    caller's matrix is never changed. `name` is the relation, for messages. Shards were checked on their
    workers.
    """
    if isinstance(matrix, ShardedMatrix):
        return matrix
    csr = _to_csr(matrix, name)
    if csr.dtype not in (np.float32, np.float64):
        csr = csr.astype(np.float32 if _is_exact_in_float32(csr.data) else np.float64)
    _check_entries(csr, name)
    if csr.has_canonical_format and np.all(csr.data > 0):
        return csr
    csr = csr.copy()
    csr.sum_duplicates()
    csr.eliminate_zeros()
    return csr


def refuse_masked(matrix: Any, name: str = f"{DOCUMENTS} × {WORDS}") -> None:
    """Raise a MatrixError for masked entries: NumPy and SciPy take the number under the mask."""
    if isinstance(matrix, np.ma.MaskedArray) and np.ma.is_masked(matrix):
        count = int(np.ma.getmaskarray(matrix).sum())
        raise MatrixError(
            f"the matrix of {name} has masked entries ({count:,} of them); write what they count, as in "
            "matrix.filled(0)"
        )


def _to_csr(matrix: Any, name: str) -> sparse.csr_array:
    refuse_masked(matrix, name)
    if not (sparse.issparse(matrix) or isinstance(matrix, Sequence) or hasattr(matrix, "__array__")):
        raise MatrixError(f"a matrix of {name} is needed; got {type(matrix).__name__}")
    try:
        # before SciPy converts it, which trusts the arrays of indices
        check_sparse(matrix)
        csr = sparse.csr_array(matrix)
        check_sparse(csr)
        if csr.ndim == 2 and len(csr.indices) != csr.indptr[-1]:
            # entries beyond the last row, which SciPy allows
            csr = csr.copy()
            csr.prune()
    except (TypeError, ValueError) as error:
        raise MatrixError(f"a matrix of {name} is needed ({error})") from error
    if csr.ndim != 2:
        raise MatrixError(f"a matrix of {name} is needed; got {csr.ndim} dimension(s)")
    if csr.dtype.kind not in "biuf":
        raise MatrixError(f"the matrix of {name} must contain numbers; got {csr.dtype}")
    return csr


def _is_exact_in_float32(data: np.ndarray[Any, Any]) -> bool:
    return data.dtype.kind != "f" and (data.size == 0 or bool(np.abs(data).max() < 2**24))


def _check_entries(matrix: sparse.csr_array, name: str) -> None:
    for what, bad in (
        ("NaN", np.isnan(matrix.data)),
        ("Infinity (inf)", np.isinf(matrix.data)),
        ("Numbers above 1e100", matrix.data > np.float64(MAX_ENTRY)),
        ("Numbers below 1e-100", (matrix.data > 0) & (matrix.data < np.float64(1.0 / MAX_ENTRY))),
        ("Negative values", matrix.data < 0),
    ):
        if bad.any():
            entry = int(np.flatnonzero(bad)[0])
            row = int(np.searchsorted(matrix.indptr, entry, side="right")) - 1
            raise MatrixError(
                f"{what} in data: row {row}, column {matrix.indices[entry]} of {name} "
                f"({int(bad.sum())} such entries in all); entries must be finite and not negative, "
                "and their sum must be finite"
            )
