"""Networks from a corpus and a table of the entities that its documents mention."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError, KnowledgeWarning, ParameterError
from colligate.network.builders.assembling import Edges, Parts, assemble
from colligate.network.builders.mentions import Mentions
from colligate.network.builders.two_types import two_type_parts
from colligate.network.objects import DOCUMENTS, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from colligate.corpus import Corpus
    from colligate.network.builders.coded import Coded, IntArray
    from colligate.network.builders.place import Place

_STACK_TO_CALLER = 5


def table_parts(corpus: Corpus, mentions: Any, columns: Mapping[str, str] | None, unknown: str) -> Parts:
    """The corpus's own types and relation, then one more of each for every type of entity."""
    if unknown not in ("error", "report"):
        raise ParameterError(f'unknown must be "error" or "report" in from_tables; got {unknown!r:.60}')
    table = Mentions(mentions, columns)
    types, relations = two_type_parts(corpus.counts, corpus.ids, corpus.words)
    edges = list(_edges(corpus, table, unknown))
    more, related = assemble(edges, {DOCUMENTS: corpus.ids})
    return types | {name: kind for name, kind in more.items() if name not in types}, relations + related


def _edges(corpus: Corpus, table: Mentions, unknown: str) -> Iterator[Edges]:
    documents, names, kinds = (table.texts(role) for role in ("document", "name", "type"))
    counts = table.counts()
    _refuse_reserved(kinds, table.place)
    places = documents.places({name: at for at, name in enumerate(corpus.ids)})
    _tell_unknown(documents, places, table.place, unknown)
    for kind, rows in _by_type(kinds, places >= 0):
        weight = None if counts is None else counts[rows]
        yield Edges(DOCUMENTS, kind, places[rows], names[rows], weight, table.place)


def _by_type(kinds: Coded, keep: Any) -> Iterator[tuple[str, IntArray]]:
    """The rows of every type that has any, in the order of the types' names."""
    rows = np.flatnonzero(keep)
    rows = rows[np.argsort(kinds.codes[rows], kind="stable")]
    found, starts = np.unique(kinds.codes[rows], return_index=True)
    for at, code in enumerate(found.tolist()):
        end = starts[at + 1] if at + 1 < len(starts) else len(rows)
        yield kinds.distinct[code], rows[starts[at] : end]


def _refuse_reserved(kinds: Coded, place: Place) -> None:
    for name in (DOCUMENTS, WORDS):
        if name in kinds.distinct:
            row = int(np.flatnonzero(kinds.codes == kinds.distinct.index(name))[0])
            raise InputError(
                f"{place.at(row)}: an entity cannot be of the type {name!r}, which the corpus has already; "
                f"call the type something else"
            )


def _tell_unknown(documents: Coded, places: IntArray, place: Place, unknown: str) -> None:
    rows = np.flatnonzero(places < 0)
    if not len(rows):
        return
    told = f"documents that the corpus lacks: {place.examples(documents.at(rows[:3]), len(rows))}"
    if unknown == "error":
        raise InputError(
            f'in {place.what} there are {told}; correct the ids, or leave such rows out by unknown="report"'
        )
    warnings.warn(
        f"{len(rows)} rows of {place.what} are left out, with {told}",
        KnowledgeWarning,
        stacklevel=_STACK_TO_CALLER,
    )
