"""A simulated user answers questions: what the documents that no answer names gain, by the number of answers.

The user knows the class of every document. A document is in its class, two documents are together if they
have the same class. A word is about the class in whose documents it is most frequent, if that class has half
of the frequencies of all classes. Otherwise the user cannot tell and skips the question, which counts.
After 20 and 60 questions the method runs from a fresh start with all answers. NMI and accuracy are computed
over the documents that no answer names; the gain is over the groups without answers, on the same documents.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import colligate as cg
from colligate._array import one_hot
from colligate.questions import KINDS, LABEL, PAIR, WORD, Question, knowledge_from_answer, propose
from colligate.result.metrics import evaluate
from experiments.corpora.catalogue import find_source, load_corpus
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from experiments.runner.store import Run, StoredRuns

METHOD = "colligate"
REPORTED = {"WebKB": "webkb", "20 newsgroups": "20ng"}
TUNED = {name: name for name in ("oh0", "tr31")}
CORPORA = {**REPORTED, **TUNED}
STEPS = (20, 60)
# a session takes minutes on 20 newsgroups
SEEDS = 1
# the next pair depends on earlier answers, but not on another run
PAIRS_AT_ONCE = 20
# a word is about a class that has this share of its frequencies over all classes
CLEAR = 0.5
RANDOM_LABELS, RANDOM, PROPOSED = "random documents", "random words and documents", "proposed"
BY_KIND = {f"proposed, {kind} only": kind for kind in KINDS}
POLICIES = (RANDOM_LABELS, RANDOM, PROPOSED, *BY_KIND)


@dataclass(frozen=True, eq=False)
class User:
    """Somebody who knows the class of every document, and so what words are about."""

    labels: np.ndarray
    word_classes: np.ndarray

    @classmethod
    def of(cls, labels: np.ndarray, counts: Any) -> User:
        """Compute what every word is about; an empty class means that the user cannot tell."""
        classes, numbers = np.unique(labels, return_inverse=True)
        in_class = np.asarray((one_hot(numbers.astype(np.int32), len(classes)).T @ (counts > 0)).todense())
        rates = in_class / np.bincount(numbers)[:, None]
        shares = rates / np.maximum(rates.sum(axis=0), 1e-12)
        about = np.array([str(name) for name in classes])[shares.argmax(axis=0)]
        return cls(labels, np.where(shares.max(axis=0) >= CLEAR, about, ""))

    def answer(self, question: Question) -> bool | str | None:
        """The class of a document or word, or whether two documents are of one class; None for a skip."""
        if question.kind == WORD:
            return str(self.word_classes[question.items[0]]) or None
        classes = self.labels[list(question.items)]
        return str(classes[0]) if question.kind == LABEL else bool(classes[0] == classes[1])


class RandomQuestions:
    """Questions about random documents, and in a mixture also words, none of them twice."""

    def __init__(self, turns: Iterable[str], counts: Any, seed: int) -> None:
        rng = np.random.default_rng(seed)
        frequent = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1]) >= 3)
        order = {LABEL: rng.permutation(counts.shape[0]), WORD: rng.permutation(frequent)}
        self._order = {kind: iter(items.tolist()) for kind, items in order.items()}
        self._turns = tuple(turns)
        self._n_asked = 0

    def __call__(self, result: cg.Result, n: int, knowledge: cg.Knowledge) -> list[Question]:
        """The next `n`, whatever the result."""
        questions = []
        for number in range(self._n_asked, self._n_asked + n):
            kind = self._turns[number % len(self._turns)]
            questions.append(Question(kind, (next(self._order[kind]),), (), 0.0))
        self._n_asked += n
        return questions


def make_questions(policy: str, counts: Any, seed: int) -> Callable[..., list[Question]]:
    """Return a function that asks the next questions about a result."""
    if policy == RANDOM_LABELS:
        return RandomQuestions((LABEL,), counts, seed)
    if policy == RANDOM:
        return RandomQuestions((WORD, WORD, WORD, LABEL), counts, seed)
    kinds = None if policy == PROPOSED else [BY_KIND[policy]]
    return lambda result, n, knowledge: propose(result, n, kinds=kinds, knowledge=knowledge)


def run_session(
    name: str, policy: str, data: Path, seed: int, *, method: str = METHOD, steps: Iterable[int] = STEPS
) -> Run:
    """NMI and accuracy of the documents in no answer, and their gains, after every number of questions."""
    network, labels = _read(name, data)
    bare = result = _fit_without_answers(name, method, data, seed)
    user, ask = User.of(labels, bare.counts), make_questions(policy, bare.counts, seed)
    knowledge, figures, n_asked = cg.Knowledge(contradictions="report"), {}, 0
    at_once = PAIRS_AT_ONCE if BY_KIND.get(policy) == PAIR else max(steps)
    for step in steps:
        while n_asked < step and (questions := ask(result, min(at_once, step - n_asked), knowledge)):
            _record(user, questions, result, knowledge)
            n_asked += len(questions)
        result = _fit(method, network, labels, knowledge, seed)
        free = ~find_named(knowledge, result)
        after, before = (evaluate(labels, run.labels[run.centre], free) for run in (result, bare))
        for figure in ("nmi", "accuracy"):
            figures[f"{figure}_{step}"] = after[figure]
            figures[f"{figure}_gain_{step}"] = after[figure] - before[figure]
    named = int(find_named(knowledge, result).sum())
    return {**figures, "questions": n_asked, "named": named, "method": method}


def _record(user: User, questions: list[Question], result: cg.Result, knowledge: cg.Knowledge) -> None:
    """Add the answers to the knowledge."""
    for question in questions:
        answer = user.answer(question)
        if answer is None:
            continue
        knowledge.merge(knowledge_from_answer(question, answer, result))


def find_named(knowledge: cg.Knowledge, result: cg.Result) -> np.ndarray:
    """Mark the documents that any statement names."""
    named = np.zeros(len(result.labels[result.centre]), dtype=bool)
    guidance = knowledge.compile(result.network.names).guidance.get(result.centre)
    if guidance is not None:
        named[guidance.pairs.left] = named[guidance.pairs.right] = True
        named |= False if guidance.labels is None else guidance.labels >= 0
    return named


def _fit(method: str, network: Any, labels: np.ndarray, knowledge: cg.Knowledge, seed: int) -> cg.Result:
    model = cg.make(method, n_clusters=len(np.unique(labels)), random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(network, knowledge=knowledge or None)
    result: cg.Result = model.result_
    return result


@lru_cache(maxsize=5)
def _fit_without_answers(name: str, method: str, data: Path, seed: int) -> cg.Result:
    """Without an answer all users of a seed have the same."""
    return _fit(method, *_read(name, data), cg.Knowledge(), seed)


@cache
def _read(name: str, data: Path) -> tuple[cg.Network, np.ndarray]:
    """As a network, which all runs share, so that what is found of it once is kept."""
    corpus, labels = load_corpus(name, data)
    return cg.Network.from_corpus(corpus), np.asarray(labels)


def key(corpus: str, policy: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {policy}"


def list_missed_goals(kept: StoredRuns) -> list[str]:
    """The goal: twenty proposed questions gain as much as sixty random labels, and nothing is lost."""
    goals = []
    few, many = STEPS
    for corpus in CORPORA:
        gain, rival = _mean(kept, key(corpus, PROPOSED), few), _mean(kept, key(corpus, RANDOM_LABELS), many)
        if not gain >= rival:
            goals.append(f"{corpus}: {few} proposed gain {gain:+.3f}, {many} random labels {rival:+.3f}")
        if not gain >= 0:
            goals.append(f"{corpus}: {few} proposed questions cost {gain:+.3f}")
    return goals


def _mean(kept: StoredRuns, cell: str, step: int) -> float:
    values = list(kept.values(cell, f"nmi_gain_{step}").values())
    return float(np.mean(values)) if values else np.nan


def _table(corpus: str) -> TableSpec:
    names = {"nmi_gain": "NMI", "accuracy_gain": "accuracy"}
    rows = {
        policy: {
            f"{names[figure]}, {step}": Entry(key(corpus, policy), f"{figure}_{step}")
            for figure in names
            for step in STEPS
        }
        for policy in list_policies(corpus)
    }
    return TableSpec(f"{corpus}: gain of the documents in no answer", "questions", rows)


def list_policies(corpus: str) -> tuple[str, ...]:
    """All on WebKB; most are too slow on 20 newsgroups, and the tuning sets are a check."""
    if corpus == "20 newsgroups":
        return (RANDOM_LABELS, PROPOSED)
    return POLICIES if corpus == "WebKB" else (RANDOM_LABELS, RANDOM, PROPOSED)


CELLS = tuple(
    Measurement(key(corpus, policy), partial(run_session, CORPORA[corpus], policy), seeds=SEEDS)
    for corpus in CORPORA
    for policy in list_policies(corpus)
)

EXPERIMENT = Experiment(
    name="questions",
    paper="asking",
    about="gain of the documents in no answer of a simulated user, proposed against random questions",
    corpora=tuple(file for name in CORPORA.values() for file in find_source(name).files),
    cells=CELLS,
    tables=tuple(_table(corpus) for corpus in CORPORA),
    quick=Quick(("WebKB | proposed, word only",)),
    missed=list_missed_goals,
)
