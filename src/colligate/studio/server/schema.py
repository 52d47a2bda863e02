"""Shapes of requests and answers: a TypedDict as a JSON schema, and what a client sent held against it."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from colligate.studio.server.endpoint import RefusedError

LARGEST = 2**53
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def schema(shape: Any) -> dict[str, Any]:
    """The JSON schema of a type."""
    origin, parts = get_origin(shape), get_args(shape)
    if origin is NotRequired:
        return schema(parts[0])
    if shape in PLAIN:
        return {"type": PLAIN[shape]}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (list, tuple):
        return {"type": "array", "items": schema(parts[0])}
    if origin in (Union, UnionType):
        return {"anyOf": [schema(part) for part in parts]}
    if is_typeddict(shape):
        return _object(shape)
    return {"type": "object"} if origin is dict or shape is dict else {}


def _object(shape: Any) -> dict[str, Any]:
    hints = get_type_hints(shape, include_extras=True)
    return {
        "type": "object",
        "properties": {name: schema(part) for name, part in hints.items()},
        "required": [name for name, part in hints.items() if get_origin(part) is not NotRequired],
    }


def refuse_unfit(value: Any, wanted: dict[str, Any], where: str = "the body") -> None:
    """Refuse what does not fit a schema, and say where."""
    if "anyOf" in wanted:
        if not any(_fits(value, part) for part in wanted["anyOf"]):
            raise RefusedError(422, f"{where} is none of the kinds that it may be", "see /api")
        return
    if not _fits(value, wanted):
        what = wanted.get("type") or f"one of {', '.join(map(str, wanted.get('enum', ())))}"
        raise RefusedError(422, f"{where} must be {what}; got {value!r:.60}", "see /api")
    if isinstance(value, dict) and "properties" in wanted:
        _refuse_unfit_parts(value, wanted, where)
    if isinstance(value, list) and "items" in wanted:
        for at, item in enumerate(value):
            refuse_unfit(item, wanted["items"], f"{where}[{at}]")


def _refuse_unfit_parts(value: dict[str, Any], wanted: dict[str, Any], where: str) -> None:
    known = wanted["properties"]
    if missing := [name for name in wanted["required"] if name not in value]:
        raise RefusedError(422, f"{where} lacks {missing[0]}", "see /api")
    if strange := sorted(value.keys() - known.keys()):
        raise RefusedError(
            422, f"{where} has no {strange[0]!r:.60}; it may have {', '.join(known)}", "see /api"
        )
    for name, part in value.items():
        refuse_unfit(part, known[name], f"{where}.{name}")


def _is_beyond(value: Any) -> bool:
    """Whether a number is larger than any that is meant: not all of what stores them can hold it."""
    return isinstance(value, int | float) and not abs(value) <= LARGEST


def _fits(value: Any, wanted: dict[str, Any]) -> bool:
    if "enum" in wanted:
        return value in wanted["enum"]
    kinds: dict[str, Any] = {
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
        "null": NoneType,
        "array": list,
        "object": dict,
    }
    kind = wanted.get("type")
    if kind in ("integer", "number") and (isinstance(value, bool) or _is_beyond(value)):
        return False
    return kind is None or isinstance(value, kinds[kind])
