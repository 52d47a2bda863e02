"""Values made of arrays, kept as long as the arrays live."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

T = TypeVar("T")


class Kept:
    """Arrays of a state are never changed, so that the same arrays mean the same value.

    It holds weak references alone: no array lives longer for it.
    """

    def __init__(self) -> None:
        self._values: dict[tuple[Any, ...], tuple[list[weakref.ref[Any]], Any]] = {}

    def get(self, name: str, arrays: Sequence[NDArray[Any]], make: Callable[[], T]) -> T:
        """The value of that name made of these arrays."""
        key = (name, *map(id, arrays))
        known = self._values.get(key)
        if known is not None and all(ref() is array for ref, array in zip(known[0], arrays, strict=True)):
            value: T = known[1]
            return value
        made = make()
        self._values = {
            key: entry for key, entry in self._values.items() if all(ref() is not None for ref in entry[0])
        }
        self._values[key] = ([weakref.ref(array) for array in arrays], made)
        return made
