"""What a notebook shows of a corpus: its sizes, its columns, and its first documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._html import Table, make_card
from colligate._text import count_noun

if TYPE_CHECKING:
    from colligate.corpus.corpus import Corpus

SHOWN, COLUMNS_SHOWN = 5, 4
HEADING = 110
START = 300


def make_corpus_card(corpus: Corpus) -> str:
    """Return the card of a corpus as HTML."""
    sizes = f"{count_noun(len(corpus), 'document')}, {count_noun(len(corpus.words), 'word')}"
    lengths = np.asarray(corpus.counts.sum(axis=1))
    facts = [f"from {corpus.source}"]
    if len(corpus):
        facts.append(f"{float(np.median(lengths)):g} counted words in the median document")
    if n_empty := int(corpus.empty.sum()):
        facts.append(f"{n_empty:,} without a counted word")
    if columns := corpus.describe_columns():
        facts.append(columns)
    others = [name for name in corpus.columns if name != corpus.roles.title][:COLUMNS_SHOWN]
    header = ["id", "document", *others, "words"]
    rows = [_make_row(corpus, position, others, lengths) for position in range(min(SHOWN, len(corpus)))]
    more = len(corpus) - len(rows)
    note = f"and {count_noun(more, 'more document')}" if more else ""
    return make_card(
        f"Corpus: {sizes}", "; ".join(facts), Table(header, rows, note, numbers=frozenset({"words"}))
    )


def _make_row(corpus: Corpus, position: int, columns: list[str], lengths: Any) -> list[Any]:
    cells = [corpus.columns[name][position].as_py() for name in columns]
    return [corpus.ids[position], _show_document(corpus, position), *cells, int(lengths[position])]


def _show_document(corpus: Corpus, position: int) -> str:
    """Return the heading, and the start of the text if there is room."""
    heading = corpus.heading(position)
    if corpus.texts is None or len(heading) >= HEADING:
        return heading
    start = " ".join(corpus.texts[position][:START].split())
    return start if not heading or start.startswith(heading) else f"{heading}: {start}"
