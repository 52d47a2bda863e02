"""Sub-types as knowledge: entities of one sub-type belong together, those of different ones apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import KnowledgeError
from colligate.knowledge import Knowledge
from colligate.knowledge.kinds.group import group_block
from colligate.knowledge.statements import check_strength
from colligate.network.from_tables import Mentions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.network.columns import Categorical, IntArray


def subtype_knowledge(
    mentions: Any,
    *,
    together: float = 1.0,
    apart: float = 1.0,
    columns: Mapping[str, str] | None = None,
    source: str = "sub-types",
    unknown: str = "error",
    contradictions: str = "error",
) -> Knowledge:
    """Make knowledge of the sub-types in a table of mentions.

    Each sub-type is a group among the entities of its type; its links are implied and never listed. An entity
    with several sub-types (in several rows, or as a list in one cell) is in several groups: it is a bridge,
    which contradicts nothing, and whose links pull both ways.

    Parameters
    ----------
    mentions
        A table with the columns name, type and subtype, as for `Network.from_tables`.
    together, apart
        The strengths of must-links within a sub-type and of cannot-links between sub-types; 0 for none.
    columns
        Other names of the columns, as in `Network.from_tables`.
    source
        The name of the source in audits.
    unknown, contradictions
        As for `Knowledge`.

    Raises
    ------
    KnowledgeError
        If both strengths are 0, or no row has a sub-type.
    """
    together = check_strength(together, "subtype_knowledge(together=…)", zero=True)
    apart = check_strength(apart, "subtype_knowledge(apart=…)", zero=True)
    if together == apart == 0:
        raise KnowledgeError(
            "subtype_knowledge(together=0, apart=0) has no effect; set at least one of the two above 0"
        )
    table = Mentions(mentions, columns)
    names, types = table.names("name"), table.names("type")
    rows, subtypes = table.subtypes()
    if not len(rows):
        raise KnowledgeError(
            f"no row of {table.rows.what} has a sub-type; fill in the column "
            f"{table.column_names['subtype']!r}, name another column by columns=, or leave out the "
            "knowledge of sub-types"
        )
    knowledge = Knowledge(unknown=unknown, contradictions=contradictions)
    for kind, groups in _group_members(types, names, rows, subtypes).items():
        knowledge.add(group_block(kind, groups, together, apart, source))
    return knowledge


def _group_members(
    types: Categorical, names: Categorical, rows: IntArray, subtypes: Categorical
) -> dict[str, dict[str, Any]]:
    """Return by type and sub-type the members, each once, all in the order of their names."""
    n_subtypes, n_names = max(len(subtypes.distinct), 1), max(len(names.distinct), 1)
    keys, group = np.unique(types.codes[rows] * n_subtypes + subtypes.codes, return_inverse=True)
    member = np.unique(group * n_names + names.codes[rows])
    listed = np.array(names.distinct, dtype=object)[member % n_names]
    ends = np.searchsorted(member // n_names, np.arange(len(keys)), side="right").tolist()
    groups: dict[str, dict[str, Any]] = {}
    for start, end, key in zip([0, *ends], ends, keys.tolist(), strict=False):
        kind, subtype = types.distinct[key // n_subtypes], subtypes.distinct[key % n_subtypes]
        groups.setdefault(kind, {})[subtype] = listed[start:end]
    return groups
