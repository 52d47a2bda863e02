"""The progress of a run in numbers: restart, sweep and objective, from the events of the loop."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from colligate.progress import Event

NOTE = re.compile(r"restart (\d+) of (\d+), sweep (\d+), objective (\S+)")


def step_of(event: Event) -> dict[str, Any]:
    """What an event tells; only the stage where it is not a sweep."""
    found = NOTE.fullmatch(event.note)
    if found is None:
        return {"stage": event.stage, "note": event.note}
    return {
        "stage": event.stage,
        "restart": int(found[1]),
        "restarts": int(found[2]),
        "sweep": int(found[3]),
        "objective": float(found[4]),
    }
