"""Names of objects: positions by name, and messages about unknown names.

Whole numbers are positions, counted from 0, and text is a name. Only where objects have no names (a `range`),
text that spells a position is one.
"""

from __future__ import annotations

import unicodedata
from difflib import SequenceMatcher, get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._text import list_first
from colligate.corpus.languages import WordForms
from colligate.corpus.vectorize import make_word_tokenizer
from colligate.errors import UnknownNameError
from colligate.knowledge.kinds.base import find_kind
from colligate.knowledge.statements import Block, format_location
from colligate.knowledge.text import format_name, singular

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from colligate.knowledge.guidance import IntArray
    from colligate.knowledge.kinds.base import Part
    from colligate.knowledge.statements import Column


_WORDS = "words"
_AMBIGUOUS = -2
_MAX_CANDIDATES = 2_000
_MIN_HINT_LENGTH = 4
_MIN_SIMILARITY = 0.8
_MAX_DETAILED = 10
_MAX_HINTS = 5
_SHORTEST_TOKEN = 2
_WHY_WORDS = (
    "Words may be missing because they are stop words or too rare (min_df; --min-df on the command line)."
)


class NameTable:
    """The names of one type.

    Words are also found in another form of Unicode and, where only one word fits, in another case. Where
    words stand for all with their stem, every form of them is found.
    """

    def __init__(self, type_name: str, names: Sequence[str] | range) -> None:
        self.type = type_name
        self.names = names

    def find(self, column: Column) -> IntArray:
        """Return the position of every name in a column; -1 if there is no such object."""
        if column.dtype != object:
            return np.where((column >= 0) & (column < len(self.names)), column, -1)
        return self._find_texts(column.tolist())

    def close(self, name: Any) -> str | None:
        """Return a name that resembles an unknown one; only the likely ones are compared."""
        if isinstance(self.names, range) or not isinstance(name, str) or not name:
            return None
        folded = name.casefold()
        likely: dict[str, str] = {}
        for candidate in self.names:
            if _is_likely(candidate.casefold(), folded):
                likely.setdefault(candidate.casefold(), candidate)
                if len(likely) == _MAX_CANDIDATES:
                    break
        slips = (candidate for candidate in likely if misspells(folded, candidate))
        match = next(slips, None) or next(iter(get_close_matches(folded, likely, 1, _MIN_SIMILARITY)), None)
        return None if match is None else likely[match]

    @cached_property
    def _table(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}  # type: ignore[misc]

    @cached_property
    def _folded(self) -> dict[str, int]:
        table: dict[str, int] = {}
        for place, name in enumerate(self.names):
            folded = _compose_accents(str(name)).casefold()
            table[folded] = _AMBIGUOUS if folded in table else place
        return table

    @cached_property
    def _stems(self) -> dict[str, int]:
        stem = self.names.stem  # type: ignore[union-attr]
        return {stem(name): place for place, name in enumerate(self.names)}

    def _find_texts(self, names: list[str]) -> IntArray:
        if isinstance(self.names, range):
            positions = (parse_position(name, len(self.names)) for name in names)
            return np.fromiter(positions, dtype=np.int64, count=len(names))
        places = (self._table.get(name, -1) for name in names)
        position = np.fromiter(places, dtype=np.int64, count=len(names))
        if self.type == _WORDS:
            for row in np.flatnonzero(position < 0).tolist():
                position[row] = self._find_word(names[row])
        return position

    def _find_word(self, name: str) -> int:
        composed = _compose_accents(name)
        position = self._table.get(composed, -1)
        if position < 0:
            # a word that fits several in another case counts as unknown, -1
            position = max(self._folded.get(composed.casefold(), -1), -1)
        if position < 0 and isinstance(self.names, WordForms):
            position = self._stems.get(self.names.stem(composed.lower()), -1)
        return position


def _is_likely(candidate: str, name: str) -> bool:
    """Tell whether a name is long enough to compare: very short names are all similar."""
    if len(candidate) < _MIN_HINT_LENGTH:
        return candidate == name
    return abs(len(candidate) - len(name)) <= 2 and candidate[0] == name[:1]


def parse_position(text: str, size: int) -> int:
    """Return the position among `size` objects that a text spells in plain digits; -1 if it spells none."""
    # longer numbers exceed 64 bits, and parsing very long ones takes quadratic time
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        return -1
    place = int(text)
    # `007` is a name, not position 7
    return place if place < size and str(place) == text else -1


def _compose_accents(word: str) -> str:
    # analysers compose accents, too: the same letter may be written as one character or as two
    return unicodedata.normalize("NFC", word)


def misspells(written: str, meant: str) -> bool:
    """Tell whether a word is a misspelling of another: `docments`, `wrods`, `Words`, but not `works`.

    A letter may be left out, added, or swapped with its neighbour, once for every four letters.
    """
    a, b = written.casefold(), meant.casefold()
    allowed = len(meant) // 4
    if written == meant or abs(len(a) - len(b)) > allowed:
        return False
    # without autojunk, which ignores frequent letters of long words
    matched = sum(block.size for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks())
    only_longer = matched == min(len(a), len(b)) and len(a) != len(b)
    return a == b or only_longer or (sorted(a) == sorted(b) and len(a) - matched <= allowed)


