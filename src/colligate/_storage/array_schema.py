"""What stored arrays must be: their shape, their type and their range, checked once where they are read.

Compiled code does not check its arguments: a label beyond its table would be read and written outside the
table. An array of a file is therefore compared with a schema before anything uses it. Dimensions have names:
known ones, such as "documents", are passed in; all others must be equal wherever they occur.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FLOATS = ("float32", "float64")
DOUBLES = ("float64",)
"""What compiled code multiplies must be of one type."""
INTEGERS = ("int32", "int64")
BYTES = ("uint8",)
BOOLEANS = ("bool",)
LARGEST_EMPTY = 10**7
"""The largest dimension of an array without entries, which takes no bytes in a file."""
MAX_NUMBER = 1e150
"""Products of two stored numbers stay finite."""


@dataclass(frozen=True)
class ArraySpec:
    """What one array must be.

    Parameters
    ----------
    shape
        The dimensions: numbers, or names of dimensions. A name with + may be larger, as in "groups+".
    types
        The types of numbers that are accepted, in the byte order of this machine.
    least, below
        The range: the least entry, and a bound that all entries are below (a number or a dimension).
    optional
        Whether the array may be missing.
    check
        A further check, which raises ValueError.
    """

    shape: tuple[str | int, ...]
    types: tuple[str, ...] = FLOATS
    least: float | None = None
    below: float | str | None = None
    optional: bool = False
    check: Callable[[NDArray[Any]], None] | None = None


ArraySchema = Mapping[str, ArraySpec]
"""Arrays by name. A * in a name stands for any text, and in a dimension for the same text."""


def check_starts(starts: NDArray[Any]) -> None:
    """Raise ValueError for starts of rows (as in a CSR matrix) that do not begin at 0 or that fall."""
    if not len(starts) or starts[0] != 0 or (np.diff(starts) < 0).any():
        raise ValueError("must begin with 0 and never fall")


def check_complete(arrays: Mapping[str, NDArray[Any]], names: Sequence[str]) -> bool:
    """Raise ValueError if only some of the arrays are there; return whether they all are."""
    missing = [name for name in names if name not in arrays]
    if missing and len(missing) < len(names):
        raise ValueError(f"the array {missing[0]!a:.60} is missing, which belongs to others that are there")
    return not missing


def check_arrays(
    arrays: Mapping[str, NDArray[Any]], schema: ArraySchema, sizes: Mapping[str, int], what: str
) -> None:
    """Raise ValueError for arrays that are missing, unknown, or not what the schema says.

    Parameters
    ----------
    arrays
        The arrays by name.
    schema
        What they must be.
    sizes
        The known dimensions.
    what
        What the arrays belong to, for messages.
    """
    dimensions = dict(sizes)
    for name, spec in schema.items():
        if "*" not in name and not spec.optional and name not in arrays:
            raise ValueError(f"{what} lacks the array {name!a:.60}")
    specs = {name: _find_spec(name, schema, what) for name in arrays}
    # the ranges last: they refer to dimensions that other arrays have
    for check in (_check_shape, _check_range):
        for name, (spec, text) in specs.items():
            try:
                check(arrays[name], spec, text, dimensions)
            except ValueError as error:
                raise ValueError(f"the array {name!a:.60} of {what} {error}") from None


def _find_spec(name: str, schema: ArraySchema, what: str) -> tuple[ArraySpec, str]:
    """Return the entry for an array, and the text that its * stands for."""
    if name in schema:
        return schema[name], ""
    for pattern, spec in schema.items():
        head, star, tail = pattern.partition("*")
        if star and (match := re.fullmatch(f"{re.escape(head)}(.*){re.escape(tail)}", name, re.DOTALL)):
            return spec, match[1]
    raise ValueError(f"{what} has the array {name!a:.60}, which does not belong to it")


def _check_shape(values: NDArray[Any], spec: ArraySpec, text: str, dimensions: dict[str, int]) -> None:
    if values.dtype.name not in spec.types or not values.dtype.isnative:
        raise ValueError(f"must have the type {' or '.join(spec.types)}; it has {values.dtype.str}")
    shape = values.shape
    expected = [part if isinstance(part, int) else part.replace("*", text) for part in spec.shape]
    in_words = "×".join(map(str, expected)) or "a single number"
    if len(shape) != len(expected):
        raise ValueError(f"must be {in_words}; it has the shape {shape}")
    for size, name in zip(shape, expected, strict=True):
        if isinstance(name, int):
            fits = size == name
        elif name.endswith("+"):
            # bound under its name with the sign: all arrays agree on the larger number
            fits = dimensions.setdefault(name, size) == size >= dimensions[name[:-1]]
        else:
            fits = dimensions.setdefault(name, size) == size
        if not fits or (size > LARGEST_EMPTY and 0 in shape):
            known = ", ".join(f"{name} = {dimensions[name]}" for name in expected if name in dimensions)
            raise ValueError(f"must be {in_words} ({known}); it has the shape {shape}")


def _check_range(values: NDArray[Any], spec: ArraySpec, text: str, dimensions: dict[str, int]) -> None:
    if spec.check is not None:
        spec.check(values)
    if not values.size:
        return
    least, largest = values.min().item(), values.max().item()
    if values.dtype.kind == "f" and not (abs(least) <= MAX_NUMBER and abs(largest) <= MAX_NUMBER):
        raise ValueError(f"must have finite numbers up to {MAX_NUMBER:g}")
    if spec.least is not None and least < spec.least:
        raise ValueError(f"must not have numbers below {spec.least:g}; it has {least}")
    below = dimensions[spec.below.replace("*", text)] if isinstance(spec.below, str) else spec.below
    if below is not None and largest >= below:
        raise ValueError(f"must have numbers below {below}; it has {largest}")
