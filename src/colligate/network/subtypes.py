"""What sub-types tell: entities of the same sub-type belong together, of different ones apart."""

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

    from colligate.network.assembly import Categorical, IntArray


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
    """Make knowledge of the sub-types in a table with name, type and subtype, such as `from_tables` takes.

    Each sub-type is a group among the entities of its type, and its links are implied, never listed. An
    entity with several sub-types (in several rows, or as a list in one cell) is in several groups: it is a
    bridge, which contradicts nothing, and whose links pull both ways.
    `together` or `apart` of 0 says nothing of that kind. `columns` renames columns as in `from_tables`. A
    table without any sub-type is refused.
    """
    together = check_strength(together, "subtype_knowledge(together=…)", zero=True)
    apart = check_strength(apart, "subtype_knowledge(apart=…)", zero=True)
    if together == apart == 0:
        raise KnowledgeError("subtype_knowledge(together=0, apart=0) says nothing; give one a strength")
    table = Mentions(mentions, columns)
    names, kinds = table.texts("name"), table.texts("type")
    rows, subtypes = table.subtypes()
    if not len(rows):
        raise KnowledgeError(
            f"no row of {table.place.what} has a sub-type; fill in the column {table.called['subtype']!r}, "
            "name another one by columns=, or do without the knowledge of sub-types"
        )
    knowledge = Knowledge(unknown=unknown, contradictions=contradictions)
    for kind, groups in _groups(kinds, names, rows, subtypes).items():
        knowledge.add(group_block(kind, groups, together, apart, source))
    return knowledge


def _groups(
    kinds: Categorical, names: Categorical, rows: IntArray, subtypes: Categorical
) -> dict[str, dict[str, Any]]:
    """By type and sub-type the members, each once; all in the order of their names."""
    width = max(len(subtypes.distinct), 1)
    groups, group = np.unique(kinds.codes[rows] * width + subtypes.codes, return_inverse=True)
    many = max(len(names.distinct), 1)
    member = np.unique(group * many + names.codes[rows])
    listed = np.array(names.distinct, dtype=object)[member % many]
    ends = np.searchsorted(member // many, np.arange(len(groups)), side="right").tolist()
    found: dict[str, dict[str, Any]] = {}
    for start, end, number in zip([0, *ends], ends, groups.tolist(), strict=False):
        kind, subtype = kinds.distinct[number // width], subtypes.distinct[number % width]
        found.setdefault(kind, {})[subtype] = listed[start:end]
    return found
