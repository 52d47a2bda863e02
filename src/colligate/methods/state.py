"""Where a run stands: labels per type and whatever other numbers the method carries from sweep to sweep."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping

Labels = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class State:
    """Immutable; a sweep returns a new one. It holds arrays alone, so that any run can be checkpointed."""

    labels: Mapping[str, Labels]
    numbers: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    settled: bool = False

    def with_labels(self, kind: str, labels: Labels) -> State:
        """The same state with other labels for one type."""
        return State({**self.labels, kind: labels}, self.numbers, self.settled)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """All of it as named arrays."""
        arrays: dict[str, NDArray[Any]] = {f"labels/{kind}": value for kind, value in self.labels.items()}
        arrays.update({f"numbers/{name}": value for name, value in self.numbers.items()})
        arrays["settled"] = np.array(self.settled)
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> State:
        """The inverse of `to_arrays`."""
        split = {name: name.split("/", 1) for name in arrays if "/" in name}
        labels = {rest: arrays[name] for name, (part, rest) in split.items() if part == "labels"}
        numbers = {rest: arrays[name] for name, (part, rest) in split.items() if part == "numbers"}
        return cls(labels, numbers, bool(arrays["settled"]))
