"""The smallest network: documents × words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.network.objects import DOCUMENTS, WORDS, ObjectType
from colligate.network.relation import Relation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.network.builders.assembling import Parts


def two_type_parts(matrix: Any, ids: Sequence[str] | None, words: Sequence[str] | None) -> Parts:
    """The types and the relation of a documents × words matrix; what has no names goes by position."""
    relation = Relation(DOCUMENTS, WORDS, matrix)
    rows, columns = relation.matrix.shape
    types = {
        DOCUMENTS: ObjectType(DOCUMENTS, range(rows) if ids is None else ids),
        WORDS: ObjectType(WORDS, range(columns) if words is None else words),
    }
    return types, (relation,)
