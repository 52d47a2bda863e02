"""File names for the tables of types, which may be called anything: safe everywhere, and never the same."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from colligate.network import DOCUMENTS, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable

TAKEN = (DOCUMENTS, WORDS, "clusters", "knowledge", "relations", "contributions")
DEVICES = ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10)))
LONGEST = 40
NAMELESS = "type"


def table_names(kinds: Iterable[str]) -> dict[str, str]:
    """A file name for each type: documents.csv and words.csv for these two, else made of the type's name.

    A number follows where the name is that of another table, in whatever case, or of a device in Windows.
    """
    used, found = {*TAKEN, *DEVICES}, {}
    for kind in kinds:
        name = kind if kind in (DOCUMENTS, WORDS) else _unused(slug(kind), used)
        used.add(name.casefold())
        found[kind] = f"{name}.csv"
    return found


def slug(kind: str) -> str:
    """The letters and digits of a name, with hyphens for what is between them."""
    plain = unicodedata.normalize("NFKC", kind)
    return re.sub(r"[\W_]+", "-", plain)[:LONGEST].strip("-") or NAMELESS


def _unused(name: str, used: set[str]) -> str:
    number, found = 2, name
    while found.casefold() in used:
        found, number = f"{name}-{number}", number + 1
    return found
