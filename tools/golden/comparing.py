"""What differs between a recorded item and what is computed now."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NUMBERS = ("objective", "history", "curve")
WORDING = ("csv", "names", "text")
ROUNDED = ("confidence", "memberships", "reasons")
ABSENT = "(absent)"


@dataclass(frozen=True)
class Difference:
    """One value of one item that is not as recorded."""

    item: str
    what: str
    recorded: str
    now: str


@dataclass(frozen=True)
class Rules:
    """What must be equal: labels always, objectives within a relative tolerance.

    Without `wording` tables, names of groups and the text of knowledge files do not count; without `rounded`
    hashes of rounded numbers do not, which another processor may round the other way.
    """

    tolerance: float = 0.0
    wording: bool = True
    rounded: bool = True

    def ignores(self, what: str) -> bool:
        """Tell whether a value does not count."""
        parts = set(what.split("."))
        return not (
            (self.wording or parts.isdisjoint(WORDING)) and (self.rounded or parts.isdisjoint(ROUNDED))
        )

    def agree(self, what: str, recorded: Any, now: Any) -> bool:
        """Tell whether two values count as equal."""
        if recorded == now or what.partition(".")[0] not in NUMBERS or not self.tolerance:
            return bool(recorded == now)
        try:
            return math.isclose(float(recorded), float(now), rel_tol=self.tolerance)
        except (TypeError, ValueError):
            return False


def compare_items(
    recorded: Mapping[str, Mapping[str, Any]], now: Mapping[str, Mapping[str, Any]], rules: Rules
) -> Iterator[Difference]:
    """List every value that differs, item by item."""
    for item in sorted(recorded.keys() | now.keys()):
        if item not in now or item not in recorded:
            there = "recorded" if item in recorded else "computed"
            yield Difference(item, "item", *((there, ABSENT) if item in recorded else (ABSENT, there)))
            continue
        if "failed" in now[item]:
            yield Difference(item, "failed", "computed", str(now[item]["failed"]))
            continue
        old, new = dict(flatten(recorded[item])), dict(flatten(now[item]))
        for what in sorted(old.keys() | new.keys()):
            before, after = old.get(what, ABSENT), new.get(what, ABSENT)
            if not rules.ignores(what) and not rules.agree(what, before, after):
                yield Difference(item, what, str(before), str(after))


def flatten(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """List the leaves of nested mappings and lists by their paths."""
    if isinstance(value, dict) and value:
        for name, part in value.items():
            yield from flatten(part, f"{prefix}.{name}" if prefix else str(name))
    elif isinstance(value, list) and value:
        for number, part in enumerate(value):
            yield from flatten(part, f"{prefix}.{number}")
    else:
        yield prefix, value
