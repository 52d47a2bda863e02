"""The knowledge file that a project was made with, or that an edit as text put in place of all statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate._text import count_noun
from colligate.studio.actions.base import Action
from colligate.studio.project.journal import TEXT

if TYPE_CHECKING:
    from colligate.studio.actions.base import Body
    from colligate.studio.knowledge import ActionLog


class KnowledgeFile(Action):
    """A knowledge file replaces all earlier statements; the journal leaves these out."""

    name = TEXT
    requestable = False

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Keep the text, which later statements override row by row."""
        log.file = str(body["text"])

    def describe(self, body: Body) -> str:
        """Say how long the file is."""
        return f"a knowledge file of {count_noun(len(body['text'].splitlines()), 'line')}"
