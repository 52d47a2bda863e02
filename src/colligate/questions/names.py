"""What answers call the groups of a result: as knowledge does where it names them, else by their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.result.claims import claimed_names

if TYPE_CHECKING:
    from collections.abc import Collection

    from colligate.result import Result


def claims_of(result: Result) -> dict[int, str]:
    """The groups of the centre that the knowledge of a result names."""
    if result.compiled is None:
        return {}
    guidance = dict(result.compiled.guidance)
    own = guidance.pop(result.centre, None)
    tables = {kind: reach.table for kind, reach in result.reach.items()}
    return claimed_names(result.labels[result.centre], result.n_groups(), tables, own, guidance)


def group_labels(result: Result) -> tuple[str, ...]:
    """A label for every group, which answers use; no two are the same."""
    claims = claims_of(result)
    taken = set(claims.values())
    return tuple(claims.get(group) or _other(name, taken) for group, name in enumerate(result.group_names))


def _other(name: str, taken: Collection[str]) -> str:
    """A name like this one that knowledge gives to no other group."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name} ({number})", number + 1
    return found
