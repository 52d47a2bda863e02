"""How far a run is: the share of all its work, and the seconds that are left, estimated from its events."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from colligate.progress import Event

FIRST_LOOK, PREPARING, STARTING, CLUSTERING, DRAWING = (
    "first look",
    "preparing",
    "starting",
    "clustering",
    "drawing",
)
# the share of each stage in the time of a first run of `colligate` on 19,000 documents
WEIGHTS = {FIRST_LOOK: 0.05, PREPARING: 0.25, STARTING: 0.5, CLUSTERING: 0.15, DRAWING: 0.05}
HALFWAY = 10
"""After so many iterations a restart counts as half done: how many it needs is not known before."""
LEAST_SHARE = 0.1
"""Before this share is done, no time left is estimated."""
NOTE = re.compile(r"restart (\d+) of (\d+), iteration (\d+), objective (\S+)")


class RunMeter:
    """Turns the events of one run into messages for the page; the share never falls."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._share = 0.0
        self._has_start = False

    def read(self, event: Event) -> dict[str, Any]:
        """Describe an event: its stage, restart, iteration and objective if it has them, and the share."""
        message: dict[str, Any] = {"stage": event.stage, "note": event.note}
        if event.stage in WEIGHTS:
            note = NOTE.fullmatch(event.note)
            inner = event.done / (event.total or 1)
            if note is not None:
                restart, restarts, sweep = int(note[1]), int(note[2]), int(note[3])
                inner = (restart - 1 + sweep / (sweep + HALFWAY)) / restarts
                message |= {"restart": restart, "restarts": restarts, "sweep": sweep}
                message["objective"] = float(note[4])
            self._has_start |= event.stage == STARTING
            self._share = max(self._share, self._position(event.stage, inner))
        return message | {"share": round(self._share, 4), "left": self._estimate_left()}

    def _position(self, stage: str, inner: float) -> float:
        stages = list(WEIGHTS)
        before, weight = sum(WEIGHTS[name] for name in stages[: stages.index(stage)]), WEIGHTS[stage]
        if stage == CLUSTERING and not self._has_start:
            # methods without a start of several runs spend that time in their iterations
            before, weight = before - WEIGHTS[STARTING], weight + WEIGHTS[STARTING]
        return before + weight * inner

    def _estimate_left(self) -> float | None:
        if self._share < LEAST_SHARE:
            return None
        return round((self._clock() - self._began) * (1 - self._share) / self._share, 1)
