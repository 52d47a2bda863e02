"""A simulated user: statements drawn from the classes of the documents, some of them wrong if asked.

Every kind has draws of its own at each seed, so that a kind says the same alone and among others, and the
same but for the wrong ones where some are wrong. Seed words are those that tell a class best (χ²) among all
documents: the user knows the subjects. Labels are a share of every class, one at least. Links are half
together, half apart; *many links* are random pairs, as in `foundation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.evaluation.corpora import counts
from experiments.random_links import draw_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SEED_WORDS, FEWEST_DOCUMENTS = 10, 5
LINKS_PER_DOCUMENT, MANY_LINKS = 5_000 / 18_846, 250_000


@dataclass(frozen=True, eq=False)
class Said:
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
        own = [self.seed, *kind.encode()]
        return np.random.default_rng(own), np.random.default_rng([*own, 1])

    def errors(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Which of so many statements are wrong: a fixed share."""
        return np.isin(np.arange(size), rng.permutation(size)[: round(self.wrong * size)])

    def misplaced(self, groups: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """The groups of statements, some moved to a random other one; and which."""
        names = np.unique(self.labels)
        wrong = self.errors(rng, len(groups))
        at = np.searchsorted(names, groups)
        moved = (at + rng.integers(1, len(names), len(groups))) % len(names)
        return names[np.where(wrong, moved, at)], wrong


def seed_words(user: User) -> Said:
    """The words that tell every class best, as categories."""
    words, groups = telling(counts(user.network), user.labels)
    groups, wrong = user.misplaced(groups, user.rngs("words")[1])
    knowledge, order = _knowledge(), []
    for name in np.unique(groups):
        own = np.flatnonzero(groups == name)
        knowledge.category(str(name), words=words[own].tolist())
        order.append(own)
    return Said(knowledge, wrong[np.concatenate(order)], _nobody())


def words_together(user: User) -> Said:
    """The same words as groups that belong together, without a name."""
    words, groups = telling(counts(user.network), user.labels)
    groups, wrong = user.misplaced(groups, user.rngs("words")[1])
    own = [np.flatnonzero(groups == name) for name in np.unique(groups)]
    several = [members for members in own if len(members) > 1]
    knowledge = _knowledge().together(words=[words[members].tolist() for members in several])
    # a pair is one statement, a group one for each member
    flags = [wrong[m] if len(m) > 2 else wrong[m].any(keepdims=True) for m in several]
    return Said(knowledge, np.concatenate(flags), _nobody())


def document_labels(share: float) -> Callable[[User], Said]:
    """The classes of a share of the documents."""

    def say(user: User) -> Said:
        rng, errors = user.rngs(f"labels {share}")
        drawn = drawn_labels(user.labels, share, rng)
        groups, wrong = user.misplaced(user.labels[drawn], errors)
        pairs = zip(drawn.tolist(), groups.tolist(), strict=True)
        return Said(_knowledge().label({at: str(name) for at, name in pairs}), wrong, drawn)

    return say


def drawn_labels(labels: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Documents of every class, one at least."""
    found = []
    for name in np.unique(labels):
        members = np.flatnonzero(labels == name)
        found.append(rng.permutation(members)[: max(1, round(share * len(members)))])
    return np.sort(np.concatenate(found))


def links(user: User) -> Said:
    """Pairs of documents, half of one class and half of two."""
    rng, errors = user.rngs("links")
    half = round(LINKS_PER_DOCUMENT * len(user.labels)) // 2
    return _linked(*_halves(user.labels, half, rng), user, errors)


def many_links(user: User) -> Said:
    """Random pairs of documents, as many as the papers have on the newsgroups."""
    _, errors = user.rngs("many links")
    return _linked(*draw_pairs(user.labels, MANY_LINKS, user.seed), user, errors)


def joined(said: Iterable[Said]) -> Said:
    """All statements in one."""
    parts = list(said)
    knowledge = _knowledge()
    for one in parts:
        knowledge.merge(one.knowledge)
    wrong, named = (np.concatenate([getattr(one, name) for one in parts]) for name in ("wrong", "named"))
    return Said(knowledge, wrong, np.unique(named))


def telling(matrix: Any, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The words of highest χ² with each class, and the class; a word speaks for one class alone."""
    names, at = np.unique(labels, return_inverse=True)
    member = (at[:, None] == np.arange(len(names))).astype(np.float64)
    present = np.asarray((matrix > 0).T.astype(np.float64) @ member)
    having, size, n = present.sum(axis=1, keepdims=True), member.sum(axis=0), len(labels)
    beyond = present * n - having * size
    spread = np.maximum(having * (n - having) * size * (n - size), 1.0)
    chi = np.where((beyond > 0) & (having > FEWEST_DOCUMENTS), n * beyond**2 / spread, 0.0)
    chi[chi < chi.max(axis=1, keepdims=True)] = 0.0
    best = np.argsort(-chi, axis=0, kind="stable")[:SEED_WORDS]
    found = [(int(word), group) for group in range(len(names)) for word in best[:, group] if chi[word, group]]
    words, groups = np.array(found).T
    return words, names[groups]


def _halves(labels: np.ndarray, half: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    first = rng.integers(0, len(labels), 4 * half)
    mate = np.empty_like(first)
    for name in np.unique(labels):
        members, own = np.flatnonzero(labels == name), labels[first] == name
        mate[own] = rng.choice(members, int(own.sum()))
    together = np.column_stack([first, mate])[first != mate][:half]
    drawn = rng.integers(0, len(labels), (8 * half, 2))
    return together, drawn[labels[drawn[:, 0]] != labels[drawn[:, 1]]][:half]


def _linked(together: np.ndarray, apart: np.ndarray, user: User, errors: np.random.Generator) -> Said:
    """The links, of each form a share given the other form."""
    flip, flop = (user.errors(errors, len(pairs)) for pairs in (together, apart))
    knowledge = _knowledge()
    knowledge.together(documents=np.concatenate([together[~flip], apart[flop]]))
    knowledge.apart(documents=np.concatenate([apart[~flop], together[flip]]))
    right = [np.zeros(len(pairs), dtype=bool) for pairs in (together[~flip], apart[~flop])]
    wrong = [np.ones(int(flags.sum()), dtype=bool) for flags in (flop, flip)]
    named = np.unique(np.concatenate([together.ravel(), apart.ravel()]))
    return Said(knowledge, np.concatenate([right[0], wrong[0], right[1], wrong[1]]), named)


def _knowledge() -> cg.Knowledge:
    return cg.Knowledge(contradictions="report")


def _nobody() -> np.ndarray:
    return np.zeros(0, dtype=np.int64)
