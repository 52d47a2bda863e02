"""A run as the studio looks at it: its groups by their lasting numbers, with what is asked for often kept."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.questions.names import claims_of
from colligate.studio.missing import NotThereError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.result import Result
    from colligate.studio.project.work import RunRecord

EXEMPLARS = 10


class RunView:
    """One run: its record and its result."""

    def __init__(self, record: RunRecord, result: Result) -> None:
        self.record = record
        self.result = result
        self.position = {identity: k for k, identity in enumerate(record.identities)}

    def group(self, identity: int) -> int:
        """The group of the result that has a lasting number, or which numbers there are."""
        if identity not in self.position:
            raise NotThereError(
                f"run {self.record.number} has no group {identity}; its groups are "
                f"{', '.join(map(str, sorted(self.position)))}"
            )
        return self.position[identity]

    def identity(self, group: int) -> int:
        """The lasting number of a group; -1 for none."""
        return self.record.identities[group] if group >= 0 else -1

    @cached_property
    def labels(self) -> NDArray[np.int32]:
        """The group of every document, as the result numbers them."""
        return self.result.labels[self.result.centre]

    @cached_property
    def identities(self) -> NDArray[np.int64]:
        """The lasting number of the group of every document; -1 for none."""
        return np.append(np.array(self.record.identities, dtype=np.int64), -1)[self.labels]

    @cached_property
    def places(self) -> dict[str, int]:
        """The position of every document by its id."""
        return {str(name): at for at, name in enumerate(self.result.network.types[self.result.centre].names)}

    @cached_property
    def exemplars(self) -> list[list[str]]:
        """The ids of the documents that stand for each group of the result."""
        return [self.ids(part) for part in self.result.representatives(EXEMPLARS)]

    @cached_property
    def claims(self) -> dict[int, str]:
        """The groups of the result that the knowledge of the run names."""
        return claims_of(self.result)

    @cached_property
    def by_membership(self) -> list[NDArray[np.int64]]:
        """The documents of each group, the surest first."""
        order = np.lexsort((np.arange(self.labels.size), -self.result.confidence, self.labels))
        bounds = np.searchsorted(self.labels[order], np.arange(self.result.n_groups() + 1))
        return [order[start:end] for start, end in pairwise(bounds)]

    def members(self, group: int) -> NDArray[np.int64]:
        """The documents of a group of the result, in their own order."""
        return np.flatnonzero(self.labels == group)

    def positions(self, ids: list[str]) -> list[int]:
        """Where documents are, by their ids."""
        return [self.places[id] for id in ids]

    def ids(self, positions: Any) -> list[str]:
        """The ids of documents, by position where they have none."""
        names = self.result.network.types[self.result.centre].names
        return [str(names[at]) for at in np.asarray(positions, dtype=np.int64).tolist()]
