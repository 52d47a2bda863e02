"""Lists of documents: which documents, in which order, and which of them the user stated something about."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.corpus.column_views import DATE, NUMBER
from colligate.errors import InputError
from colligate.questions.uncertainty import margin_uncertainty
from colligate.studio.actions import find_action
from colligate.studio.knowledge_file import read_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.corpus import Corpus
    from colligate.corpus.column_views import ColumnView, ColumnViews
    from colligate.studio.project import Project
    from colligate.studio.run_views import RunView
    from colligate.studio.search import TextSearch

    Positions = NDArray[np.int64]
    Flags = NDArray[np.bool_]

COLUMN = "column:"
DIGITS = re.compile(r"(\d+)")


def find_stated(project: Project) -> Flags:
    """Return which documents a live statement names, or a line of the knowledge file of the user."""
    names: set[str] = set()
    for entry in project.journal.live():
        names.update(find_action(entry.kind).documents(entry.body, project.centre))
        if text := entry.body.get("text"):
            names |= _names_in_file(text, project.folder, project.centre)
    ids = project.network.types[project.centre].names
    return np.array([str(id) in names for id in ids], dtype=bool) if names else np.zeros(len(ids), dtype=bool)


@lru_cache(maxsize=2)
def _names_in_file(text: str, folder: Path, centre: str) -> frozenset[str]:
    """Return the documents that a knowledge file names; the text of a file does not change."""
    names: set[str] = set()
    for block in read_text(text, folder).statements.blocks:
        if block.type == centre:
            names.update(map(str, block.subject.tolist()))
            if block.object is not None:
                names.update(map(str, block.object.tolist()))
    return frozenset(names)


class DocumentOrder:
    """The orders of the documents of a run. Sorting is stable: what is equal keeps the order of the input."""

    def __init__(self, view: RunView, search: TextSearch, columns: ColumnViews, stated: Flags) -> None:
        self._columns = columns
        self._orders: dict[str, Callable[[], Any]] = {
            "doubt": lambda: -margin_uncertainty(view.result),
            "confidence": lambda: -view.result.confidence,
            "id": lambda: _rank_texts(search.ids),
            "title": lambda: _rank_texts(_list_headings(view.result.corpus, view.labels.size)),
            "length": lambda: -search.lengths,
            "stated": lambda: np.where(stated, -2.0, 0.0) - margin_uncertainty(view.result),
        }

    def sort(self, positions: Positions, order: str, *, is_reversed: bool = False) -> Positions:
        """Return positions in an order: given, doubt, id, column:NAME and so on."""
        if order == "given":
            return positions[::-1] if is_reversed else positions
        key = self._rank(order)[positions]
        return positions[np.lexsort((positions, -key if is_reversed else key))]

    def _rank(self, order: str) -> NDArray[np.float64]:
        """Return a number for every document, the first the smallest; NaN, which comes last, for no value."""
        if order.startswith(COLUMN):
            return _rank_column(self._columns.find(order.removeprefix(COLUMN)))
        if order not in self._orders:
            orders = ", ".join(self._orders)
            raise InputError(
                f"documents cannot be sorted by {order!r:.60}; use given, {orders} or {COLUMN}NAME, "
                "where NAME is a column"
            )
        # what runs compute as equal differs in its last digits
        values: NDArray[np.float64] = np.array(self._orders[order](), dtype=np.float64)
        return values.round(9)


def _list_headings(corpus: Corpus | None, n_documents: int) -> list[str]:
    return ["" if corpus is None else corpus.heading(row) for row in range(n_documents)]


def _rank_column(column: ColumnView) -> NDArray[np.float64]:
    if column.kind in (NUMBER, DATE):
        return column.values
    texts = column.texts()
    ranks = _rank_texts(texts).astype(np.float64)
    return np.where([bool(text) for text in texts], ranks, np.nan)


def _rank_texts(texts: list[str]) -> NDArray[np.int64]:
    """Return the rank of every text, ignoring case; numbers in them count as numbers."""
    keys = [_sort_key(text) for text in texts]
    rank = np.empty(len(texts), dtype=np.int64)
    previous, number = None, -1
    for row in sorted(range(len(texts)), key=keys.__getitem__):
        number += keys[row] != previous
        previous, rank[row] = keys[row], number
    return rank


def _sort_key(text: str) -> list[tuple[int, int, str]]:
    parts = DIGITS.split(text.casefold())
    # the number of digits is limited: `int` of a very long text takes quadratic time
    return [(0, int(part[-18:]), "") if part.isdecimal() else (1, 0, part) for part in parts if part]
