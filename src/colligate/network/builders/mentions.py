"""A table of mentions: which document mentions which entity, of which type and sub-type, how often."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError
from colligate.network.builders.coded import Coded, IntArray
from colligate.network.builders.columns import Columns, as_text
from colligate.network.builders.mentions_file import read_mentions
from colligate.network.builders.place import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.network.builders.weights import Weights

ROLES = ("document", "name", "type", "subtype", "count")
WHAT = "the mentions"


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
            self._columns = Columns.of(table, Place(WHAT))
        self.place = self._columns.place

    def texts(self, role: str) -> Coded:
        """A column of names without gaps."""
        return self._columns.texts(self.called[role])

    def counts(self) -> Weights | None:
        """How often; None where the table does not say and nobody said that it does."""
        if self.called["count"] not in self._columns and "count" not in self._renamed:
            return None
        return self._columns.weights(self.called["count"])

    def subtypes(self) -> tuple[IntArray, Coded]:
        """Rows that have a sub-type, with it; a cell may hold a list of several, or nothing."""
        import pyarrow as pa
        import pyarrow.compute as pc

        name = self.called["subtype"]
        array = self._columns.arrow(name)
        rows = np.arange(len(array), dtype=np.int64)
        if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
            rows = pc.list_parent_indices(array).to_numpy().astype(np.int64)
            array = pc.list_flatten(array)
        texts = as_text(array, f"column {name!r} of {self.place.what}")
        told = pc.fill_null(pc.greater(pc.binary_length(texts), 0), False)
        return rows[told.to_numpy(zero_copy_only=False)], Coded.of(texts.filter(told))
