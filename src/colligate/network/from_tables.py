"""Networks from a corpus and a table of the entities that its documents mention.

A table of mentions: which document mentions which entity, of which type and sub-type, how often.
"""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError, KnowledgeWarning, Parameter, ParameterError
from colligate.network.assembly import Categorical, Edges, IntArray, NetworkParts, assemble, build_two_types
from colligate.network.objects import DOCUMENTS, WORDS
from colligate.network.table_files import Columns, cast_to_text, read_mentions
from colligate.network.validation import RowRef

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from colligate.corpus import Corpus
    from colligate.network.validation import Weights


_STACK_TO_CALLER = 5

ROLES = ("document", "name", "type", "subtype", "count")
WHAT = "the mentions"


def parse_mentions(
    corpus: Corpus, mentions: Any, columns: Mapping[str, str] | None, unknown: str
) -> NetworkParts:
    """The corpus's own types and relation, then one more of each for every type of entity."""
    if unknown not in ("error", "report"):
        raise ParameterError(f'unknown must be "error" or "report" in from_tables; got {unknown!r:.60}')
    table = Mentions(mentions, columns)
    types, relations = build_two_types(corpus.counts, corpus.ids, corpus.words)
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


def _by_type(kinds: Categorical, keep: Any) -> Iterator[tuple[str, IntArray]]:
    """The rows of every type that has any, in the order of the types' names."""
    rows = np.flatnonzero(keep)
    rows = rows[np.argsort(kinds.codes[rows], kind="stable")]
    found, starts = np.unique(kinds.codes[rows], return_index=True)
    for at, code in enumerate(found.tolist()):
        end = starts[at + 1] if at + 1 < len(starts) else len(rows)
        yield kinds.distinct[code], rows[starts[at] : end]


def _refuse_reserved(kinds: Categorical, place: RowRef) -> None:
    for name in (DOCUMENTS, WORDS):
        if name in kinds.distinct:
            row = int(np.flatnonzero(kinds.codes == kinds.distinct.index(name))[0])
            raise InputError(
                f"{place.at(row)}: an entity cannot be of the type {name!r}, which the corpus has already; "
                f"call the type something else"
            )


def _tell_unknown(documents: Categorical, places: IntArray, place: RowRef, unknown: str) -> None:
    rows = np.flatnonzero(places < 0)
    if not len(rows):
        return
    told = f"documents that the corpus lacks: {place.examples(documents.at(rows[:3]), len(rows))}"
    if unknown == "error":
        raise InputError(
            f"in {place.what} there are {told}; correct the ids, or leave such rows out with ",
            Parameter("unknown", "report"),
        )
    warnings.warn(
        f"{len(rows)} rows of {place.what} are left out, with {told}",
        KnowledgeWarning,
        stacklevel=_STACK_TO_CALLER,
    )


class Mentions:
    """A user's table, asked by the roles its columns play rather than by what the user calls them."""

    def __init__(self, table: Any, columns: Mapping[str, str] | None) -> None:
        self.called = {role: role for role in ROLES} | dict(columns or {})
        strange = [role for role in self.called if role not in ROLES]
        if strange:
            raise InputError(f"columns= names the columns for {', '.join(ROLES)}; got {strange[0]!r:.60}")
        self._renamed = set(columns or ())
        if isinstance(table, str | os.PathLike):
            self._columns = read_mentions(table, self.called["count"], self.called["subtype"])
        else:
            self._columns = Columns.of(table, RowRef(WHAT))
        self.place = self._columns.place

    def texts(self, role: str) -> Categorical:
        """A column of names without gaps."""
        return self._columns.texts(self.called[role])

    def counts(self) -> Weights | None:
        """How often; None where the table does not say and nobody said that it does."""
        if self.called["count"] not in self._columns and "count" not in self._renamed:
            return None
        return self._columns.weights(self.called["count"])

    def subtypes(self) -> tuple[IntArray, Categorical]:
        """Rows that have a sub-type, with it; a cell may hold a list of several, or nothing."""
        import pyarrow as pa
        import pyarrow.compute as pc

        name = self.called["subtype"]
        array = self._columns.arrow(name)
        rows = np.arange(len(array), dtype=np.int64)
        if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
            rows = pc.list_parent_indices(array).to_numpy().astype(np.int64)
            array = pc.list_flatten(array)
        texts = cast_to_text(array, f"column {name!r} of {self.place.what}")
        told = pc.fill_null(pc.greater(pc.binary_length(texts), 0), False)
        return rows[told.to_numpy(zero_copy_only=False)], Categorical.of(texts.filter(told))
