"""The next most useful questions about a result."""

from __future__ import annotations

import warnings
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from colligate import registry
from colligate.errors import KnowledgeWarning, ParameterError
from colligate.methods.asked import takes
from colligate.questions.coverage import Chosen, choose
from colligate.questions.doubt import breadth, doubts
from colligate.questions.known import Known
from colligate.questions.pairs import pair_questions
from colligate.questions.question import KINDS, LABEL, PAIR, WORD, Question
from colligate.questions.space import space_of
from colligate.questions.stand_ins import stand_ins
from colligate.questions.words import word_questions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from colligate.knowledge import Compiled, Guidance, Knowledge
    from colligate.result import Result

CHOICES = 4
"""How many groups a label question offers first."""


def propose(
    result: Result,
    n: int = 5,
    *,
    kinds: Collection[str] | None = None,
    knowledge: Knowledge | None = None,
    skipped: Collection[Question] = (),
) -> list[Question]:
    """The `n` questions whose answers would help most, the best first; kinds take turns.

    `knowledge` is all that is known by now, where that is more than what the run was told. Without `kinds`,
    those are asked whose answers the method of the result takes. What was `skipped` is not asked again.
    """
    asked = [kind for kind in KINDS if kind in _kinds(result, kinds)]
    compiled = _compiled(result, knowledge)
    passed = {(question.kind, question.items) for question in skipped}
    makers = {LABEL: _labels, PAIR: _pairs, WORD: _words}
    enough = len(asked) * n + len(passed)
    batches = [makers[kind](result, compiled, enough) for kind in asked]
    fresh = [[one for one in batch if (one.kind, one.items) not in passed] for batch in batches]
    return list(islice(_in_turn(fresh), n))


def askable(result: Result) -> tuple[str, ...]:
    """The kinds of question whose answers the method of a result takes."""
    method, centre, terms = registry.find(result.method), result.centre, result.network.terms
    needs: dict[str, tuple[str, ...]] = {LABEL: (f"labels:{centre}",), PAIR: (f"links:{centre}",)}
    if terms is not None:
        needs[WORD] = (f"categories:{terms}", f"links:{terms}")
    return tuple(
        kind for kind, wanted in needs.items() if all(takes(method, one, result.network) for one in wanted)
    )


def _kinds(result: Result, kinds: Collection[str] | None) -> Collection[str]:
    if kinds is None:
        return askable(result)
    if strange := sorted(set(kinds) - set(KINDS)):
        raise ParameterError(f"kinds must be among {', '.join(KINDS)}; got {strange[0]!r}")
    return kinds


def _compiled(result: Result, knowledge: Knowledge | None) -> Compiled | None:
    if knowledge is None:
        return result.compiled
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KnowledgeWarning)
        return knowledge.compile(result.network.names)


def _known(result: Result, compiled: Compiled | None) -> Known:
    centre, guidance = result.centre, _guidance(compiled, result.centre)
    return Known.of(guidance, len(result.labels[centre]), stand_ins(compiled, centre))


def _guidance(compiled: Compiled | None, kind: str) -> Guidance | None:
    return None if compiled is None else compiled.guidance.get(kind)


def _labels(result: Result, compiled: Compiled | None, count: int) -> list[Question]:
    known = _known(result, compiled)
    chosen = _chosen(result, known, count, per_answer=1.0)
    return [
        Question(LABEL, (document,), _likeliest(result, known, document), gain)
        for document, gain in zip(chosen.documents.tolist(), chosen.gains.tolist(), strict=True)
    ]


def _pairs(result: Result, compiled: Compiled | None, count: int) -> list[Question]:
    known = _known(result, compiled)
    chosen = _chosen(result, known, 2 * count, per_answer=0.5)
    found = pair_questions(result, known, space_of(result.network), chosen)
    return sorted(found, key=lambda question: -question.effect)[:count]


def _words(result: Result, compiled: Compiled | None, count: int) -> list[Question]:
    known = _known(result, compiled)
    weights = np.where(known.bound | known.outside, 0.0, doubts(result))
    return word_questions(result, _guidance(compiled, result.terms), weights, count)


def _chosen(result: Result, known: Known, count: int, per_answer: float) -> Chosen:
    """Documents to ask about; a document that is held in its place already needs no answer itself."""
    settled = known.anchored | known.outside
    n_answers = float(known.answered.sum()) + per_answer * count / 2
    broad = breadth(result.n_groups(), n_answers)
    weights = broad + (1.0 - broad) * doubts(result)
    there = result.labels[result.centre] >= 0
    weights[settled | ~there] = 0.0
    return choose(space_of(result.network), weights, there & ~settled, known.answered, count)


def _likeliest(result: Result, known: Known, document: int) -> tuple[int, ...]:
    """The groups with the most of a document; those last that have somebody it is apart from."""
    memberships = result.memberships[result.centre][document]
    closed = result.labels[result.centre][known.apart_from(document)]
    against = np.isin(np.arange(len(memberships)), closed)
    order: list[int] = np.lexsort((-memberships, against))[:CHOICES].tolist()
    return tuple(order)


def _in_turn(batches: Iterable[Iterable[Question]]) -> Iterator[Question]:
    """One question of each kind after the other; each document and each word is asked about once."""
    seen: set[tuple[bool, int]] = set()
    left = [iter(batch) for batch in batches]
    while left:
        for batch in tuple(left):
            question = next((one for one in batch if _about(one) not in seen), None)
            if question is None:
                left.remove(batch)
                continue
            seen.add(_about(question))
            yield question


def _about(question: Question) -> tuple[bool, int]:
    return question.kind == WORD, question.items[0]
