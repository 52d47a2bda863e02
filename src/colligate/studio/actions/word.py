"""Actions on words: category (seed words of a group)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from colligate.studio.actions.base import NAME, TEXT, Action, check_objects

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from colligate.network import Network
    from colligate.studio.actions.base import Body
    from colligate.studio.knowledge import ActionLog
    from colligate.studio.run_views import RunView


class Category(Action):
    """A word is a seed word of a category."""

    name = "category"
    fields: ClassVar = {"name": NAME, "word": TEXT}

    def check(self, body: Body, network: Network, view: RunView | None) -> None:
        """Refuse a word that does not occur."""
        check_objects(network, network.terms, [body["word"]], "named twice")

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Put the word into its category."""
        log.categories.pop(body["word"], None)
        log.categories[body["word"]] = (body["name"], source)

    def subjects(self, body: Body) -> Iterable[Hashable]:
        """Decide the category of the word."""
        return [("word", body["word"])]

    def describe(self, body: Body, name_of: Callable[[str], str]) -> str:
        """Say what the word is about."""
        return f"the word {body['word']} is about {body['name']}"
