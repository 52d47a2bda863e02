"""What the groups of a run are called: on the page, and by the labels that statements gave them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.studio.project import Entry, Project
    from colligate.studio.run_views import RunView


@dataclass(frozen=True)
class Called:
    """What a group is called; `short` leaves out the words that are told beside a label."""

    name: str
    short: str


def called(project: Project, view: RunView) -> dict[int, Called]:
    """What each group is called: as the user named it, or as the result does.

    A label that statements gave to a group is made of its words, and is not told twice.
    """
    live = project.journal.live()
    made = {label for entry in live for _, label in told_labels(entry) if _is_words(project, label)}
    found = {}
    for k, (identity, name) in enumerate(zip(view.record.identities, view.result.group_names, strict=True)):
        told = next((label for label in made if name.startswith(f"{label}: ")), name)
        claim = view.claims.get(k, told)
        found[identity] = Called(told, claim if told.startswith(f"{claim}: ") else told)
    for entry in live:
        if entry.kind == "name" and entry.body["group"] in found:
            found[entry.body["group"]] = Called(entry.body["name"], entry.body["name"])
    return found


def group_names(project: Project, view: RunView) -> dict[int, str]:
    """The whole name of each group."""
    return {identity: one.name for identity, one in called(project, view).items()}


def told_labels(entry: Entry) -> Iterator[tuple[int, str]]:
    """Which groups a statement called by which labels."""
    body = entry.body
    if entry.kind == "merge":
        yield from zip(body["groups"], body["labels"], strict=True)
    elif entry.kind == "split":
        yield body["group"], body["labels"][0]
    elif entry.kind in ("label", "name", "freeze"):
        yield body["group"], body["label"]


def _is_words(project: Project, label: str) -> bool:
    words, terms = label.split(", "), project.network.types[project.terms].names
    return len(words) > 1 and all(word in terms for word in words)
