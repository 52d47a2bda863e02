"""What a notebook shows of knowledge: how many statements of which kind there are, and the first of them."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from colligate._html import Table, make_card
from colligate._text import count_noun
from colligate.knowledge.statements import shorten_source

if TYPE_CHECKING:
    from colligate.knowledge.knowledge import Knowledge

SHOWN = 8
KINDS_SHOWN = 20


def make_knowledge_card(knowledge: Knowledge) -> str:
    """Return the card of knowledge as HTML."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for block in knowledge.statements.blocks:
        counts[block.kind, block.type, shorten_source(block.source)] += len(block)
    n_changes = len(knowledge.changes)
    facts = f"and {count_noun(n_changes, 'change')} to groups" if n_changes else ""
    kinds = Table(
        ["kind", "about", "source", "statements"],
        [[kind, about, source, count] for (kind, about, source), count in counts.most_common(KINDS_SHOWN)],
        numbers=frozenset({"statements"}),
        narrow=True,
    )
    first = [[statement.sentence, shorten_source(statement.where)] for statement in islice(knowledge, SHOWN)]
    more = len(knowledge) - len(first)
    statements = Table(["statement", "where"], first, f"and {more:,} more" if more else "")
    tables = [kinds, statements] if first else []
    return make_card(f"Knowledge: {count_noun(len(knowledge), 'statement')}", facts, *tables)
