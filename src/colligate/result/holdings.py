"""What a result holds: taken over, made read-only and checked against its network."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate.errors import InputError
from colligate.result.provenance import versions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.corpus import Corpus
    from colligate.knowledge import Compiled
    from colligate.network import Network

Labels = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Holdings:
    """The parts of a result. The arrays are taken over and made read-only."""

    method: str
    parameters: Mapping[str, Any]
    seed: int | None
    network: Network
    corpus: Corpus | None
    labels: Mapping[str, Labels]
    memberships: Mapping[str, NDArray[np.float32]]
    association: Mapping[str, Floats]
    history: tuple[float, ...]
    n_iter: int
    converged: bool
    restarts: tuple[float, ...]
    chosen: int
    model: Mapping[str, NDArray[Any]]
    compiled: Compiled | None = None
    statement_costs: Floats = field(default_factory=lambda: np.zeros(0))
    before: Mapping[str, Labels] | None = None
    versions: Mapping[str, str] = field(default_factory=versions)

    def __post_init__(self) -> None:
        for name, kind in (("labels", np.int32), ("memberships", np.float32), ("association", np.float64)):
            self._take_over(name, kind)
        self._take_over("model", None)
        if self.before is not None:
            self._take_over("before", np.int32)
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))
        object.__setattr__(self, "versions", MappingProxyType(dict(self.versions)))
        object.__setattr__(self, "statement_costs", read_only(self.statement_costs, np.float64))
        self._check()

    def __getstate__(self) -> dict[str, Any]:
        # scikit-learn's tools copy fitted estimators between processes; read-only views cannot travel
        own = {part.name: getattr(self, part.name) for part in fields(self)}
        return {name: dict(v) if isinstance(v, MappingProxyType) else v for name, v in own.items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def _take_over(self, name: str, kind: Any) -> None:
        arrays = {key: read_only(value, kind) for key, value in getattr(self, name).items()}
        object.__setattr__(self, name, MappingProxyType(arrays))

    def _check(self) -> None:
        for part in (self.labels, self.memberships, self.before or {}):
            for kind, values in part.items():
                if kind not in self.network.types or len(values) != len(self.network.types[kind]):
                    raise InputError(f"the result's arrays for {kind} do not fit the network")
        # without knowledge, other types may have had other numbers of groups
        before = [item for item in (self.before or {}).items() if item[0] == self.network.centre]
        for kind, labels in (*self.labels.items(), *before):
            if labels.max(initial=-1) >= self.n_groups(kind):
                raise InputError(
                    f"a label of {kind} is beyond the {self.n_groups(kind)} groups of the result"
                )

    def n_groups(self, kind: str | None = None) -> int:
        """How many groups the objects of a type, or of the centre, were put in; empty groups count."""
        kind = self.network.centre if kind is None else kind
        if kind in self.memberships:
            return int(self.memberships[kind].shape[1])
        return int(self.labels[kind].max(initial=-1)) + 1


def read_only(values: Any, kind: Any) -> NDArray[Any]:
    """The values as an array that cannot be written to."""
    array = np.asarray(values, dtype=kind)
    array.flags.writeable = False
    return array