def refuse_misspelt_types(blocks: Iterable[Block], tables: Mapping[str, NameTable]) -> None:
    """Refuse a misspelling of an existing type, even with `unknown="report"`."""
    for block in blocks:
        if block.type not in tables and any(misspells(block.type, name) for name in tables):
            place, hint = format_location(block.source, block.line(0)), _type_hint(block.type, tables)
            raise UnknownNameError(f"{place}: there is no type {format_name(block.type)!r}; {hint}")


def summarise_unknown(parts: list[Part], tables: Mapping[str, NameTable], groups: NameTable) -> str:
    """Return the message of an error or a warning: the first few names, where they stand, what was meant.

    `groups` are the names that categories and labels give to groups.
    """
    total = sum(int(np.sum(~part.resolved)) for part in parts)
    lines: list[str] = []
    hints = _Hints(tables, groups)
    for part in parts:
        if len(lines) >= _MAX_DETAILED:
            break
        lines.extend(_describe_unknown(part, hints, _MAX_DETAILED - len(lines)))
    if total > len(lines):
        lines.append(f"  and {total - len(lines)} more")
    if any(_lacks_words(part, tables) for part in parts):
        lines.append(_WHY_WORDS)
    uses = "statement uses an unknown name" if total == 1 else "statements use unknown names"
    return "\n".join([f"{total} {uses}:", *lines])


def _lacks_words(part: Part, tables: Mapping[str, NameTable]) -> bool:
    """Tell whether words are missing that may well be in the texts: the analyser left them out."""
    table = tables.get(_WORDS)
    if table is None or isinstance(table.names, range) or part.block.subject.dtype != object:
        return False
    missing = (name for row in np.flatnonzero(~part.resolved).tolist() for name in _missing(part, row))
    return part.block.type == _WORDS and any(_tokens(name) == [name] for name in missing)


def _tokens(word: str) -> list[str]:
    return make_word_tokenizer(_SHORTEST_TOKEN)(word)


def _type_hint(type_name: str, types: Iterable[str]) -> str:
    slips = [name for name in types if misspells(type_name, name)]
    near = slips or get_close_matches(type_name, list(types), n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}The types are {', '.join(types)}."


class _Hints:
    """Close matches for the first few names only: each one is a search."""

    def __init__(self, tables: Mapping[str, NameTable], groups: NameTable) -> None:
        self.tables = tables
        self.groups = groups
        self._remaining = _MAX_HINTS

    def for_group(self, name: str) -> str:
        near = self.groups.close(name)
        if near:
            return f"; did you mean {format_name(near)!r}?"
        names = list_first(self.groups.names, _MAX_HINTS, format_name)
        return f"; the categories and labels are {names}" if names else "; there are no categories or labels"

    def for_name(self, type_name: str, name: Any) -> str:
        table = self.tables[type_name]
        if isinstance(table.names, range):
            return f" (these {type_name} have no names; use their numbers, from 0 to {len(table.names) - 1})"
        if not isinstance(name, str):
            return f"; a number is a position from 0 to {len(table.names) - 1}; write names as text"
        if self._remaining <= 0:
            return ""
        self._remaining -= 1
        near = table.close(name)
        if near:
            return f"; did you mean {format_name(near)!r}?"
        return _split_hint(table, name) if type_name == _WORDS else ""


def _split_hint(table: NameTable, word: str) -> str:
    """State that a word is not one token, and which of its tokens are words of the corpus."""
    tokens = _tokens(word)
    if tokens == [word]:
        return ""
    column = np.array([token.lower() for token in tokens], dtype=object)
    known = [f"{token!r}" for token, place in zip(column, table.find(column), strict=True) if place >= 0]
    use = f"; use {' or '.join(known)}" if known else ""
    parts = ", ".join(tokens) or "nothing"
    return f"; it is not a word of the corpus: the tokeniser splits it into {parts}{use}"


def _describe_unknown(part: Part, hints: _Hints, most: int) -> Iterator[str]:
    block = part.block
    rows = np.flatnonzero(~part.resolved)[:most].tolist()
    if rows and block.type not in hints.tables:
        place = format_location(block.source, block.line(rows[0]))
        yield f"  type {format_name(block.type)!r} ({place}); {_type_hint(block.type, hints.tables)}"
        return
    about_groups = find_kind(block.kind).about_groups
    for row in rows:
        missing = _missing(part, row)
        names = " and ".join(f"{format_name(name)!r}" for name in missing)
        hint = hints.for_group(str(missing[0])) if about_groups else hints.for_name(block.type, missing[0])
        noun = "group" if about_groups else singular(block.type)
        yield f"  {noun} {names} ({format_location(block.source, block.line(row))}){hint}"


def _missing(part: Part, row: int) -> list[Any]:
    block: Block = part.block
    names = [block.subject[row]] if part.subject[row] < 0 else []
    if block.object is not None and part.object[row] < 0:
        names.append(block.object[row])
    return [name if isinstance(name, str) else int(name) for name in names]
