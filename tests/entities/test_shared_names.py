from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from colligate.entities import shared_names as module
from colligate.entities.shared_names import name_groups, shared_names
from colligate.errors import InputError, ParameterError


def table(documents):
    rows = [(document, name) for document, names in documents.items() for name in names]
    return {
        "document": [document for document, _ in rows],
        "name": [name for _, name in rows],
        "type": ["people"] * len(rows),
    }


@pytest.fixture
def documents():
    rng = np.random.default_rng(0)
    return {f"d{number}": sorted(set(rng.integers(0, 25, 9).astype(str))) for number in range(40)}


def brute_force(documents, min_shared, most):
    spread = Counter(name for names in documents.values() for name in names)
    kept = {key: {name for name in names if spread[name] <= most} for key, names in documents.items()}
    both = ((a, b, len(kept[a] & kept[b])) for a, b in combinations(documents, 2))
    return {(a, b): shared for a, b, shared in both if shared >= min_shared}


@pytest.mark.parametrize("min_shared", [1, 2, 3, 5])
@pytest.mark.parametrize("block", [1, 200, 10**9])
def test_like_all_pairs_compared(documents, min_shared, block, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK_PAIRS", block)
    ids = list(documents)
    shared_pairs = shared_names(ids, table(documents), min_shared=min_shared, max_documents=15)
    pairs = {
        (ids[a], ids[b]): shared
        for (a, b), shared in zip(shared_pairs.pairs.tolist(), shared_pairs.shared, strict=True)
    }
    assert pairs == brute_force(documents, min_shared, 15)
    assert shared_pairs.pairs.tolist() == sorted(shared_pairs.pairs.tolist())


def test_strength_grows_with_the_overlap():
    names = [str(number) for number in range(30)]
    documents = {"a": names, "b": names[:2], "c": names[:3], "d": names[5:]}
    knowledge = shared_names(list(documents), table(documents), min_shared=2).knowledge()
    strengths = sorted(statement.strength for statement in knowledge)
    assert strengths == [1.0, 1.0, 1.5, 4.0]
    assert {statement.source for statement in knowledge} == {"shared names"}


def test_names_of_very_many_documents_say_nothing():
    documents = {f"d{number}": ["everywhere", *(["rare"] if number < 2 else [])] for number in range(60)}
    assert shared_names(list(documents), table(documents), min_shared=1).pairs.tolist() == [[0, 1]]


def test_single_names_make_groups():
    documents = {"a": ["x"], "b": ["x", "y"], "c": ["x", "z"], "d": ["y"]}
    knowledge = name_groups(list(documents), table(documents))
    names = {"documents": list(documents)}
    assert knowledge.compile(names) is not None
    assert len(name_groups(["a"], table({"a": ["x"]}))) == 0


def test_the_same_name_of_another_type_is_another_entity():
    two = {"document": ["a", "b"], "name": ["x", "x"], "type": ["people", "places"]}
    assert len(shared_names(["a", "b"], two, min_shared=1)) == 0


def test_nothing_shared_is_no_knowledge():
    assert not shared_names(["a", "b"], table({}), min_shared=2).knowledge()


def test_bad_input():
    with pytest.raises(ParameterError, match="min_shared must be 1 or more"):
        shared_names(["a"], table({}), min_shared=0)
    with pytest.raises(InputError, match="'b', which is not in the corpus"):
        shared_names(["a"], table({"b": ["x"]}))


def test_links_of_documents_with_many_are_weaker():
    """Forty documents share a name: each has 39 links, which count together about as much as ten."""
    documents = {f"d{number}": ["common"] for number in range(40)} | {"a": ["rare"], "b": ["rare"]}
    links = shared_names(list(documents), table(documents), min_shared=1)
    strengths = {(one.subject, one.object): one.strength for one in links.knowledge()}
    assert strengths.pop((40, 41)) == 1.0
    assert len(strengths) == 40 * 39 // 2
    assert list(strengths.values()) == pytest.approx([module.MAX_TOTAL / 39] * len(strengths))
