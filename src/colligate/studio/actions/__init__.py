"""The actions of the studio by name. An action is found because its class is in a module of this package."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from colligate.errors import KnowledgeError
from colligate.studio.actions.base import Action


@cache
def list_actions() -> dict[str, Action]:
    """List all actions by name, in the order of their names."""
    actions: dict[str, Action] = {}
    for module in pkgutil.iter_modules(__path__, prefix=f"{__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            # its own attribute: base classes without a name are no actions
            if isinstance(value, type) and issubclass(value, Action) and value.__dict__.get("name"):
                actions[value.name] = value()
    return dict(sorted(actions.items()))


def find_action(name: str) -> Action:
    """Return the action that recorded a statement."""
    return list_actions()[name]


def find_requestable(name: str) -> Action:
    """Return the action that a request names, or list the actions."""
    actions = {key: action for key, action in list_actions().items() if action.requestable}
    if name not in actions:
        raise KnowledgeError(f"there is no statement of the kind {name!r:.60}; kinds: {', '.join(actions)}")
    return actions[name]
