"""Knowledge as penalties: categories as anchors; links, and what implies links, as link penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.factorisation.penalty import Anchor, LinkPenalty

if TYPE_CHECKING:
    from colligate.knowledge import Guidance


def anchors(guidance: Guidance, size: int, weight: float) -> tuple[Anchor, ...]:
    """Categories as G0: a column of unit length for each, in the order of the categories; none without any.

    Objects in no category are not anchored. Groups beyond the categories are open to them alone.
    """
    if guidance.leanings is None or not weight:
        return ()
    leanings = guidance.leanings.matrix
    length = np.sqrt(np.asarray(leanings.multiply(leanings).sum(axis=0)).ravel())
    known = np.flatnonzero(np.diff(leanings.indptr))
    target = np.zeros((len(known), size))
    target[:, : leanings.shape[1]] = leanings[known].toarray() / np.where(length > 0, length, 1.0)
    owner = np.repeat(np.arange(len(known)), np.diff(leanings.indptr)[known])
    return (Anchor(known, target, weight, owner, guidance.leanings.statement),)


def link_penalties(guidance: Guidance, weight: float, *, categories: bool) -> tuple[LinkPenalty, ...]:
    """Links and labels and, if asked, `categories`, whose members are then linked together."""
    linked = guidance.with_groups(guidance.label_groups(), *(guidance.leaning_groups() if categories else ()))
    if not weight or not (len(linked.pairs) or linked.groups):
        return ()
    return (LinkPenalty.of(linked, weight),)
