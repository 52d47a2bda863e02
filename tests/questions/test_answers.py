"""Documents that stand for a group make its label mean it, and are not taken for what the user said."""

from __future__ import annotations

import numpy as np
import pytest

import colligate as cg
from colligate.questions import LABEL, propose
from colligate.questions.answers import (
    EXEMPLAR_SUFFIX,
    MAX_EXEMPLARS,
    find_exemplars,
    label_exemplars,
    label_groups,
)
from colligate.questions.known import KnownObjects
from tests.studio.helpers import COMMON, TOPICS

PER_TOPIC = 20


@pytest.fixture(scope="module")
def result():
    rng = np.random.default_rng(1)
    texts = [
        " ".join([*rng.choice(own.split(), 9), *rng.choice(COMMON.split(), 3)])
        for own in TOPICS.values()
        for _ in range(PER_TOPIC)
    ]
    ids = [f"{topic[0]}{number}" for topic in TOPICS for number in range(PER_TOPIC)]
    corpus = cg.Corpus.from_texts(texts, ids)
    return cg.make("citcc", n_clusters=len(TOPICS), random_state=0).fit(corpus).result_


def compiled(result, knowledge):
    return knowledge.compile(result.network.names)


def test_the_label_of_a_group_without_a_name_comes_with_who_stands_for_it(result):
    told = label_exemplars(result, 1, compiled(result, cg.Knowledge()), "me", 0)
    names, labels = list(result.network.types["documents"].names), result.labels["documents"]
    places = [names.index(row.subject) for row in told]
    assert len(places) == MAX_EXEMPLARS
    assert 0 not in places
    assert {int(labels[at]) for at in places} == {1}
    assert {(row.object, row.source) for row in told} == {(label_groups(result)[1], f"me {EXEMPLAR_SUFFIX}")}


def test_nobody_is_needed_where_the_label_is_known(result):
    known = cg.Knowledge().label({"s1": label_groups(result)[1]})
    assert not label_exemplars(result, 1, compiled(result, known), "me", 0)


def test_who_is_spoken_of_stands_for_nothing(result):
    names = result.network.types["documents"].names
    first, second = (names[at] for at in result.representatives(2)[1].tolist())
    known = cg.Knowledge().label({first: "other"}).outside([second])
    told = label_exemplars(result, 1, compiled(result, known), "me", 0)
    assert {first, second}.isdisjoint(row.subject for row in told)


@pytest.mark.parametrize("stored", [False, True])
def test_they_are_told_from_answers_also_after_they_were_in_a_file(result, tmp_path, stored):
    known = cg.Knowledge().label({"s0": "space"}, source="me")
    known.label({"s1": "space", "s2": "space"}, source=f"me {EXEMPLAR_SUFFIX}")
    if stored:
        known.write(tmp_path / "known.yaml")
        known = cg.Knowledge.read(tmp_path / "known.yaml")
    found = compiled(result, known)
    marked = find_exemplars(found, "documents")
    names = np.array(result.network.types["documents"].names)
    assert names[marked].tolist() == ["s1", "s2"]
    seen = KnownObjects.of(found.guidance["documents"], len(names), marked)
    assert names[seen.answered].tolist() == ["s0"]


def test_they_do_not_count_as_answers(result):
    """Labels for nearly all would make only doubt count, and leave nothing that nobody speaks for."""
    names = result.network.types["documents"].names
    rest = [name for name in names if int(name[1:]) % 2]
    labels = {name: name[0] for name in names if not int(name[1:]) % 2}
    asked = propose(
        result, 6, kinds=[LABEL], knowledge=cg.Knowledge().label(labels, source=f"me {EXEMPLAR_SUFFIX}")
    )
    told = propose(result, 6, kinds=[LABEL], knowledge=cg.Knowledge().label(labels, source="me"))
    assert {names[one.items[0]] for one in asked} <= set(rest)
    assert asked[0].effect > 2 * told[0].effect
