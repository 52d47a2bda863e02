"""What a caller may ask of one run beside the method's own parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from colligate.methods.checkpoint import Checkpoint
from colligate.methods.fingerprint import fingerprint
from colligate.progress import Listener, nobody

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from colligate.methods.asked import Asked
    from colligate.methods.contract import Method
    from colligate.network import Network


@dataclass(frozen=True)
class RunOptions:
    """Who listens, where the run is kept while it goes, whether to stop, and whether to compare.

    With `compare`, the same method is run again without the knowledge, so that the result can say what the
    knowledge changed. A run goes on from `checkpoint` if that file is there,
    and leaves it there: whoever named it removes it once the result is safe.
    """

    listener: Listener = nobody
    checkpoint: Path | None = None
    checkpoint_interval: float = 1.0
    cancelled: Callable[[], bool] = bool
    compare: bool = False

    def checkpoint_for(self, method: Method, network: Network, asked: Asked) -> Checkpoint | None:
        """The checkpoint of one problem, known by what the problem is made of."""
        if self.checkpoint is None:
            return None
        return Checkpoint(self.checkpoint, fingerprint(method, network, asked), self.checkpoint_interval)

    def alone(self) -> RunOptions:
        """The same without a checkpoint, for the run without knowledge."""
        return replace(self, checkpoint=None)
