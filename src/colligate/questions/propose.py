"""Propose the questions whose answers would improve a result most.

A label question asks for the group of an uncertain document. A pair question compares an uncertain document
with a known document of its most probable group; a document is asked about with one group after the other, so
the expected number of questions divides the gain. A word question asks for the group of a word that is
typical of a part of the documents (`words.py`).
"""

from __future__ import annotations

import sys
import warnings
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from colligate import registry
from colligate.errors import KnowledgeWarning, ParameterError
from colligate.methods.guidance import takes
from colligate.questions.answers import KINDS, LABEL, PAIR, WORD, Question, find_exemplars
from colligate.questions.known import KnownObjects
from colligate.questions.uncertainty import (
    Selection,
    embed_documents,
    exploration_weight,
    margin_uncertainty,
    select_documents,
)
from colligate.questions.words import select_words
from colligate.result.association import take_top

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from numpy.typing import NDArray

    from colligate.knowledge import Compiled, Guidance, Knowledge
    from colligate.result import Result

    Floats = NDArray[np.float64]
    SmallFloats = NDArray[np.float32]
    Positions = NDArray[np.int64]

# How many groups a label question offers first.
OFFERED_GROUPS = 4
# The weight of the cosine among groups of equal probability.
TIE_BREAK = 1e-6
# How many words are asked before documents are. Chosen on oh0, tr31, hitech and k1b: of twenty questions,
# words alone teach most about other documents; of eighty, twenty words and sixty documents.
FIRST_WORDS = 20


def propose(
    result: Result,
    n: int = 5,
    *,
    kinds: Collection[str] | None = None,
    knowledge: Knowledge | None = None,
    skipped: Collection[Question] = (),
) -> list[Question]:
    """Return the `n` questions whose answers would help most, the best first.

    By default the first twenty are about words, and the rest about documents. Pairs teach little about other
    documents. They are asked only if nothing else can be.

    Parameters
    ----------
    result : Result
        The result to ask about.
    n : int
        How many questions.
    kinds : collection of str, optional
        Among `label`, `pair` and `word`: these take turns. By default the order above, of the kinds whose
        answers the method of the result takes.
    knowledge : Knowledge, optional
        All that is known by now, if it is more than the run had.
    skipped : collection of Question
        Questions not to ask again.
    """
    wanted = [kind for kind in KINDS if kind in _check_kinds(result, kinds)]
    compiled = _compile(result, knowledge)
    passed = {(question.kind, question.items) for question in skipped}
    makers = {LABEL: _make_label_questions, PAIR: _make_pair_questions, WORD: _make_word_questions}
    enough = len(wanted) * n + len(passed)

    def make(kind: str) -> list[Question]:
        questions = makers[kind](result, compiled, enough)
        return [question for question in questions if (question.kind, question.items) not in passed]

    if kinds is not None:
        return list(islice(_interleave([make(kind) for kind in wanted]), n))
    chosen: list[Question] = []
    for kind, limit in _order_kinds(result, compiled, skipped, wanted):
        if len(chosen) < n and limit > 0:
            batch = [question for question in make(kind) if question not in chosen]
            # a document that is asked about alone is not asked about in a pair
            chosen = list(_interleave([chosen + batch[:limit]]))[:n]
    return chosen


def _order_kinds(
    result: Result, compiled: Compiled | None, skipped: Collection[Question], wanted: Collection[str]
) -> list[tuple[str, int]]:
    """List the kinds in the order of their value, with the most questions of each."""
    if WORD not in wanted:
        n_words = FIRST_WORDS
    else:
        stated = _find_stated(_guidance_for(compiled, result.terms), len(result.network.types[result.terms]))
        n_words = int(stated.sum()) + sum(question.kind == WORD for question in skipped)
    order = (
        (WORD, max(FIRST_WORDS - n_words, 0)),
        (LABEL, sys.maxsize),
        (WORD, sys.maxsize),
        (PAIR, sys.maxsize),
    )
    return [(kind, limit) for kind, limit in order if kind in wanted]


