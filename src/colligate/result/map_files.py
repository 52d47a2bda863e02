"""The map of a result as an interactive page, with the texts and columns of its documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.atomic import write_file
from colligate.corpus.column_views import format_value
from colligate.report.view import DocumentMapView, MapColumnView, MapGroupView
from colligate.result.layout import lay_out
from colligate.result.report_view import make_nouns
from colligate.result.tables import find_stated

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.result.layout import Layout
    from colligate.result.result import Result


WORDS_SHOWN = 8
LONGEST_VALUE = 300
# Each column makes the page larger by a value for every document.
MAX_COLUMNS = 40
# Characters of text on a page: about as many as a browser opens within a second.
TEXT_BUDGET = 20_000_000
TEXT_LENGTHS = (20_000, 5_000, 3_000, 2_000, 1_500, 1_000, 700, 500)


def write_map_page(result: Result, path: Path, title: str | None = None) -> Path:
    """Write the map as one interactive HTML file."""
    from colligate.report.map_page import render_map_page

    text = render_map_page(make_map_view(result, title))
    with write_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    return path


def show_map(result: Result, height: int) -> Any:
    """Return the map as a widget for notebooks."""
    from colligate.report.map_widget import make_map_widget

    return make_map_widget(make_map_view(result), height)


def make_map_view(result: Result, title: str | None = None, layout: Layout | None = None) -> DocumentMapView:
    """Gather what the map shows; documents in no group, and those above 20,000, are left out."""
    labels, count = result.labels[result.centre], result.n_groups()
    if layout is None:
        layout = lay_out(labels, count, result.counts, result.confidence, result.runner_up)
    rows = layout.documents.tolist()
    shown_texts, length = _cut_texts(_read_texts(result, rows))
    names = result.network.types[result.centre].names
    x, y = layout.places.T
    centre, terms = make_nouns(result)
    return DocumentMapView(
        title=title or f"Map of the {result.centre}",
        groups=list_map_groups(result, layout),
        x=x.tolist(),
        y=y.tolist(),
        group=labels[layout.documents].tolist(),
        confidence=result.confidence[layout.documents].tolist(),
        ids=[str(names[row]) for row in rows],
        titles=_read_titles(result, layout.documents),
        texts=shown_texts,
        stated=find_stated(result)[layout.documents].tolist(),
        columns=_list_columns(result, layout.documents),
        total=labels.size,
        text_length=length,
        centre=centre,
        terms=terms,
    )


def list_map_groups(result: Result, layout: Layout) -> list[MapGroupView]:
    """Describe every group on the map: its place, size and first words."""
    labels, count = result.labels[result.centre], result.n_groups()
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    words = result.top_words(WORDS_SHOWN)
    return [
        MapGroupView(
            result.group_numbers[group],
            result.group_names[group],
            int(sizes[group]),
            float(layout.centres[group, 0]),
            float(layout.centres[group, 1]),
            [word for word, _ in words[group]],
        )
        for group in range(count)
    ]


def _read_titles(result: Result, rows: NDArray[np.int64]) -> list[str]:
    """Return the titles of documents, empty where there is none: the page then shows the first line."""
    column = None if result.corpus is None else result.corpus.title_column
    titles = [None] * len(rows) if column is None else column.take(rows).to_pylist()
    return ["" if title is None else str(title)[:LONGEST_VALUE] for title in titles]


def _list_columns(result: Result, rows: NDArray[np.int64]) -> list[MapColumnView]:
    """Return the first columns of the input beside title and text: distinct values, and each document's."""
    if result.corpus is None:
        return []
    roles, columns = result.corpus.roles, result.corpus.columns
    names = [name for name in columns if name != roles.title and name not in roles.text]
    return [
        MapColumnView(name, *_encode_values(columns[name].take(rows).to_pylist()))
        for name in names[:MAX_COLUMNS]
    ]


def _encode_values(values: Sequence[Any]) -> tuple[list[str], list[int]]:
    position: dict[str, int] = {}
    codes = [
        -1 if value is None else position.setdefault(format_value(value)[:LONGEST_VALUE], len(position))
        for value in values
    ]
    return list(position), codes


def _read_texts(result: Result, rows: Sequence[int]) -> list[str]:
    texts = result.corpus.texts if result.corpus is not None else None
    return [""] * len(rows) if texts is None else [str(texts[row])[: TEXT_LENGTHS[0]] for row in rows]


def _cut_texts(texts: list[str]) -> tuple[list[str], int | None]:
    """Cut all texts to one length, so that together they fit the page; the length is None if none is cut."""
    lengths = np.array([len(text) for text in texts])
    longest = lengths.max(initial=0)
    for length in TEXT_LENGTHS:
        if np.minimum(lengths, length).sum() <= TEXT_BUDGET:
            break
    return [text[:length] for text in texts], length if longest >= length else None
