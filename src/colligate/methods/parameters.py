"""Parameter domains: the values that a parameter may have, and the check that refuses all others."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from colligate.errors import Parameter, ParameterError


@dataclass(frozen=True)
class Integer:
    """A whole number of at least `least`; `none` allows None as well, and `word` this word."""

    least: int
    none: bool = False
    word: str = ""

    def __str__(self) -> str:
        also = (f" or {self.word!r}" if self.word else "") + (" or None" if self.none else "")
        return f"a whole number of at least {self.least}{also}"

    def holds(self, value: Any) -> bool:
        """Return whether the value lies in the domain."""
        if value is None:
            return self.none
        if isinstance(value, str):
            return bool(self.word) and value == self.word
        if isinstance(value, bool) or not isinstance(value, numbers.Integral):
            return False
        return int(value) >= self.least


@dataclass(frozen=True)
class Real:
    """A finite number from `least` to `most`; `none` allows None as well."""

    least: float
    most: float = math.inf
    none: bool = False

    def __str__(self) -> str:
        most = f" and at most {self.most:g}" if self.most < math.inf else ""
        return f"a number of at least {self.least:g}{most}" + (" or None" if self.none else "")

    def holds(self, value: Any) -> bool:
        """Return whether the value lies in the domain."""
        if value is None:
            return self.none
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            return False
        return math.isfinite(value) and self.least <= float(value) <= self.most


@dataclass(frozen=True)
class Choice:
    """One of a few words; `array` allows an array as well, `none` None, and `others` any word."""

    words: tuple[str, ...]
    array: bool = False
    none: bool = False
    others: str = ""

    def __str__(self) -> str:
        also = f", {self.others}" if self.others else ""
        also += (" or an array" if self.array else "") + (" or None" if self.none else "")
        return "one of " + ", ".join(repr(word) for word in self.words) + also

    def holds(self, value: Any) -> bool:
        """Return whether the value lies in the domain."""
        if isinstance(value, str):
            return bool(self.others) or value in self.words
        return self.none if value is None else self.array


# whether a method follows its objective, or what its paper prints
PRINTED = "printed"
READING = Choice(("objective", PRINTED))


@dataclass(frozen=True)
class Flag:
    """True or False; `word` allows this word as well."""

    word: str = ""

    def __str__(self) -> str:
        return f"{self.word!r}, True or False" if self.word else "True or False"

    def holds(self, value: Any) -> bool:
        """Return whether the value lies in the domain."""
        if isinstance(value, str):
            return bool(self.word) and value == self.word
        return isinstance(value, bool | int | np.bool_) and value in (0, 1)


@dataclass(frozen=True)
class Jobs:
    """A number of threads: a positive whole number, -1 for all cores, or None for as many as help."""

    def __str__(self) -> str:
        return "a positive whole number, -1 for all cores, or None"

    def holds(self, value: Any) -> bool:
        """Return whether the value lies in the domain."""
        return value is None or (isinstance(value, numbers.Integral) and (value == -1 or int(value) > 0))


@dataclass(frozen=True)
class ByName:
    """One value of `each` for all, or a mapping to values of `mapped`; `names` describes its keys.

    Without `each`, it is a mapping or None.
    """

    each: Integer | Real | Choice | None
    names: str
    mapped: Integer | Real

    def __str__(self) -> str:
        mapping = f"a mapping from {self.names} to {self.mapped}"
        return f"None or {mapping}" if self.each is None else f"{self.each}, or {mapping}"

    def holds(self, value: Any) -> bool:
        """Return whether the value, or each value of a mapping, lies in the domain."""
        if not isinstance(value, Mapping):
            return value is None if self.each is None else self.each.holds(value)
        return all(isinstance(name, str) and self.mapped.holds(entry) for name, entry in value.items())


Domain = Integer | Real | Choice | Flag | Jobs | ByName


def check(owner: str, domains: Mapping[str, Domain], parameters: Mapping[str, Any]) -> None:
    """Refuse the first parameter outside its domain."""
    for name, domain in domains.items():
        if not domain.holds(parameters[name]):
            raise ParameterError(
                Parameter(name, owner="method"),
                f" must be {domain} in {owner}; got {parameters[name]!r}.",
                parameter=name,
            )
