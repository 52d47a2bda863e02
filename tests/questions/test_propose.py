"""Questions are worth asking: about what is doubtful, for many, and never about what is known."""

from __future__ import annotations

import gzip
import json
import warnings
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colligate as cg
from colligate.errors import InputError, ParameterError
from colligate.questions import KINDS, LABEL, PAIR, WORD, Question, knowledge_from_answer, propose
from colligate.questions.answers import label_groups
from colligate.questions.known import KnownObjects
from colligate.questions.propose import FIRST_WORDS
from colligate.questions.uncertainty import exploration_weight, select_documents
from colligate.questions.words import select_words
from tests.studio.helpers import COMMON, TOPICS

PER_TOPIC = 25


@pytest.fixture(scope="module")
def result():
    """Four topics, and a few documents that are half of one and half of another, and told to be so."""
    rng = np.random.default_rng(0)
    words = [own.split() for own in TOPICS.values()]
    texts, ids = [], []
    for topic, own in enumerate(words):
        for number in range(PER_TOPIC):
            texts.append(" ".join([*rng.choice(own, 9), *rng.choice(COMMON.split(), 5)]))
            ids.append(f"{list(TOPICS)[topic][0]}{number}")
    for number in range(6):
        texts.append(" ".join([*rng.choice(words[0], 5), *rng.choice(words[1], 5)]))
        ids.append(f"mixed{number}")
    corpus = cg.Corpus.from_texts(texts, ids)
    found = cg.make("citcc", n_clusters=4, random_state=0).fit(corpus).result_
    memberships = found.memberships["documents"].copy()
    pair = [int(found.labels["documents"][0]), int(found.labels["documents"][PER_TOPIC])]
    memberships[-6:] = 0.0
    memberships[-6:, pair] = 0.5
    return replace(found, memberships={**found.memberships, "documents": memberships})


def names(result, question):
    return [result.network.types[result.centre].names[at] for at in question.items]


def test_kinds_that_are_chosen_take_turns(result):
    found = propose(result, 6, kinds=KINDS)
    assert [question.kind for question in found] == [*KINDS, *KINDS]
    assert all(question.effect > 0 for question in found)
    about = [question.items[0] for question in found if question.kind != WORD]
    assert len(set(about)) == len(about)


def test_words_are_asked_before_documents_and_pairs_last(result):
    asked = [question.kind for question in propose(result, FIRST_WORDS + 5)]
    assert asked == FIRST_WORDS * [WORD] + 5 * [LABEL]
    words = result.network.types["words"].names
    first = [words[question.items[0]] for question in propose(result, FIRST_WORDS)]
    known = cg.Knowledge().category("it", words=first[:18])
    skipped = [propose(result, 1, knowledge=known)[0]]
    asked = propose(result, 3, knowledge=known, skipped=skipped)
    assert [question.kind for question in asked] == [WORD, LABEL, LABEL]
    known = cg.Knowledge().category("it", words=list(words))
    documents = len(result.network.types["documents"])
    asked = [question.kind for question in propose(result, documents + 5, knowledge=known)]
    assert asked == documents * [LABEL]


def test_the_same_result_gives_the_same_questions(result):
    assert propose(result, 9) == propose(result, 9)


def test_what_is_between_two_groups_is_asked_once_enough_is_known(result):
    known = cg.Knowledge()
    for topic in TOPICS:
        known.label({f"{topic[0]}{number}": topic for number in range(20)})
    asked = [names(result, one)[0] for one in propose(result, 6, kinds=[LABEL], knowledge=known)]
    assert sum(name.startswith("mixed") for name in asked) >= 4
    likeliest = propose(result, 1, kinds=[LABEL], knowledge=known)[0].groups
    own = result.memberships["documents"][propose(result, 1, kinds=[LABEL], knowledge=known)[0].items[0]]
    assert own[likeliest[0]] == own.max()


