"""The methods by name. A method is found because its file lies in `colligate/methods/`."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any

from colligate.errors import UnknownMethodError


@dataclass(frozen=True)
class MethodInfo:
    """What `cg.methods()` tells of a method."""

    name: str
    family: str
    paper: str
    summary: str
    takes: tuple[str, ...]


@cache
def load_methods() -> dict[str, type[Any]]:
    """All method classes by name, in the order of their names."""
    package = importlib.import_module("colligate.methods")
    found: dict[str, type[Any]] = {}
    for module in pkgutil.iter_modules(package.__path__, prefix=f"{package.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and value.__module__ == module.name and value.__dict__.get("name"):
                found[value.__dict__["name"]] = value
    return dict(sorted(found.items()))


def find_method(name: str) -> type[Any]:
    """Return the class of a method, or say which names there are."""
    classes = load_methods()
    if name in classes:
        return classes[name]
    near = get_close_matches(name, classes, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    raise UnknownMethodError(f"there is no method {name!r}{hint} Methods: {', '.join(classes)}.")


def make(name: str, **parameters: Any) -> Any:
    """Make the estimator of a method by its name."""
    return find_method(name)(**parameters)


def methods() -> tuple[MethodInfo, ...]:
    """Name, family, paper and the knowledge taken, for every method."""
    return tuple(
        MethodInfo(name, cls.family, cls.paper, (cls.__doc__ or "").strip().splitlines()[0], cls.takes)
        for name, cls in load_methods().items()
    )