def find_askable_kinds(result: Result) -> tuple[str, ...]:
    """Return the kinds of question whose answers the method of a result accepts."""
    method, centre, terms = registry.find_method(result.method), result.centre, result.network.terms
    needs: dict[str, tuple[str, ...]] = {LABEL: (f"labels:{centre}",), PAIR: (f"links:{centre}",)}
    if terms is not None:
        needs[WORD] = (f"categories:{terms}", f"links:{terms}")
    return tuple(
        kind
        for kind, knowledge in needs.items()
        if all(takes(method, entry, result.network) for entry in knowledge)
    )


def _check_kinds(result: Result, kinds: Collection[str] | None) -> Collection[str]:
    if kinds is None:
        return find_askable_kinds(result)
    if strange := sorted(set(kinds) - set(KINDS)):
        raise ParameterError(f"kinds must be among {', '.join(KINDS)}; got {strange[0]!r}")
    return kinds


def _compile(result: Result, knowledge: Knowledge | None) -> Compiled | None:
    if knowledge is None:
        return result.compiled
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KnowledgeWarning)
        return knowledge.compile(result.network.names)


def _guidance_for(compiled: Compiled | None, type_name: str) -> Guidance | None:
    return None if compiled is None else compiled.guidance.get(type_name)


def _read_known(result: Result, compiled: Compiled | None) -> KnownObjects:
    centre = result.centre
    guidance, exemplars = _guidance_for(compiled, centre), find_exemplars(compiled, centre)
    return KnownObjects.of(guidance, len(result.labels[centre]), exemplars)


def _make_label_questions(result: Result, compiled: Compiled | None, count: int) -> list[Question]:
    known = _read_known(result, compiled)
    selection = _choose_documents(result, known, count, per_answer=1.0)
    return [
        Question(LABEL, (document,), _rank_groups(result, known, document), gain)
        for document, gain in zip(selection.documents.tolist(), selection.gains.tolist(), strict=True)
    ]


def _make_pair_questions(result: Result, compiled: Compiled | None, count: int) -> list[Question]:
    known = _read_known(result, compiled)
    selection = _choose_documents(result, known, 2 * count, per_answer=0.5)
    questions = _pair_documents(result, known, embed_documents(result), selection)
    return sorted(questions, key=lambda question: -question.effect)[:count]


def _choose_documents(result: Result, known: KnownObjects, count: int, per_answer: float) -> Selection:
    """Select documents to ask about, without those that labels or links already place."""
    settled = known.anchored | known.outside
    n_answers = float(known.answered.sum()) + per_answer * count / 2
    explore = exploration_weight(result.n_groups(), n_answers)
    weights = explore + (1.0 - explore) * margin_uncertainty(result)
    grouped = result.labels[result.centre] >= 0
    weights[settled | ~grouped] = 0.0
    return select_documents(embed_documents(result), weights, grouped & ~settled, known.answered, count)


def _rank_groups(result: Result, known: KnownObjects, document: int) -> tuple[int, ...]:
    """Rank the groups of a document by membership; groups with a document apart from it come last."""
    memberships = result.memberships[result.centre][document]
    closed = result.labels[result.centre][known.apart_from(document)]
    against = np.isin(np.arange(len(memberships)), closed)
    order: list[int] = np.lexsort((-memberships, against))[:OFFERED_GROUPS].tolist()
    return tuple(order)


def _interleave(batches: Iterable[Iterable[Question]]) -> Iterator[Question]:
    """Take one question of each kind in turn, and ask about each document and word once."""
    seen: set[tuple[bool, int]] = set()
    remaining = [iter(batch) for batch in batches]
    while remaining:
        for batch in tuple(remaining):
            question = next((entry for entry in batch if _subject(entry) not in seen), None)
            if question is None:
                remaining.remove(batch)
                continue
            seen.add(_subject(question))
            yield question


def _subject(question: Question) -> tuple[bool, int]:
    return question.kind == WORD, question.items[0]


