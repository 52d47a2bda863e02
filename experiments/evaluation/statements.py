"""A simulated user: statements drawn from the classes of the documents, with a share of wrong ones.

Every kind has its own random draws at each seed, so its statements are the same alone and together with other
kinds, and the same except for the wrong ones. Seed words are those with the highest χ² for a class among all
documents: the user knows the subjects. Labels are a share of every class, at least one. Links are half
together, half apart; *many links* are random pairs, as in `foundation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.evaluation.corpora import count_matrix
from experiments.random_links import draw_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SEED_WORDS, FEWEST_DOCUMENTS = 10, 5
LINKS_PER_DOCUMENT, MANY_LINKS = 5_000 / 18_846, 250_000


@dataclass(frozen=True, eq=False)
class Statements:
    """Statements, which of them are wrong, and the documents they name."""

    knowledge: cg.Knowledge
    wrong: np.ndarray
    named: np.ndarray


@dataclass(frozen=True, eq=False)
class User:
    """Knows the class of every document; says a share of all statements wrongly."""

    network: cg.Network
    labels: np.ndarray
    seed: int
    wrong: float = 0.0

    def rngs(self, kind: str) -> tuple[np.random.Generator, np.random.Generator]:
        """One that draws statements, and one that makes some wrong."""
        entropy = [self.seed, *kind.encode()]
        return np.random.default_rng(entropy), np.random.default_rng([*entropy, 1])

    def errors(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Which of so many statements are wrong: a fixed share."""
        return np.isin(np.arange(size), rng.permutation(size)[: round(self.wrong * size)])

    def misplaced(self, groups: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """The groups of statements, some moved to a random other one; and which."""
        names = np.unique(self.labels)
        wrong = self.errors(rng, len(groups))
        positions = np.searchsorted(names, groups)
        moved = (positions + rng.integers(1, len(names), len(groups))) % len(names)
        return names[np.where(wrong, moved, positions)], wrong


def make_seed_words(user: User) -> Statements:
    """The words that tell every class best, as categories."""
    words, groups = select_seed_words(count_matrix(user.network), user.labels)
    groups, wrong = user.misplaced(groups, user.rngs("words")[1])
    knowledge, order = _new_knowledge(), []
    for name in np.unique(groups):
        members = np.flatnonzero(groups == name)
        knowledge.category(str(name), words=words[members].tolist())
        order.append(members)
    return Statements(knowledge, wrong[np.concatenate(order)], _no_documents())


def make_word_links(user: User) -> Statements:
    """The same words as groups that belong together, without a name."""
    words, groups = select_seed_words(count_matrix(user.network), user.labels)
    groups, wrong = user.misplaced(groups, user.rngs("words")[1])
    by_group = [np.flatnonzero(groups == name) for name in np.unique(groups)]
    several = [members for members in by_group if len(members) > 1]
    knowledge = _new_knowledge().together(words=[words[members].tolist() for members in several])
    # a pair is one statement, a group one for each member
    flags = [wrong[m] if len(m) > 2 else wrong[m].any(keepdims=True) for m in several]
    return Statements(knowledge, np.concatenate(flags), _no_documents())


def make_labels(share: float) -> Callable[[User], Statements]:
    """The classes of a share of the documents."""

    def say(user: User) -> Statements:
        rng, errors = user.rngs(f"labels {share}")
        drawn = draw_labels(user.labels, share, rng)
        groups, wrong = user.misplaced(user.labels[drawn], errors)
        pairs = zip(drawn.tolist(), groups.tolist(), strict=True)
        return Statements(
            _new_knowledge().label({document: str(name) for document, name in pairs}), wrong, drawn
        )

    return say


def draw_labels(labels: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Documents of every class, one at least."""
    labelled = []
    for name in np.unique(labels):
        members = np.flatnonzero(labels == name)
        labelled.append(rng.permutation(members)[: max(1, round(share * len(members)))])
    return np.sort(np.concatenate(labelled))


def make_links(user: User) -> Statements:
    """Pairs of documents, half of one class and half of two."""
    rng, errors = user.rngs("links")
    half = round(LINKS_PER_DOCUMENT * len(user.labels)) // 2
    return _link_pairs(*_draw_pairs(user.labels, half, rng), user, errors)


def make_many_links(user: User) -> Statements:
    """Random pairs of documents, as many as the papers have on the newsgroups."""
    _, errors = user.rngs("many links")
    return _link_pairs(*draw_pairs(user.labels, MANY_LINKS, user.seed), user, errors)


def join_statements(statements: Iterable[Statements]) -> Statements:
    """All statements in one."""
    parts = list(statements)
    knowledge = _new_knowledge()
    for one in parts:
        knowledge.merge(one.knowledge)
    wrong, named = (np.concatenate([getattr(one, name) for one in parts]) for name in ("wrong", "named"))
    return Statements(knowledge, wrong, np.unique(named))


def select_seed_words(matrix: Any, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The words of highest χ² with each class, and the class."""
    return rank_seed_words(matrix, labels, 0, SEED_WORDS)


def rank_seed_words(matrix: Any, labels: np.ndarray, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
    """The words between two places by χ² with each class, and the class; a word is of one class alone."""
    names, classes = np.unique(labels, return_inverse=True)
    member = (classes[:, None] == np.arange(len(names))).astype(np.float64)
    present = np.asarray((matrix > 0).T.astype(np.float64) @ member)
    having, size, n = present.sum(axis=1, keepdims=True), member.sum(axis=0), len(labels)
    beyond = present * n - having * size
    spread = np.maximum(having * (n - having) * size * (n - size), 1.0)
    chi = np.where((beyond > 0) & (having > FEWEST_DOCUMENTS), n * beyond**2 / spread, 0.0)
    chi[chi < chi.max(axis=1, keepdims=True)] = 0.0
    best = np.argsort(-chi, axis=0, kind="stable")[first:last]
    word_groups = [
        (int(word), group) for group in range(len(names)) for word in best[:, group] if chi[word, group]
    ]
    words, groups = np.array(word_groups).T
    return words, names[groups]


def _draw_pairs(labels: np.ndarray, half: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    first = rng.integers(0, len(labels), 4 * half)
    mate = np.empty_like(first)
    for name in np.unique(labels):
        members, in_group = np.flatnonzero(labels == name), labels[first] == name
        mate[in_group] = rng.choice(members, int(in_group.sum()))
    together = np.column_stack([first, mate])[first != mate][:half]
    drawn = rng.integers(0, len(labels), (8 * half, 2))
    return together, drawn[labels[drawn[:, 0]] != labels[drawn[:, 1]]][:half]


def _link_pairs(
    together: np.ndarray, apart: np.ndarray, user: User, errors: np.random.Generator
) -> Statements:
    """The links, of each form a share given the other form."""
    flip, flop = (user.errors(errors, len(pairs)) for pairs in (together, apart))
    knowledge = _new_knowledge()
    knowledge.together(documents=np.concatenate([together[~flip], apart[flop]]))
    knowledge.apart(documents=np.concatenate([apart[~flop], together[flip]]))
    right = [np.zeros(len(pairs), dtype=bool) for pairs in (together[~flip], apart[~flop])]
    wrong = [np.ones(int(flags.sum()), dtype=bool) for flags in (flop, flip)]
    named = np.unique(np.concatenate([together.ravel(), apart.ravel()]))
    return Statements(knowledge, np.concatenate([right[0], wrong[0], right[1], wrong[1]]), named)


def _new_knowledge() -> cg.Knowledge:
    return cg.Knowledge(contradictions="report")


def _no_documents() -> np.ndarray:
    return np.zeros(0, dtype=np.int64)
