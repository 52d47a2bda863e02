"""What must hold for the parts of a corpus to fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.errors import CorpusError, InputError, MatrixError

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST = np.iinfo(np.int32).max


def names(found: Sequence[object], size: int, kind: str) -> list[str]:
    """Return names as a list of str: one for each of `size` objects, all different, fit for a file."""
    if isinstance(found, str):
        raise InputError(f"{kind} must be a list of names; got a single str")
    result = [name if isinstance(name, str) else str(name) for name in found]
    if len(result) != size:
        raise InputError(f"there are {len(result)} {kind} for {size} in the counts; give one for each")
    _refuse_repeated(result, kind)
    for name in result:
        _refuse_unstorable(name, kind)
    return result


def whole_counts(matrix: Any) -> sparse.csr_array:
    """Return what a user gives as counts in canonical form: whole numbers, none of them negative."""
    try:
        found = sparse.csr_array(matrix, copy=True)
    except (TypeError, ValueError) as error:
        raise MatrixError(f"counts must be a matrix of documents × words ({error})") from error
    if found.ndim != 2:
        raise MatrixError(f"counts must be a matrix of documents × words; got {found.ndim} dimension(s)")
    if found.dtype.kind not in "biuf":
        raise MatrixError(f"counts must be numbers; got {found.dtype}")
    found.sum_duplicates()
    _refuse_broken(found)
    counts = found.astype(np.int32)
    counts.eliminate_zeros()
    return counts


def read_only(counts: sparse.csr_array) -> sparse.csr_array:
    """Return counts that nobody can change, in canonical form, which SciPy would otherwise make in place."""
    if not counts.has_canonical_format:
        counts = counts.copy()
        counts.sum_duplicates()
    for part in (counts.data, counts.indices, counts.indptr):
        part.setflags(write=False)
    return counts


def _refuse_broken(matrix: sparse.csr_array) -> None:
    data = matrix.data
    with np.errstate(invalid="ignore"):
        bad = ~np.isfinite(data) | (data < 0) | (data > LARGEST) | (data != np.floor(data))
    if bad.any():
        at = int(np.flatnonzero(bad)[0])
        row = int(np.searchsorted(matrix.indptr, at, side="right")) - 1
        raise MatrixError(
            f"counts must be whole numbers from 0 to {LARGEST}; got {data[at]} at row {row}, column "
            f"{matrix.indices[at]} ({int(bad.sum())} in all); "
            f"to use weights, fit a method on the matrix itself"
        )


def _refuse_repeated(found: list[str], kind: str) -> None:
    if len(set(found)) == len(found):
        return
    seen: dict[str, int] = {}
    for at, name in enumerate(found):
        if name in seen:
            raise CorpusError(f"{kind} must differ; {name!r} is at {seen[name]} and at {at}")
        seen[name] = at


def _refuse_unstorable(name: str, kind: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise CorpusError(f"{kind} must be text that a file can hold; {name!r} is not") from error
