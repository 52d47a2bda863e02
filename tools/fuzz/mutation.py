"""Random changes of bytes, texts, JSON values and arrays, each with a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import random

INTERESTING_NUMBERS = (
    *(
        0,
        1,
        -1,
        2,
        7,
        60,
        127,
        128,
        255,
        256,
        5000,
        65535,
        65536,
        2**31 - 1,
        2**31,
        -(2**31),
        2**53,
        2**63 - 1,
    ),
    *(-(2**63), 2**64, 10**30, 0.5, -0.5, 1e-300, 1e300, 1e308, float("inf"), float("-inf"), float("nan")),
)
INTERESTING_TEXTS = (
    *(
        "",
        " ",
        "\0",
        "\n",
        "\r\n",
        "\ud800",
        "\ufeff",
        "\u202e",
        "a" * 5000,
        "../../etc/passwd",
        "/etc/passwd",
    ),
    *(
        "<script>alert(1)</script>",
        "'; DROP TABLE x; --",
        "=1+1",
        "%s%n",
        "{}",
        "[]",
        "null",
        "NaN",
        "-0",
        "1e999",
    ),
    *("𝒳", "ﷺ", "e\u0301", "\x1b[31m", "C:\\x", "nul", "~", "*", "file:///dev/zero", "http://127.0.0.1:1/"),
)
DTYPES = ("i1", "u1", "i2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", ">f8", ">i4", "c16", "?")
NUMBERS_OF_CHANGES = (1, 1, 1, 2, 4)
"""Mostly one: what has many faults is refused for the first of them, and the rest is never tried."""


def mutate_bytes(rng: random.Random, data: bytes) -> bytes:
    """Change, insert, remove, repeat or swap some bytes."""
    changed = bytearray(data)
    for _ in range(rng.choice(NUMBERS_OF_CHANGES)):
        place = rng.randrange(len(changed) + 1)
        length = min(rng.choice((1, 1, 2, 4, 16, 200)), len(changed) - place)
        kind = rng.randrange(6)
        if kind == 0 and place < len(changed):
            changed[place] = rng.randrange(256)
        elif kind == 1:
            changed[place:place] = rng.choice(INTERESTING_TEXTS).encode("utf-8", "surrogatepass")
        elif kind == 2:
            del changed[place : place + length]
        elif kind == 3:
            changed[place:place] = changed[place : place + length] * rng.choice((1, 2, 50))
        elif kind == 4:
            changed[place:place] = rng.randbytes(length)
        else:
            del changed[place:]
    return bytes(changed)


def mutate_text(rng: random.Random, text: str) -> str:
    """Change a text as bytes or by its tokens; what is no Unicode any more is replaced."""
    if rng.random() < 0.5:
        return mutate_bytes(rng, text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
    tokens = text.split(" ")
    for _ in range(rng.choice(NUMBERS_OF_CHANGES)):
        place = rng.randrange(len(tokens))
        token = rng.choice(tokens)
        tokens[place] = rng.choice(
            (token, token * 2, rng.choice(INTERESTING_TEXTS), str(rng.choice(INTERESTING_NUMBERS)), "")
        )
    return " ".join(tokens)


def make_value(rng: random.Random, depth: int = 0) -> Any:
    """Make a JSON value of any kind."""
    kind = rng.randrange(7 if depth < 3 else 5)
    if kind == 0:
        return rng.choice((None, True, False))
    if kind in (1, 2):
        return rng.choice(INTERESTING_NUMBERS)
    if kind in (3, 4):
        return rng.choice(INTERESTING_TEXTS)
    values = [make_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return values if kind == 5 else {str(rng.choice(INTERESTING_TEXTS)): value for value in values}


def make_deep_value(rng: random.Random) -> Any:
    """Make a value that is nested deeper than code that walks through it can go."""
    value: Any = 1
    for _ in range(rng.choice((50, 200, 900))):
        value = [value] if rng.random() < 0.5 else {"a": value}
    return value


def mutate_value(rng: random.Random, value: Any) -> Any:
    """Change one place of a JSON value."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(list(value))
        kind = rng.randrange(8)
        if kind == 0:
            return {key: item for key, item in value.items() if key != name}
        if kind == 1:
            return {**value, rng.choice(INTERESTING_TEXTS): make_value(rng)}
        return {**value, name: mutate_value(rng, value[name])}
    if isinstance(value, list) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        kind = rng.randrange(5)
        if kind == 0:
            return value[:place] + value[place + 1 :]
        if kind == 1:
            return [*value, value[place]]
        return [*value[:place], mutate_value(rng, value[place]), *value[place + 1 :]]
    if isinstance(value, str) and rng.random() < 0.6:
        return mutate_text(rng, value)
    return make_deep_value(rng) if rng.random() < 0.02 else make_value(rng)


def mutate_array(rng: random.Random, array: np.ndarray) -> np.ndarray:
    """Change entries, the type, the shape or the order of an array."""
    kind = rng.randrange(8)
    with np.errstate(all="ignore"):
        if kind < 3 and array.size:
            changed = np.array(array)
            flat = changed.reshape(-1)
            for _ in range(rng.choice((1, 1, 1, 3, flat.size))):
                number = rng.choice(INTERESTING_NUMBERS)
                if changed.dtype.kind in "iu":
                    limits = np.iinfo(changed.dtype)
                    number = 0 if number != number else int(max(min(number, limits.max), limits.min))
                flat[rng.randrange(flat.size)] = number
            return changed
        if kind == 3:
            return array.astype(rng.choice(DTYPES))
        if kind == 4 and array.ndim:
            return np.array(array[tuple(slice(0, rng.randrange(size + 1)) for size in array.shape)])
        if kind == 5:
            return array.reshape(-1) if rng.random() < 0.5 else array[None]
        if kind == 6 and array.ndim > 1:
            return np.asfortranarray(array) if rng.random() < 0.5 else np.array(array.T)
        if kind == 7 and array.ndim:
            return np.concatenate([array, array], axis=rng.randrange(array.ndim))
    return np.zeros(rng.choice(((), (0,), (0, 0), (1, 1, 1), (0, 10**6), (3,))))