def _pair_documents(
    result: Result, known: KnownObjects, embedding: SmallFloats, selection: Selection
) -> list[Question]:
    """Pair each selected document with the nearest known document of its most probable open group."""
    neighbourhoods = _find_neighbourhoods(result, known)
    means = np.array([_memberships(result, members).mean(axis=0) for members in neighbourhoods]).T
    questions = []
    for document, gain in zip(selection.documents.tolist(), selection.gains.tolist(), strict=True):
        open_to = [
            number for number, members in enumerate(neighbourhoods) if _may_join(known, document, members)
        ]
        if not open_to:
            continue
        near = np.array(
            [float((embedding[neighbourhoods[number]] @ embedding[document]).max()) for number in open_to]
        )
        shares = _normalise(_memberships(result, [document])[0] @ means[:, open_to], near)
        best = neighbourhoods[open_to[int(shares.argmax())]]
        partner = int(best[int((embedding[best] @ embedding[document]).argmax())])
        groups = tuple(result.labels[result.centre][[document, partner]].tolist())
        questions.append(Question(PAIR, (document, partner), groups, gain / _expected_questions(shares)))
    return questions


def _find_neighbourhoods(result: Result, known: KnownObjects) -> list[Positions]:
    """Return the known documents of each group: linked or labelled ones, else the most typical one."""
    anchored = np.flatnonzero(known.anchored)
    _, number = np.unique(known.component[anchored], return_inverse=True)
    neighbourhoods = [anchored[number == code] for code in range(int(number.max(initial=-1)) + 1)]
    represented = {int(_memberships(result, members).mean(axis=0).argmax()) for members in neighbourhoods}
    for group, typical in enumerate(result.representatives(1)):
        if group not in represented and len(typical):
            neighbourhoods.append(np.asarray(typical[:1], dtype=np.int64))
    return neighbourhoods


def _may_join(known: KnownObjects, document: int, members: Positions) -> bool:
    first = int(members[0])
    return known.component[document] != known.component[first] and not known.are_apart(document, first)


def _memberships(result: Result, documents: Positions | list[int]) -> Floats:
    return np.asarray(result.memberships[result.centre][documents], dtype=np.float64)


def _normalise(probabilities: Floats, near: Floats) -> Floats:
    """Scale the probabilities of open groups to sum 1; the nearer of two equals comes first."""
    scores = probabilities + TIE_BREAK * (1.0 + near)
    return np.asarray(scores / scores.sum())


def _expected_questions(shares: Floats) -> float:
    """Return the expected number of questions until yes, asked in the order of the shares."""
    return float(np.sort(shares)[::-1] @ np.arange(1, len(shares) + 1))


def _make_word_questions(result: Result, compiled: Compiled | None, count: int) -> list[Question]:
    """Ask which group a word is about; a leading word of its first group stands for that group."""
    known = _read_known(result, compiled)
    weights = np.where(known.bound | known.outside, 0.0, 1.0)
    table = result.object_tables[result.terms].counts
    stated = _find_stated(_guidance_for(compiled, result.terms), table.shape[1])
    selection = select_words(result, weights, stated, count)
    shares = table[:, selection.words].toarray()
    # two words, since a word cannot stand for a group in its own question
    leading = [words.tolist() for words, _ in take_top(result.word_scores, 2)]
    questions = []
    for word, gain, share in zip(selection.words, selection.gains, shares.T, strict=True):
        groups = tuple(np.lexsort((np.arange(len(share)), -share))[:OFFERED_GROUPS].tolist())
        lead = next((other for other in leading[groups[0]] if other != word), None)
        if lead is not None:
            questions.append(Question(WORD, (word, lead), groups, gain))
    return questions


def _find_stated(guidance: Guidance | None, size: int) -> NDArray[np.bool_]:
    """Mark the objects that any statement names."""
    stated = np.zeros(size, dtype=bool)
    if guidance is None:
        return stated
    stated[guidance.pairs.left] = stated[guidance.pairs.right] = True
    for links in guidance.groups:
        stated[links.member] = True
    if guidance.seeds is not None:
        stated |= np.diff(guidance.seeds.matrix.indptr) > 0
    return stated
