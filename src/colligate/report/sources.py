"""Where statements came from, in short: a long path tells a reader of the table nothing new in every row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_FILE_AND_LINE = re.compile(r"(?P<folder>.*[/\\])(?P<name>[^/\\]+\.[^/\\:]+)(?P<line>:\d+)?")


@dataclass(frozen=True)
class Sources:
    """The short form of every source, and the paths that were shortened, each once."""

    short: Mapping[str, str]
    paths: Sequence[str]


def short_sources(sources: Iterable[str]) -> Sources:
    """Files by their name only, unless two of them share it; all else as it is."""
    given = list(dict.fromkeys(sources))
    found = {source: match for source in given if (match := _FILE_AND_LINE.fullmatch(source))}
    folders: dict[str, set[str]] = {}
    for match in found.values():
        folders.setdefault(match["name"], set()).add(match["folder"])
    clear = {source: match for source, match in found.items() if len(folders[match["name"]]) == 1}
    short = {source: f"{match['name']}{match['line'] or ''}" for source, match in clear.items()}
    paths = dict.fromkeys(match["folder"] + match["name"] for match in clear.values())
    return Sources({source: short.get(source, source) for source in given}, list(paths))
