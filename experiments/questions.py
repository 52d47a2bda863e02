"""A simulated user answers questions: NMI by the number of answers, proposed against random questions.

The user knows the class of every document. After 0, 20, 40, 80, … answers the method runs again with all of
them. *Which group?* is answered by the class of a document, *Do these two belong together?* by yes or no;
each form is compared with random questions of the same form. Proposed pairs are asked a few at a time, since
the next pair depends on earlier answers, but not on another run.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import colligate as cg
from colligate.questions import LABEL, PAIR, Question, knowledge_from_answer, propose
from experiments.corpora.catalogue import find_source, load_corpus
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from experiments.runner.store import Run, StoredRuns

METHOD = "colligate"
CORPORA = {"20 newsgroups": "20ng", "WebKB": "webkb"}
FORMS = {LABEL: "which group?", PAIR: "together?"}
POLICIES = ("random", "proposed")
STEPS = {LABEL: (0, 20, 40, 80, 160, 320), PAIR: (0, 40, 80, 160, 320, 640)}
AT_ONCE = {LABEL: 10_000, PAIR: 20}


@dataclass(frozen=True, eq=False)
class User:
    """Somebody who knows the class of every document."""

    labels: np.ndarray

    def answer(self, question: Question) -> bool | str:
        """The class of a document, or whether two are of one class."""
        classes = self.labels[list(question.items)]
        return str(classes[0]) if question.kind == LABEL else bool(classes[0] == classes[1])


class RandomQuestions:
    """Questions of one form about documents drawn at random, no document or pair twice."""

    def __init__(self, form: str, n_documents: int, seed: int) -> None:
        self._form, self._size = form, n_documents
        self._rng = np.random.default_rng(seed)
        self._order = iter(self._rng.permutation(n_documents).tolist())

    def __call__(self, result: cg.Result, n: int, knowledge: cg.Knowledge) -> list[Question]:
        """The next `n`, whatever the result."""
        if self._form == LABEL:
            return [Question(LABEL, (next(self._order),), (), 0.0) for _ in range(n)]
        pairs = (self._rng.choice(self._size, 2, replace=False).tolist() for _ in range(n))
        return [Question(PAIR, tuple(pair), (), 0.0) for pair in pairs]


def propose_questions(form: str, result: cg.Result, n: int, knowledge: cg.Knowledge) -> list[Question]:
    """The next `n` of a form that would help most."""
    return propose(result, n, kinds=[form], knowledge=knowledge)


def run_session(
    name: str,
    form: str,
    policy: str,
    data: Path,
    seed: int,
    *,
    method: str = METHOD,
    steps: Iterable[int] = (),
) -> Run:
    """NMI after every number of answers of one user."""
    corpus, labels = _read(name, data)
    user, knowledge, figures, n_answers = User(labels), cg.Knowledge(), {}, 0
    ask = RandomQuestions(form, len(labels), seed) if policy == "random" else partial(propose_questions, form)
    result = _fit_without_answers(name, method, data, seed)
    for step in steps or STEPS[form]:
        if n_answers < step:
            n_answers += _ask(user, ask, result, knowledge, step - n_answers, AT_ONCE[form])
            result = _fit(method, corpus, labels, knowledge, seed)
        figures[f"nmi_{step}"] = result.evaluate(labels)["nmi"]
    return {**figures, "answers": n_answers, "method": method}


def _ask(
    user: User,
    ask: Callable[[cg.Result, int, cg.Knowledge], list[Question]],
    result: cg.Result,
    knowledge: cg.Knowledge,
    n: int,
    at_once: int,
) -> int:
    """Ask and take down `n` answers; fewer where there is nothing left to ask."""
    n_answers = 0
    while n_answers < n:
        questions = ask(result, min(at_once, n - n_answers), knowledge)
        if not questions:
            break
        for question in questions:
            knowledge.merge(knowledge_from_answer(question, user.answer(question), result))
        n_answers += len(questions)
    return n_answers


def _fit(method: str, corpus: Any, labels: np.ndarray, knowledge: cg.Knowledge, seed: int) -> cg.Result:
    model = cg.make(method, n_clusters=len(np.unique(labels)), random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(corpus, knowledge=knowledge or None)
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
    return cg.Network.from_corpus(corpus), labels


def key(corpus: str, form: str, policy: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {form} | {policy}"


def list_missed_goals(kept: StoredRuns) -> list[str]:
    """The goal, as good with half as many answers: where proposed ones are below twice as many random."""
    goals = []
    for corpus, form in SERIES:
        for half, whole in pairwise(STEPS[form][1:]):
            gain = _mean(kept, key(corpus, form, "proposed"), half) - _mean(
                kept, key(corpus, form, "random"), whole
            )
            if not gain >= 0:
                about = f"{corpus}, {FORMS[form]} {half} proposed below {whole} random"
                goals.append(f"{about}: {gain:+.3f}")
    return goals


def _mean(kept: StoredRuns, cell: str, step: int) -> float:
    values = list(kept.values(cell, f"nmi_{step}").values())
    return float(np.mean(values)) if values else np.nan


def _table(corpus: str, form: str) -> TableSpec:
    rows = {
        policy: {f"{step:,}": Entry(key(corpus, form, policy), f"nmi_{step}") for step in STEPS[form]}
        for policy in POLICIES
    }
    return TableSpec(f"{corpus}: {FORMS[form]}", "questions", rows, chart="answers")


SERIES = (("20 newsgroups", LABEL), ("WebKB", LABEL), ("WebKB", PAIR))

CELLS = tuple(
    Measurement(key(corpus, form, policy), partial(run_session, CORPORA[corpus], form, policy))
    for corpus, form in SERIES
    for policy in POLICIES
)

EXPERIMENT = Experiment(
    name="questions",
    paper="asking",
    about="NMI by the number of answers of a simulated user, proposed against random questions",
    corpora=tuple(file for name in CORPORA.values() for file in find_source(name).files),
    cells=CELLS,
    tables=tuple(_table(corpus, form) for corpus, form in SERIES),
    quick=Quick(("WebKB | label",)),
    missed=list_missed_goals,
)
