"""Telling by its header what separates the cells of a CSV file, which differs from country to country."""

from __future__ import annotations

import re

NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
_QUOTED = re.compile(r'"[^"]*"?')


def delimiter_of(header: str) -> str:
    """The delimiter of a header line: a comma where there is one or nothing else, or the most frequent."""
    bare = _QUOTED.sub("", header)
    if "," in bare:
        return ","
    return max(NAMES, key=bare.count)
