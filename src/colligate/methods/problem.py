"""What a method is given: the network, the guidance of each type, and the kernels to compute with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.kernels import Kernels
    from colligate.knowledge import Guidance
    from colligate.network import Network


@dataclass(frozen=True, eq=False)
class Problem:
    """One clustering problem. `sizes` gives the number of clusters of each type that is clustered."""

    network: Network
    kernels: Kernels
    sizes: Mapping[str, int]
    guidance: Mapping[str, Guidance] = field(default_factory=dict)

    @property
    def given(self) -> Network:
        """The network whose objects the result speaks of; a method may work on a larger one."""
        return self.network