def test_the_first_questions_are_spread_over_all_topics(result):
    asked = propose(result, 4, kinds=[LABEL])
    assert len({int(result.labels["documents"][one.items[0]]) for one in asked}) >= 3


def test_what_is_known_is_not_asked(result):
    known = cg.Knowledge()
    ids = result.network.types["documents"].names
    known.label({name: name[0] for name in ids if not name.startswith("mixed")})
    known.outside(["mixed0"])
    asked = {names(result, one)[0] for one in propose(result, 50, kinds=[LABEL], knowledge=known)}
    assert asked == {f"mixed{number}" for number in range(1, 6)}


def test_a_pair_is_asked_with_one_group_after_the_other_until_it_is_settled(result):
    known, settled = cg.Knowledge(), None
    for _ in range(12):
        question = propose(result, 1, kinds=[PAIR], knowledge=known)[0]
        one, other = names(result, question)
        said = [(row.subject, row.object) for row in known]
        assert (one, other) not in said
        if one[0] == other[0]:
            settled = one
            known.together(documents=[(one, other)])
        else:
            known.apart(documents=[(one, other)])
    assert settled is not None
    assert all(settled != names(result, one)[0] for one in propose(result, 20, kinds=[PAIR], knowledge=known))


def test_whoever_is_apart_from_all_groups_stands_for_one(result):
    size = len(result.network.types["documents"])
    known = cg.Knowledge()
    for topic in TOPICS:
        known.together(documents=[(f"{topic[0]}0", f"{topic[0]}1")])
        known.apart(documents=[("mixed0", f"{topic[0]}0")])
    found = KnownObjects.of(known.compile(result.network.names).guidance["documents"], size)
    at = list(result.network.types["documents"].names).index("mixed0")
    assert found.anchored[at]
    assert not found.bound[at]


def test_what_was_skipped_is_not_asked_again(result):
    first = propose(result, 3)
    again = propose(result, 3, skipped=first)
    assert not {(one.kind, one.items) for one in first} & {(one.kind, one.items) for one in again}


def test_only_what_the_method_takes_is_asked(result):
    fitted = cg.make("ssnmf", n_clusters=4, random_state=0).fit(result.corpus)
    assert {question.kind for question in propose(fitted.result_, 6)} == {LABEL}
    untold = cg.make("itcc", n_clusters=4, random_state=0).fit(result.corpus)
    assert propose(untold.result_, 6) == []


def test_an_unknown_kind_is_refused(result):
    with pytest.raises(ParameterError, match="kinds must be among label, pair, word; got 'labels'"):
        propose(result, 1, kinds=["labels"])


def test_one_group_alone_still_has_label_questions(result):
    fitted = cg.make("citcc", n_clusters=1, random_state=0).fit(result.corpus)
    assert propose(fitted.result_, 2, kinds=[LABEL])
    assert propose(fitted.result_, 2, kinds=[WORD]) == []


def test_words_in_question_are_typical_of_topics_and_were_not_spoken_of(result):
    asked = propose(result, 8, kinds=[WORD])
    words = result.network.types["words"].names
    shown = [words[one.items[0]] for one in asked]
    lead = [words[one.items[1]] for one in asked]
    assert all(one != other for one, other in zip(shown, lead, strict=True))
    assert set(shown).isdisjoint(COMMON.split())
    topics = [{topic for topic, own in TOPICS.items() if word in own.split()} for word in shown]
    assert set.union(*topics[:4]) == set(TOPICS)
    shares = result.object_tables["words"].counts.toarray()
    assert all(shares[one.groups[0], one.items[0]] == shares[:, one.items[0]].max() for one in asked)
    assert all(len(set(one.groups)) == 4 for one in asked)
    known = cg.Knowledge().category("it", words=shown[:2]).apart(words=[(shown[2], lead[2])])
    again = [words[one.items[0]] for one in propose(result, 8, kinds=[WORD], knowledge=known)]
    assert set(shown[:3]).isdisjoint(again)


