"""Search in the documents: what a query means, which documents match it, how well, and where.

A query is a list of words, which must all be in the document; a word also matches longer words that begin
with it. "Several words" in quotation marks must follow each other. A minus excludes: -word, -"several words".
group:3, group:sport and column:value filter by the group and by a column of the input.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.network import Network

    Flags = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Positions = NDArray[np.int64]

MAX_CACHED = 64
"""So many terms are kept with their counts, for the next page of hits and for a query that goes on."""
MAX_TERMS = 20
GROUP = "group"
TOKEN = re.compile(
    r'(?P<minus>-?)(?:(?P<key>[^\s":]+|"[^"]*"):(?=\S))?(?:"(?P<quoted>[^"]*)"?|(?P<plain>\S+))'
)
# scripts written without spaces: there a word begins anywhere
UNSPACED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
# BM25: how fast repetitions stop to count, and how much long documents are held back
SATURATION, LENGTH_SHARE = 1.2, 0.75
ID_SCORE = 1_000.0
SNIPPET_BEFORE = 60


@dataclass(frozen=True)
class Filter:
    """Documents of a group, or with a value in a column; `key` is `group` or the name of the column."""

    key: str
    value: str
    is_excluded: bool


@dataclass(frozen=True)
class Query:
    """What a query asks for: terms that must occur, terms that must not, and filters."""

    terms: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()


def parse_query(text: str, columns: Iterable[str] = ()) -> Query:
    """Parse a query; `name:` is a filter if it is `group` or a column, and part of the text otherwise."""
    names = {GROUP: GROUP} | {name.casefold(): name for name in columns}
    terms, excluded, filters = dict[str, None](), dict[str, None](), list[Filter]()
    for match in list(TOKEN.finditer(text))[:MAX_TERMS]:
        is_excluded, key = bool(match["minus"]), (match["key"] or "").strip('"').casefold()
        value = match["plain"] if match["quoted"] is None else match["quoted"]
        if key in names:
            filters.append(Filter(names[key], value.strip(), is_excluded))
            continue
        whole = value if match["key"] is None else match[0].removeprefix("-").strip('"')
        term = " ".join(whole.split())
        # a minus alone is the beginning of an exclusion
        if term and term != "-":
            (excluded if is_excluded else terms)[term] = None
    return Query(tuple(terms), tuple(excluded), tuple(filters))


class TextSearch:
    """Search in the texts and ids of one network; the counts of the last terms are kept."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._cached: OrderedDict[str, NDArray[np.int32]] = OrderedDict()
        self._lock = threading.Lock()

    @cached_property
    def ids(self) -> list[str]:
        """The ids of the documents."""
        return [str(name) for name in self._network.types[self._network.centre].names]

    @cached_property
    def texts(self) -> Any:
        """The texts as an Arrow column; None if there are none."""
        import pyarrow as pa

        texts = None if self._network.corpus is None else self._network.corpus.texts
        if texts is None:
            return None
        column = getattr(texts, "column", None)
        return pa.chunked_array([pa.array(list(texts), pa.large_string())]) if column is None else column

    @cached_property
    def lengths(self) -> Floats:
        """The number of characters of every text."""
        import pyarrow.compute as pc

        if self.texts is None:
            return np.zeros(len(self.ids))
        lengths: Floats = pc.utf8_length(self.texts).to_numpy().astype(np.float64)
        return lengths

    @cached_property
    def _folded_ids(self) -> list[str]:
        return [name.casefold() for name in self.ids]

    def find(self, query: Query, passes: Callable[[Filter], Flags]) -> Positions:
        """Return the documents that match a query, the best first; `passes` decides about filters."""
        hits = np.ones(len(self.ids), dtype=bool)
        for term in query.terms:
            hits &= (self._count(term) > 0) | self._in_ids(term)
        for term in query.excluded:
            hits &= (self._count(term) == 0) & ~self._in_ids(term)
        for part in query.filters:
            hits &= passes(part) != part.is_excluded
        positions = np.flatnonzero(hits)
        score = self._score(query.terms, positions)
        order: Positions = positions[np.lexsort((positions, -np.round(score, 9)))]
        return order

    def _score(self, terms: Sequence[str], positions: Positions) -> Floats:
        """Score matching documents by BM25; an id that is the term comes before all others."""
        score = np.zeros(positions.size)
        length = self.lengths[positions] / max(float(self.lengths.mean()), 1.0)
        damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length)
        for term in terms:
            counts = self._count(term)
            rarity = np.log1p(counts.size / max(int(np.count_nonzero(counts)), 1))
            occurrences = counts[positions]
            score += rarity * occurrences * (SATURATION + 1) / (occurrences + damping)
            is_id = [self._folded_ids[row] == term.casefold() for row in positions.tolist()]
            score += ID_SCORE * np.array(is_id, dtype=float)
        return score

    def _in_ids(self, term: str) -> Flags:
        folded = term.casefold()
        return np.array([folded in name for name in self._folded_ids], dtype=bool)

    def _count(self, term: str) -> NDArray[np.int32]:
        """Count the occurrences of a term in every text."""
        import pyarrow.compute as pc

        with self._lock:
            if term not in self._cached:
                counts = (
                    np.zeros(len(self.ids))
                    if self.texts is None
                    else pc.count_substring_regex(
                        self.texts, arrow_pattern(term), ignore_case=True
                    ).to_numpy()
                )
                self._cached[term] = counts.astype(np.int32)
            self._cached.move_to_end(term)
            while len(self._cached) > MAX_CACHED:
                self._cached.popitem(last=False)
            return self._cached[term]


