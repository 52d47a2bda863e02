"""The next most useful questions about a result.

With whom a document is asked about: somebody known of the group that it most likely belongs to.

A document is settled once it belongs together with another. It is asked about with one group after another,
the likeliest first; how many questions that takes on average divides what settling it is worth.

Words that many doubtful documents rest on and that are shared between groups.
"""

from __future__ import annotations

import warnings
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from colligate import registry
from colligate.errors import KnowledgeWarning, ParameterError
from colligate.methods.guidance import takes
from colligate.methods.spherical import tfidf
from colligate.questions.answers import KINDS, LABEL, PAIR, WORD, Question, stand_ins
from colligate.questions.known import Known
from colligate.questions.uncertainty import Chosen, breadth, choose, doubts, space_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from numpy.typing import NDArray

    from colligate.knowledge import Compiled, Guidance, Knowledge
    from colligate.result import Result

    Floats = NDArray[np.float64]
    Positions = NDArray[np.int64]


CHOICES = 4
"""How many groups a label question offers first."""
FEWEST = 1e-6


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
    method, centre, terms = registry.find_method(result.method), result.centre, result.network.terms
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


def pair_questions(
    result: Result, known: Known, space: NDArray[np.float32], chosen: Chosen
) -> list[Question]:
    """A question for each chosen document that is not apart from everybody already."""
    hoods = _hoods(result, known)
    means = np.array([_memberships(result, hood).mean(axis=0) for hood in hoods]).T
    found = []
    for document, gain in zip(chosen.documents.tolist(), chosen.gains.tolist(), strict=True):
        open_to = [at for at, hood in enumerate(hoods) if _is_open(known, document, hood)]
        if not open_to:
            continue
        near = np.array([float((space[hoods[at]] @ space[document]).max()) for at in open_to])
        shares = _shares(_memberships(result, [document])[0] @ means[:, open_to], near)
        best = open_to[int(shares.argmax())]
        other = int(hoods[best][int((space[hoods[best]] @ space[document]).argmax())])
        groups = tuple(result.labels[result.centre][[document, other]].tolist())
        found.append(Question(PAIR, (document, other), groups, gain / _expected_number(shares)))
    return found


def _hoods(result: Result, known: Known) -> list[Positions]:
    """The documents that stand for each group: those bound together, and else the one most typical of it."""
    places = np.flatnonzero(known.anchored)
    _, own = np.unique(known.component[places], return_inverse=True)
    hoods = [places[own == number] for number in range(int(own.max(initial=-1)) + 1)]
    stood_for = {int(_memberships(result, hood).mean(axis=0).argmax()) for hood in hoods}
    for group, typical in enumerate(result.representatives(1)):
        if group not in stood_for and len(typical):
            hoods.append(np.asarray(typical[:1], dtype=np.int64))
    return hoods


def _is_open(known: Known, document: int, hood: Positions) -> bool:
    one = int(hood[0])
    return known.component[document] != known.component[one] and not known.are_apart(document, one)


def _memberships(result: Result, documents: Positions | list[int]) -> Floats:
    return np.asarray(result.memberships[result.centre][documents], dtype=np.float64)


def _shares(likely: Floats, near: Floats) -> Floats:
    """How likely each of the open groups is; the nearer one of equals."""
    found = likely + FEWEST * (1.0 + near)
    return np.asarray(found / found.sum())


def _expected_number(shares: Floats) -> float:
    """How many questions until the right one, asked in the order of the shares."""
    return float(np.sort(shares)[::-1] @ np.arange(1, len(shares) + 1))


def word_questions(result: Result, guidance: Guidance | None, weights: Floats, count: int) -> list[Question]:
    """Is this word about the group that has most of it? Each group is asked about in its turn.

    What a word settles is the doubt of the documents that have it, by its share of their tf-idf, times how
    much it lies between two groups: 4·p₁·p₂·(p₁ + p₂) for the shares of its first two. A word that is all
    over the place belongs to none.
    """
    counts, table = result.counts, result.reach[result.terms].table.toarray()
    shares = table / np.maximum(table.sum(axis=0), 1e-12)
    first, lead = shares.argmax(axis=0), result.word_scores.toarray().argmax(axis=1)
    square = tfidf(counts).power(2)
    effect = (square.T @ weights) * _between(shares)
    effect[_spoken_of(guidance, len(effect)) | np.isin(np.arange(len(effect)), lead)] = 0.0
    chosen = _words_in_turn(effect, first, count)
    return [
        Question(WORD, (word, int(lead[first[word]])), (int(first[word]),), float(effect[word]))
        for word in chosen
    ]


def _between(shares: Floats) -> Floats:
    if len(shares) < 2:
        return np.zeros(shares.shape[1])
    second, first = np.partition(shares, -2, axis=0)[-2:]
    return np.asarray(4.0 * first * second * (first + second))


def _spoken_of(guidance: Guidance | None, size: int) -> NDArray[np.bool_]:
    found = np.zeros(size, dtype=bool)
    if guidance is None:
        return found
    found[guidance.pairs.left] = found[guidance.pairs.right] = True
    for links in guidance.groups:
        found[links.member] = True
    if guidance.seeds is not None:
        found |= np.diff(guidance.seeds.matrix.indptr) > 0
    return found


def _words_in_turn(effect: Floats, group: NDArray[np.int64], count: int) -> list[int]:
    """The best words, no second one of a group before the first ones of all others."""
    order = np.lexsort((np.arange(len(effect)), -effect))
    order = order[effect[order] > 0]
    turn = np.zeros(len(order), dtype=np.int64)
    for own in np.unique(group[order]):
        inside = group[order] == own
        turn[inside] = np.arange(int(inside.sum()))
    found: list[int] = order[np.lexsort((np.arange(len(order)), turn))][:count].tolist()
    return found
