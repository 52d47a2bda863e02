"""What the mixture works on: evidence, directions, the names of groups, and who may be in which group."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.kernels import Rows
from colligate.methods.directions import Directions, dense_directions
from colligate.methods.mixture.named import Names
from colligate.methods.mixture.views import USUAL_CONCENTRATION, View
from colligate.methods.problem import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.knowledge import Guidance
    from colligate.methods.mixture.evidence import Scale
    from colligate.methods.mixture.space import Space
    from colligate.methods.outside_groups import Outside
    from colligate.network import Network

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]



@dataclass(frozen=True, eq=False)
class MixtureProblem(Problem):
    """Adds what every sweep needs again. `counts` is all that the documents have, relation by relation."""

    counts: csr_array | None = None
    scale: Scale | None = None
    space: Space | None = None
    views: tuple[View, ...] = ()
    names: Names = field(default_factory=lambda: Names((), ()))
    group_of_name: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    smoothing: float = 1.0
    uneven: bool = False
    outside: Outside | None = None
    memory: list[Any] = field(default_factory=list, repr=False)

    @property
    def given(self) -> Network:
        """The user's own network, without outsiders from elsewhere."""
        return self.network if self.outside is None else self.outside.given

    @property
    def n_inside(self) -> int:
        """The number of groups that are not for outsiders."""
        return self.n_groups if self.outside is None else self.outside.n_inside

    @property
    def n_groups(self) -> int:
        """The number of groups, those of outsiders included."""
        return self.sizes[self.network.centre]

    @property
    def n_documents(self) -> int:
        """The number of objects that are grouped first, outsiders from elsewhere included."""
        return len(self.network.types[self.network.centre])

    @property
    def known(self) -> Guidance | None:
        """The guidance of the documents."""
        return self.guidance.get(self.network.centre)

    @cached_property
    def evidence(self) -> Rows:
        """What every entry counts."""
        assert self.counts is not None
        assert self.scale is not None
        return Rows.of(self.scale.evidence(self.counts))

    @cached_property
    def mass(self) -> Floats:
        """The sum of each document's evidence."""
        return np.add.reduceat(np.append(self.evidence.data, 0.0), self.evidence.indptr[:-1]) * self.filled

    @cached_property
    def filled(self) -> NDArray[np.bool_]:
        """Which documents have anything."""
        assert self.counts is not None
        return np.diff(self.counts.indptr) > 0

    @cached_property
    def together(self) -> Directions:
        """All views of the documents side by side, as one direction."""
        if len(self.views) == 1:
            return self.views[0].directions
        rows = [np.asarray(view.directions.unit) for view in self.views]
        weights = [1.0, *(np.sqrt(view.concentration / USUAL_CONCENTRATION) for view in self.views[1:])]
        side = np.hstack([weight * own for weight, own in zip(weights, rows, strict=True)])
        return dense_directions(side, np.any([view.directions.filled for view in self.views], axis=0))

    @cached_property
    def share(self) -> Floats:
        """The share of every column in the evidence of its relation."""
        assert self.scale is not None
        total = np.bincount(self.evidence.indices, self.evidence.data, self.evidence.n_columns)
        sums = np.add.reduceat(np.append(total, 0.0), self.scale.bounds[:-1]) if len(total) else np.zeros(1)
        return np.asarray(total / np.maximum(sums[self.scale.relation], 1e-300))

    @cached_property
    def n_statements(self) -> int:
        """One more than the highest number of a statement that the guidance speaks of."""
        found = [leaning.statement for leaning in self.names.leanings]
        for known in self.guidance.values():
            found += [known.pairs.statement, *(links.statement for links in known.groups)]
        return 1 + max((int(each.max(initial=-1)) for each in found), default=-1)

    @cached_property
    def closed(self) -> NDArray[np.bool_] | None:
        """Documents × groups: where a document may not be; None if every document may be anywhere."""
        if self.outside is None:
            return None
        found = np.zeros((self.n_documents, self.n_groups), dtype=bool)
        found[self.outside.members, : self.n_inside] = True
        found[self.outside.insiders, self.n_inside :] = True
        return found
