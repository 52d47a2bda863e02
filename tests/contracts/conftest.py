"""Contracts run on every method that the registry finds."""

import numpy as np
import pytest

import colligate as cg
from colligate.registry import load_methods


@pytest.fixture(params=sorted(name for name, cls in load_methods().items() if not cls.needs))
def method(request):
    """The name of a method that can do without knowledge; the others are tested by themselves."""
    return request.param


@pytest.fixture(scope="session")
def counts():
    """Documents of three groups with words of their own, large enough for several chunks of rows."""
    rng = np.random.default_rng(0)
    truth = np.arange(2100) % 3
    rates = np.full((3, 90), 0.02)
    for k in range(3):
        rates[k, 25 * k : 25 * (k + 1)] = 0.25
    rates[:, 75:] = 0.2
    counts_of_topics = rng.poisson(rates[truth])
    counts_of_topics[:, 80] += 1
    return counts_of_topics


@pytest.fixture
def small(counts):
    return counts[:90]


@pytest.fixture
def worded():
    """Texts of three subjects."""
    subjects = (
        "cat dog horse sheep goat cow",
        "bank loan stock dollar tax debt",
        "rain snow storm wind fog hail",
    )
    rng = np.random.default_rng(0)
    return cg.Corpus.from_texts([" ".join(rng.choice(subjects[i % 3].split(), 4)) for i in range(90)])


@pytest.fixture
def knowledge():
    """One piece of every kind of knowledge, by position."""
    return {
        "links:documents": cg.Knowledge().together(documents=[(0, 3)]).apart(documents=[(0, 1)]),
        "links:words": cg.Knowledge().together(words=[(0, 1)]).apart(words=[(0, 30)]),
        "labels:documents": cg.Knowledge().label({0: "a", 3: "a", 1: "b"}),
        "labels:words": cg.Knowledge().label({0: "a", 30: "b"}, type="words"),
        "categories:words": cg.Knowledge().category("a", words=[0, 1, 2]).category("b", words=[26, 27]),
        "categories:documents": cg.Knowledge().category("a", documents=[0, 3]),
        "outside:documents": cg.Knowledge().outside([5, 6]),
        "sizes:documents": cg.Knowledge().group_size("*", at_least=29, at_most=31),
        "names:documents": cg.Knowledge().names(["animals", "money"]),
    }
