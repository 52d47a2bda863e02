"""The groups of the centre as the report shows them, and the groups of terms they go with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.network.neighbourhood import description
from colligate.report.view import AssociationView, DocumentView, GroupView, WordGroupView
from colligate.result.confidence import group_confidence
from colligate.result.naming import object_name
from colligate.result.why import word_evidence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.result.layout import Layout
    from colligate.result.result import Result

DOCUMENTS_SHOWN = 5
WORDS_SHOWN = 12
OBJECTS_SHOWN = 6
REASONS_SHOWN = 6
EXCERPT = 300
# Beyond this the association is too faint to tell from nothing, and the logarithm of nothing is no number.
FAINTEST = -10.0


def group_views(result: Result, places: Layout) -> list[GroupView]:
    """Every group of the centre with its words, objects and examples."""
    labels, count = result.labels[result.centre], result.n_groups()
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    sure = group_confidence(labels, count, result.confidence)
    coherence, words = result.coherence(WORDS_SHOWN), result.top_words(WORDS_SHOWN)
    examples, objects = result.representatives(DOCUMENTS_SHOWN), _objects(result)
    return [
        GroupView(
            number=number,
            name=result.group_names[number],
            size=int(sizes[number]),
            share=float(sizes[number] / max(labels.size, 1)),
            confidence=float(sure[number]),
            coherence=None if np.isnan(coherence[number]) else float(coherence[number]),
            words=words[number],
            documents=_documents(result, examples[number]),
            x=float(places.centres[number, 0]),
            y=float(places.centres[number, 1]),
            objects=[(kind, tops[number]) for kind, tops in objects.items()],
        )
        for number in range(count)
    ]


def association(result: Result) -> AssociationView | None:
    """How much more or less than expected each group has of each group of terms."""
    mass = _mass(result)
    if mass is None or result.terms not in result.labels:
        return None
    expected = np.outer(mass.sum(axis=1), mass.sum(axis=0))
    lift = np.full(mass.shape, FAINTEST)
    some = (mass > 0) & (expected > 0)
    lift[some] = np.maximum(np.log2(mass[some] / expected[some]), FAINTEST)
    lift[expected == 0] = 0.0
    return AssociationView(_word_groups(result), lift.tolist(), mass.tolist())


def further_types(result: Result) -> list[str]:
    """The types beside the centre and its terms."""
    return [kind for kind in result.network.types if kind not in (result.centre, result.terms)]


def document_id(result: Result, position: int) -> str:
    """How the report calls a document."""
    return object_name(result.network.types[result.centre].names, result.centre, position)


def document_text(result: Result, position: int) -> str:
    """The beginning of a document's text, where the result has texts."""
    texts = result.corpus.texts if result.corpus is not None else None
    return "" if texts is None else excerpt(texts[position])


def excerpt(text: str, length: int = EXCERPT) -> str:
    """The beginning of a text with white space folded, cut at the end of a word."""
    beginning = text.lstrip()[: 8 * length]
    folded = " ".join(beginning.split())
    if len(folded) <= length and len(beginning) < 8 * length:
        return folded
    cut = folded[: length + 1].rpartition(" ")[0] or folded[:length]
    return f"{cut[:length].rstrip()} …"


def _objects(result: Result) -> dict[str, list[list[tuple[str, float]]]]:
    return {
        kind: result.top_objects(kind, OBJECTS_SHOWN)
        for kind in further_types(result)
        if kind in result.reach
    }


def _documents(result: Result, positions: NDArray[np.int64]) -> list[DocumentView]:
    reasons = word_evidence(result, positions, REASONS_SHOWN)
    return [
        DocumentView(document_id(result, at), document_text(result, at), float(result.confidence[at]), [*why])
        for at, why in zip(positions.tolist(), reasons, strict=True)
    ]


def _mass(result: Result) -> NDArray[np.float64] | None:
    part = description(result.network)
    mass = None if part is None else result.association.get(result.network.relations[part.relation].name)
    return mass.T if mass is not None and part is not None and part.flipped else mass


def _word_groups(result: Result) -> list[WordGroupView]:
    return [
        WordGroupView(group.number, group.size, [name for name, _ in group.members])
        for group in result.groups(result.terms, WORDS_SHOWN)
    ]
