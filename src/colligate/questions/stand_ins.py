"""Labels of documents that stand for a group, which nobody was asked about.

A label is a name; what ties it to a group are the documents that have it. When an answer names a group that
nothing known names yet, the documents most typical of the group get its label too. They are marked, so that
they are not taken for what the user said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.knowledge import Knowledge
from colligate.questions.known import Known
from colligate.questions.names import claims_of, group_labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.knowledge import Compiled
    from colligate.result import Result

    Flags = NDArray[np.bool_]

MARK = "(stands for its group)"
"""How the source of such a label ends, or the note that a knowledge file has of it."""
MOST = 5


def standing_in(result: Result, group: int, document: int, compiled: Compiled, source: str) -> Knowledge:
    """Labels for documents that stand for a group, so that its label means it; none if it has one already.

    Neither the `document` that the answer is about nor one that something is known of stands for it.
    """
    label, centre = group_labels(result)[group], result.centre
    guidance = compiled.guidance.get(centre)
    if group in claims_of(result) or (guidance is not None and label in guidance.label_names):
        return Knowledge()
    known = Known.of(guidance, len(result.labels[centre]))
    free = ~(known.bound | known.outside)
    free[document] = False
    places = [at for at in result.representatives(2 * MOST)[group].tolist() if free[at]][:MOST]
    names = result.network.types[centre].names
    told = {names[at]: label for at in places}
    return Knowledge().label(told, type=centre, source=f"{source} {MARK}") if told else Knowledge()


def stand_ins(compiled: Compiled | None, kind: str) -> Flags | None:
    """Which objects of a type have such a label; None where nothing has a label."""
    guidance = None if compiled is None else compiled.guidance.get(kind)
    if compiled is None or guidance is None or guidance.label_statements is None:
        return None
    statements = compiled.statements
    told = zip(statements.source.tolist(), statements.note, strict=True)
    marked = [source.endswith(MARK) or note.endswith(MARK) for source, note in told]
    return np.array([*marked, False])[guidance.label_statements]
