"""Networks from a corpus and a table of mentions: which document mentions which entity, and how often."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError, KnowledgeWarning, Parameter, ParameterError
from colligate.network.columns import Categorical, Columns, IntArray, cast_to_text
from colligate.network.from_edges import Edges, NetworkParts, assemble, build_two_types
from colligate.network.objects import DOCUMENTS, WORDS
from colligate.network.table_files import read_mentions
from colligate.network.validation import RowRef

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from colligate.corpus import Corpus
    from colligate.network.validation import Weights

ROLES = ("document", "name", "type", "subtype", "count")
_STACK_TO_CALLER = 5


def parse_mentions(
    corpus: Corpus, mentions: Any, columns: Mapping[str, str] | None, unknown: str
) -> NetworkParts:
    """Return documents × words, and one more type and relation for every type of entity."""
    if unknown not in ("error", "report"):
        raise ParameterError(
            Parameter("unknown"),
            f' must be "error" or "report" in from_tables; got {unknown!r:.60}',
            parameter="unknown",
        )
    table = Mentions(mentions, columns)
    types, relations = build_two_types(corpus.counts, corpus.ids, corpus.words)
    entity_types, entity_relations = assemble(
        list(_list_edges(corpus, table, unknown)), {DOCUMENTS: corpus.ids}
    )
    added = {name: kind for name, kind in entity_types.items() if name not in types}
    return types | added, relations + entity_relations


class Mentions:
    """A user's table of mentions, read by the roles of its columns rather than by their names."""

    def __init__(self, table: Any, columns: Mapping[str, str] | None) -> None:
        self.column_names = {role: role for role in ROLES} | dict(columns or {})
        strange = [role for role in self.column_names if role not in ROLES]
        if strange:
            raise InputError(f"the keys of columns= must be among {', '.join(ROLES)}; got {strange[0]!r:.60}")
        self._renamed = set(columns or ())
        if isinstance(table, str | os.PathLike):
            names = self.column_names
            self._columns = read_mentions(table, names["count"], names["subtype"])
        else:
            self._columns = Columns.from_table(table, RowRef("the mentions"))
        self.rows = self._columns.rows

    def names(self, role: str) -> Categorical:
        """Return a column of names without gaps."""
        return self._columns.names(self.column_names[role])

    def counts(self) -> Weights | None:
        """Return the counts; None if the table has none and the user named no column for them."""
        if self.column_names["count"] not in self._columns and "count" not in self._renamed:
            return None
        return self._columns.weights(self.column_names["count"])

    def subtypes(self) -> tuple[IntArray, Categorical]:
        """Return the rows with a sub-type, and the sub-types; a cell may contain a list, or nothing."""
        import pyarrow as pa
        import pyarrow.compute as pc

        name = self.column_names["subtype"]
        array = self._columns.arrow(name)
        rows = np.arange(len(array), dtype=np.int64)
        if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
            rows = pc.list_parent_indices(array).to_numpy().astype(np.int64)
            array = pc.list_flatten(array)
        texts = cast_to_text(array, f"column {name!r} of {self.rows.what}")
        filled = pc.fill_null(pc.greater(pc.binary_length(texts), 0), False)
        return rows[filled.to_numpy(zero_copy_only=False)], Categorical.from_arrow(texts.filter(filled))


def _list_edges(corpus: Corpus, table: Mentions, unknown: str) -> Iterator[Edges]:
    documents, names, types = (table.names(role) for role in ("document", "name", "type"))
    counts = table.counts()
    _refuse_reserved(types, table.rows)
    positions = documents.look_up({name: position for position, name in enumerate(corpus.ids)})
    _report_unknown(documents, positions, table.rows, unknown)
    for kind, rows in _split_by_type(types, positions >= 0):
        weight = None if counts is None else counts[rows]
        yield Edges(DOCUMENTS, kind, positions[rows], names[rows], weight, table.rows)


def _split_by_type(types: Categorical, keep: NDArray[np.bool_]) -> Iterator[tuple[str, IntArray]]:
    """Yield the rows of every type that has any, in the order of the types' names."""
    rows = np.flatnonzero(keep)
    rows = rows[np.argsort(types.codes[rows], kind="stable")]
    codes, starts = np.unique(types.codes[rows], return_index=True)
    for code, start, end in zip(codes.tolist(), starts, [*starts[1:], len(rows)], strict=False):
        yield types.distinct[code], rows[start:end]


def _refuse_reserved(types: Categorical, rows: RowRef) -> None:
    for name in (DOCUMENTS, WORDS):
        if name in types.distinct:
            row = int(np.flatnonzero(types.codes == types.distinct.index(name))[0])
            raise InputError(
                f"{rows.name(row)}: the type of an entity cannot be called {name!r}, because the corpus "
                "already has this type; choose another name"
            )


def _report_unknown(documents: Categorical, positions: IntArray, rows: RowRef, unknown: str) -> None:
    bad = np.flatnonzero(positions < 0)
    if not len(bad):
        return
    listed = f"documents are not in the corpus: {rows.examples(documents.items(bad[:3]), len(bad))}"
    if unknown == "error":
        raise InputError(
            f"in {rows.what}, these {listed}; correct the ids, or skip these rows with ",
            Parameter("unknown", "report"),
        )
    warnings.warn(
        f"{len(bad)} rows of {rows.what} are skipped, because their {listed}",
        KnowledgeWarning,
        stacklevel=_STACK_TO_CALLER,
    )
