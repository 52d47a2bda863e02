"""The parameters of a method, as the command line gives them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import typer

from colligate.errors import ParameterError

OPTIONS = {
    "n_clusters": "--clusters",
    "n_word_clusters": "--word-clusters",
    "n_init": "--restarts",
    "max_iter": "--max-iter",
    "n_jobs": "--jobs",
    "random_state": "--seed",
}


def further_parameters(given: Sequence[str]) -> dict[str, Any]:
    """Read `name=value` pairs; a value is JSON (20, 0.5, true, null), True, False or None, or else text."""
    found: dict[str, Any] = {}
    for item in given:
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise typer.BadParameter(f"{item!r} is not like name=value", param_hint="--param")
        if name in OPTIONS:
            raise typer.BadParameter(f"{name} is set by {OPTIONS[name]}", param_hint="--param")
        if name in found:
            raise typer.BadParameter(f"{name} is given twice", param_hint="--param")
        found[name] = _value(value)
    return found


def make_method(name: str, parameters: Mapping[str, Any]) -> Any:
    """Make a method with the parameters that were given (not None), or say which ones it has."""
    from colligate.registry import find

    made = find(name)()
    known = made.get_params(deep=False)
    asked = {key: value for key, value in parameters.items() if value is not None or key not in OPTIONS}
    for key in asked:
        if key not in known:
            raise ParameterError(f"{name} has no parameter {key}{_hint(key, known)}")
    return made.set_params(**asked)


def _hint(key: str, known: Mapping[str, Any]) -> str:
    if key in OPTIONS:
        return f"; leave out {OPTIONS[key]}, or choose another --method"
    near = get_close_matches(key, known, n=1)
    further = sorted(set(known) - set(OPTIONS))
    meant = f"; did you mean {near[0]}?" if near else ";"
    return f"{meant} Those for --param are {', '.join(further)}." if further else "; it has none for --param."


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {"True": True, "False": False, "None": None}.get(text, text)
