"""Documents of four planted groups in several shards."""

from __future__ import annotations

import numpy as np
import pytest

from colligate import Corpus, _array

pytest.importorskip("distributed")
N_DOCUMENTS, N_TOPICS = 420, 4


def make_texts() -> tuple[list[str], list[int]]:
    """Draw texts of four groups with words of their own and words of all."""
    rng = np.random.default_rng(0)
    topics = rng.integers(N_TOPICS, size=N_DOCUMENTS)
    texts = []
    for topic in topics.tolist():
        own = [f"word{letter}{topic}" for letter in "abcdefghijklmnopqrstuvwxyz"]
        shared = [f"common{letter}" for letter in "abcdefghijklmnopqrst"]
        drawn = [*rng.choice(own, 9), *rng.choice(shared, 12)]
        texts.append(" ".join(drawn))
    # documents without a counted word
    texts[7] = texts[200] = "the of"
    return texts, topics.tolist()


@pytest.fixture(scope="module", autouse=True)
def small_sums():
    """Let sums over rows have parts of 256 rows, so that a few hundred documents are several shards."""
    patch = pytest.MonkeyPatch()
    patch.setattr(_array, "SUM_ROWS", 256)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def texts() -> list[str]:
    """Texts of four groups."""
    return make_texts()[0]


@pytest.fixture(scope="session")
def topics() -> list[int]:
    """The group of every text."""
    return make_texts()[1]


@pytest.fixture(scope="session")
def corpus(texts) -> Corpus:
    """The texts on this machine."""
    return Corpus.from_texts(texts)
