"""The methods by name. The method `a-b` is the class of that name in `colligate/methods/a_b.py`."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any

from colligate.errors import ParameterError, UnknownMethodError

if TYPE_CHECKING:
    from collections.abc import Iterable

PACKAGE = "colligate.methods"


@dataclass(frozen=True)
class MethodInfo:
    """A method as `colligate.methods()` lists it.

    Attributes
    ----------
    name : str
        The name for `colligate.make`.
    family : str
        The family of methods it belongs to.
    paper : str
        The paper that describes it.
    summary : str
        One sentence on what it does.
    takes : tuple of str
        The kinds of knowledge it takes, such as ``"links:documents"``.
    """

    name: str
    family: str
    paper: str
    summary: str
    takes: tuple[str, ...]


def make(name: str, **parameters: Any) -> Any:
    """Make the estimator of a method.

    Parameters
    ----------
    name : str
        The name of the method, as `colligate.methods()` lists it.
    **parameters
        The parameters of its class.

    Returns
    -------
    Method
        An estimator with `fit` and `predict`, as in scikit-learn.

    Raises
    ------
    UnknownMethodError
        If there is no method of that name.
    ParameterError
        If the method has no such parameter.
    """
    if not isinstance(name, str):
        raise UnknownMethodError(f"a method is made by its name, as in make('kmeans'); got {name!r:.60}")
    check_parameter_names(name, parameters)
    return find_method(name)(**parameters)


def check_parameter_names(name: str, parameters: Iterable[str]) -> None:
    """Raise a ParameterError for a parameter that the method does not have."""
    available = inspect.signature(find_method(name)).parameters
    for parameter in parameters:
        if parameter not in available:
            near = get_close_matches(parameter, available, n=1)
            meant = f"; did you mean {near[0]}?" if near else "."
            listed = ", ".join(sorted(available))
            raise ParameterError(f"{name} has no parameter {parameter}{meant} Its parameters are {listed}.")


def methods() -> tuple[MethodInfo, ...]:
    """List all methods: name, family, paper, summary and the knowledge they accept."""
    return tuple(
        MethodInfo(name, cls.family, cls.paper, (cls.__doc__ or "").strip().splitlines()[0], cls.takes)
        for name, cls in load_methods().items()
    )


@cache
def find_method(name: str) -> type[Any]:
    """Return the class of a method, importing its module only; all are imported to list them in an error."""
    cls = _import_methods(name.replace("-", "_")).get(name) if re.fullmatch(r"[a-z\d-]+", name) else None
    if cls is not None:
        return cls
    names = list(load_methods())
    near = get_close_matches(name, names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    raise UnknownMethodError(f"there is no method {name!r}{hint} Methods: {', '.join(names)}.")


@cache
def load_methods() -> dict[str, type[Any]]:
    """Import all methods and return their classes by name, in the order of their names."""
    modules = pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__)
    classes = [item for module in modules for item in _import_methods(module.name).items()]
    return dict(sorted(classes))


def _import_methods(module: str) -> dict[str, type[Any]]:
    """Return the method classes that a module defines, by name; nothing if there is no such module."""
    path = f"{PACKAGE}.{module}"
    try:
        imported = importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        return {}
    classes = [value for value in vars(imported).values() if isinstance(value, type)]
    return {
        cls.__dict__["name"]: cls for cls in classes if cls.__module__ == path and cls.__dict__.get("name")
    }