def _spell(term: str) -> str:
    """Return a regular expression for a term, whatever white space is between its words."""
    return r"\s+".join(re.escape(word) for word in term.split())


def _begins_word(term: str) -> bool:
    """Tell whether a term can only be at the beginning of a word."""
    return bool(re.match(r"\w", term)) and UNSPACED.match(term) is None


def arrow_pattern(term: str) -> str:
    """Return the pattern of a term for Arrow, whose expressions cannot look behind."""
    return rf"(?:^|[^\pL\pN_]){_spell(term)}" if _begins_word(term) else _spell(term)


def python_pattern(terms: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern that finds any of the terms, the longest first; None without terms."""
    parts = [
        rf"(?<!\w){_spell(term)}" if _begins_word(term) else _spell(term)
        for term in sorted(terms, key=len, reverse=True)
    ]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def make_snippet(text: str, terms: Iterable[str], length: int) -> list[str]:
    """Cut a part of a text with hits, in pieces: every second piece is a hit, the first may be empty.

    The part begins a little before the place from which most different terms follow within its length.
    """
    pattern = python_pattern(terms)
    if pattern is None:
        return [" ".join(text[: 4 * length].split())[:length]]
    hits = [(match.start(), match[0].casefold()) for match in pattern.finditer(text)]
    start = _choose_start(text, hits, length)
    part = text[start : start + length]
    pieces, done = [], 0
    for match in pattern.finditer(part):
        pieces += [part[done : match.start()], match[0]]
        done = match.end()
    pieces.append(part[done:])
    shortened = [re.sub(r"\s+", " ", piece) for piece in pieces]
    shortened[0] = ("… " if start else "") + shortened[0].lstrip()
    shortened[-1] = shortened[-1].rstrip() + (" …" if start + length < len(text) else "")
    return shortened


def _choose_start(text: str, hits: Sequence[tuple[int, str]], length: int) -> int:
    """Return where a snippet begins; 0 if the first hit is near the beginning of the text."""
    best, most = 0, 0
    for first, (start, _) in enumerate(hits[:100]):
        end = start + length - SNIPPET_BEFORE
        within = {name for place, name in hits[first : first + 50] if place < end}
        if len(within) > most:
            best, most = start, len(within)
    earliest = best - SNIPPET_BEFORE
    if earliest <= 0:
        return 0
    # not in the middle of a word
    space = re.compile(r"\s").search(text, earliest, best)
    return space.end() if space else earliest


def match_groups(names: Mapping[int, str], value: str) -> list[int]:
    """Return the groups with a number or with a part of a name; -1 is no group."""
    folded = value.casefold()
    if folded in ("none", "no group"):
        return [-1]
    if folded.isdecimal() and len(folded) < 10:
        return [int(folded)] if int(folded) in names else []
    return [group for group, name in names.items() if folded and folded in name.casefold()]