def test_numbers_and_words_of_all_groups_are_not_asked():
    """All documents have “reuter” and most a sum of money; two topics share a number."""
    rng = np.random.default_rng(0)
    texts = []
    for topic, own in TOPICS.items():
        for number in range(PER_TOPIC):
            money = ["dlrs", "1986"] if rng.random() < 0.6 else []
            shared = ["motor", "747"] if topic in ("space", "cars") and number % 3 == 0 else []
            drawn = [*rng.choice(own.split(), 6), *rng.choice(COMMON.split(), 3)]
            texts.append(" ".join([*drawn, *shared, *money, "reuter"]))
    fitted = cg.make("citcc", n_clusters=4, random_state=0).fit(cg.Corpus.from_texts(texts)).result_
    words = fitted.network.types["words"].names
    asked = {words[one.items[0]] for one in propose(fitted, len(words), kinds=[WORD])}
    assert asked
    assert asked.isdisjoint({"reuter", "dlrs", "1986", "747", *COMMON.split()})


def test_the_words_in_question_have_their_documents_in_few_groups():
    """On the demo corpus, where “state” is a word of several groups."""
    lines = gzip.decompress((files("colligate.demo") / "articles.jsonl.gz").read_bytes()).splitlines()
    corpus = cg.Corpus.from_texts([json.loads(line)["text"] for line in lines])
    fitted = cg.make("colligate", n_clusters=6, random_state=0).fit(corpus).result_
    labels, words = fitted.labels["documents"], fitted.network.types["words"].names
    for question in propose(fitted, 10, kinds=[WORD]):
        rows = fitted.counts[:, [question.items[0]]].nonzero()[0]
        sizes = np.sort(np.bincount(labels[rows], minlength=6))
        assert sizes[-2:].sum() > 0.7 * len(rows), words[question.items[0]]


def test_documents_with_many_known_words_count_less(result):
    """The second word of a topic comes after the first words of all others."""
    size = len(result.network.types["documents"])
    nothing = np.zeros(len(result.network.types["words"]), dtype=bool)
    chosen = select_words(result, np.ones(size), nothing, 20)
    assert all(left >= right * 0.99 for left, right in pairwise(chosen.gains))
    told = nothing.copy()
    told[chosen.words[:5]] = True
    again = select_words(result, np.ones(size), told, 15)
    assert again.words[:5] == chosen.words[5:10]
    assert select_words(result, np.zeros(size), nothing, 5).words == []


def test_answers_are_knowledge(result):
    label, pair, word = propose(result, 3, kinds=KINDS)
    one, other = names(result, pair)
    (told,) = knowledge_from_answer(label, "space", result)
    assert (told.kind, told.subject, told.object) == ("label", names(result, label)[0], "space")
    assert [row.kind for row in knowledge_from_answer(pair, True, result)] == ["together"]
    (told,) = knowledge_from_answer(pair, False, result, "me")
    assert (told.kind, told.subject, told.object, told.source) == ("apart", one, other, "me")
    (told,) = knowledge_from_answer(word, True, result)
    assert (told.kind, told.object) == ("category", result.group_names[word.groups[0]])
    assert [row.kind for row in knowledge_from_answer(word, False, result)] == ["apart"]
    (told,) = knowledge_from_answer(label, True, result)
    assert (told.kind, told.object) == ("label", label_groups(result)[label.groups[0]])


def test_a_document_that_is_not_in_a_group_is_apart_from_who_stands_for_it(result):
    typical = [int(some[0]) for some in result.representatives(2)]
    for asked in (propose(result, 1, kinds=[LABEL])[0], Question(LABEL, (typical[0],), (0, 1), 1.0)):
        (told,) = knowledge_from_answer(asked, False, result)
        places = list(result.network.types["documents"].names)
        other = places.index(told.object)
        assert (told.kind, places.index(told.subject)) == ("apart", asked.items[0])
        assert other != asked.items[0]
        assert result.labels["documents"][other] == asked.groups[0]


