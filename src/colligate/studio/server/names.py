"""What the groups of a run are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.studio.saying import told_labels

if TYPE_CHECKING:
    from colligate.studio.run_view import RunView
    from colligate.studio.session import Session


def group_names(session: Session, view: RunView) -> dict[int, str]:
    """What each group is called: as the user named it, or as the result does.

    A label that statements gave to a group is made of its words, and is not told twice.
    """
    live = session.project.journal.live()
    made = {label for entry in live for _, label in told_labels(entry) if _is_words(session, label)}
    found = {
        identity: next((label for label in made if name.startswith(f"{label}: ")), name)
        for identity, name in zip(view.record.identities, view.result.group_names, strict=True)
    }
    for entry in live:
        if entry.kind == "name" and entry.body["group"] in found:
            found[entry.body["group"]] = entry.body["name"]
    return found


def _is_words(session: Session, label: str) -> bool:
    words, terms = label.split(", "), session.project.network.types[session.project.terms].names
    return len(words) > 1 and all(word in terms for word in words)