def test_nobody_else_may_stand_for_a_group(result):
    alone = np.where(np.arange(len(result.labels["documents"])) == 0, 0, 1).astype(np.int32)
    single = replace(result, labels={**result.labels, "documents": alone})
    with pytest.raises(InputError, match="has no other typical document"):
        knowledge_from_answer(Question(LABEL, (0,), (0, 1), 1.0), False, single)


def test_a_group_that_a_document_is_not_in_is_offered_last(result):
    asked = propose(result, 1, kinds=[LABEL])[0]
    known = knowledge_from_answer(asked, False, result)
    groups = next(
        one.groups for one in propose(result, 200, kinds=[LABEL], knowledge=known) if one.items == asked.items
    )
    assert groups[-1] == asked.groups[0]
    assert sorted(groups) == sorted(asked.groups)


def test_a_name_of_one_group_is_not_given_to_another(result):
    own = result.group_names[int(result.labels["documents"][0])]
    hockey = int(result.labels["documents"][PER_TOPIC])
    known = cg.Knowledge().label({f"{list(TOPICS)[1][0]}0": own})
    told = replace(result, compiled=known.compile(result.network.names))
    labels = label_groups(told)
    assert labels[hockey] == own
    assert labels[int(result.labels["documents"][0])] == f"{own} (2)"
    assert len(set(labels)) == len(labels)


def test_groups_are_called_as_knowledge_does(result):
    known = cg.Knowledge().label({f"s{number}": "cosmos" for number in range(5)})
    fitted = cg.make("citcc", n_clusters=4, random_state=0).fit(result.corpus, knowledge=known).result_
    labels = label_groups(fitted)
    assert labels[fitted.labels["documents"][0]] == "cosmos"
    assert sum(", " in label for label in labels) == 3


def test_documents_without_words_are_not_asked_about():
    corpus = cg.Corpus.from_texts(["orbit moon", "moon orbit", "puck ice", "ice puck", ""] * 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = cg.make("citcc", n_clusters=2, random_state=0).fit(corpus).result_
    asked = {one.items[0] for one in propose(fitted, 20, kinds=[LABEL])}
    assert asked
    assert asked.isdisjoint({4, 9, 14})


@settings(max_examples=30, deadline=None)
@given(st.integers(5, 40), st.integers(1, 6), st.integers(0, 10**6))
def test_choosing_by_bounds_is_choosing_by_gains(size, count, seed):
    """The slow way: all gains anew for every choice."""
    rng = np.random.default_rng(seed)
    space = rng.random((size, 5)).astype(np.float32)
    space /= np.linalg.norm(space, axis=1, keepdims=True)
    weights = rng.random(size)
    free, spoken = rng.random(size) < 0.8, rng.random(size) < 0.1
    found = select_documents(space, weights, free & ~spoken, spoken, count)
    alike = np.clip(space @ space.T, 0, 1).astype(np.float64) ** 3
    covered = alike[:, spoken].max(axis=1, initial=0.0)
    for document, gain in zip(found.documents.tolist(), found.gains.tolist(), strict=True):
        gains = weights * (np.maximum(alike - covered, 0.0) @ weights)
        best = gains[free & ~spoken].max()
        assert gain == pytest.approx(gains[document], rel=1e-3, abs=1e-4)
        assert gains[document] >= best * 0.99 - 1e-4
        covered = np.maximum(covered, alike[document])


def test_doubt_takes_over_as_answers_come_in():
    assert exploration_weight(10, 0) == exploration_weight(10, 40) == 1.0
    assert exploration_weight(10, 80) == pytest.approx(0.25)
    assert exploration_weight(10, 800) < 0.01


def test_questions_can_be_compared():
    assert Question(LABEL, (1,), (0,), 1.0) == Question(LABEL, (1,), (0,), 1.0)
