"""Changes to the groups of a result: what moves, what follows, and the start of the next run."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import colligate as cg
from colligate import registry
from colligate.methods import change_plan, revision
from colligate.methods.change_plan import ChangePlan
from colligate.methods.revision import (
    MAX_FOLLOWERS,
    STAY,
    WORD_NATS,
    Move,
    RevisedGroups,
    find_alike,
    find_directions,
    find_word_documents,
    measure_importance,
    place_all,
    plan_moves,
)
from tests.studio.helpers import COMMON, TOPICS

PER_TOPIC = 20


def draw_texts():
    """Documents of four topics, twenty of each, in their order."""
    rng = np.random.default_rng(0)
    return [
        " ".join([*rng.choice(words.split(), 9), *rng.choice(COMMON.split(), 5)])
        for words in TOPICS.values()
        for _ in range(PER_TOPIC)
    ]


@pytest.fixture(scope="module")
def fitted():
    corpus = cg.Corpus.from_texts(draw_texts())
    return cg.make("colligate", n_clusters=4, random_state=0).fit(corpus).result_


@pytest.fixture(scope="module")
def result(fitted):
    """The four groups with the lasting numbers 10 to 13, in the order of the topics."""
    labels = fitted.labels["documents"]
    order = [int(np.bincount(labels[k * PER_TOPIC : (k + 1) * PER_TOPIC]).argmax()) for k in range(4)]
    assert sorted(order) == [0, 1, 2, 3]
    numbers = tuple(10 + order.index(group) for group in range(4))
    return replace(fitted, group_numbers=numbers)


@pytest.fixture
def groups(result):
    return RevisedGroups(result)


@pytest.fixture
def nobody(groups):
    """No document is held by a statement."""
    return np.zeros(len(groups.labels), dtype=bool)


SPACE, HOCKEY, FOOD, CARS = range(10, 14)


def word(result, text):
    return list(result.network.types["words"].names).index(text)


def importance_of(result, text):
    return measure_importance(result)[:, [word(result, text)]].toarray().ravel()


def test_groups_go_by_their_lasting_numbers(groups):
    assert groups.labels.tolist() == [10 + row // PER_TOPIC for row in range(80)]
    assert groups.has(HOCKEY)
    assert not groups.has(0)
    assert groups.members(FOOD).tolist() == list(range(40, 60))
    assert groups.unused() == 14


def test_a_document_that_is_in_its_group_does_not_move(groups):
    assert plan_moves(groups, [0, 1], SPACE) == []
    assert plan_moves(groups, [45, 1, 0, 21], SPACE) == [
        Move(HOCKEY, SPACE, (21,)),
        Move(FOOD, SPACE, (45,)),
    ]


def test_documents_follow_those_that_are_like_them(groups, nobody):
    """Half of the space documents are put under food by mistake; two of them are moved back."""
    strays = list(range(PER_TOPIC // 2))
    groups.move([Move(SPACE, FOOD, tuple(strays))])
    moves = plan_moves(groups, strays[:2], SPACE)
    (following,) = find_alike(groups, moves, nobody)
    assert (following.source, following.target) == (FOOD, SPACE)
    assert set(following.rows) < set(strays[2:])
    assert len(following.rows) == 2 * MAX_FOLLOWERS
    (following,) = find_alike(groups, plan_moves(groups, strays[:4], SPACE), nobody)
    assert set(following.rows) == set(strays[4:])


def test_documents_that_a_statement_is_about_do_not_follow(groups, nobody):
    strays = list(range(PER_TOPIC // 2))
    groups.move([Move(SPACE, FOOD, tuple(strays))])
    held = nobody.copy()
    held[strays[2:5]] = True
    (following,) = find_alike(groups, plan_moves(groups, strays[:2], SPACE), held)
    assert set(following.rows) == set(strays[5:])


def test_nothing_follows_a_document_that_is_like_the_group_it_leaves(groups, nobody):
    assert find_alike(groups, plan_moves(groups, [0], HOCKEY), nobody) == []


def test_the_last_documents_of_a_group_are_followed_by_none(groups, nobody):
    everything = groups.members(SPACE).tolist()
    assert find_alike(groups, plan_moves(groups, everything, HOCKEY), nobody) == []


def test_the_importance_of_a_word_is_1_where_it_is_the_most_important(result):
    importance = importance_of(result, "orbit")
    assert importance.shape == (80,)
    assert importance[PER_TOPIC:].max() == 0
    assert importance.max() == pytest.approx(1.0)
    assert importance.min() == 0


def test_a_seed_word_moves_documents_that_fit_its_group(groups, result, nobody):
    """Space documents that a mistake put under food go back; those of other topics have the word not."""
    column = word(result, "orbit")
    assert find_word_documents(groups, column, SPACE, nobody) == []
    strays = tuple(np.flatnonzero(importance_of(result, "orbit") > 0.5)[:3].tolist())
    groups.move([Move(SPACE, FOOD, strays)])
    # the run itself is sure that they are about space: they fit there
    assert find_word_documents(groups, column, SPACE, nobody) == [Move(FOOD, SPACE, strays)]
    held = nobody.copy()
    held[strays[0]] = True
    assert find_word_documents(groups, column, SPACE, held) == [Move(FOOD, SPACE, strays[1:])]


def test_a_seed_word_must_be_the_more_important_the_less_a_document_fits_its_group(result, nobody):
    """Every document is e⁶ times as probable in its group as in any other."""
    own = result.labels["documents"][:, None] == np.arange(4)
    memberships = np.where(own, 1.0, np.exp(-6.0)).astype(np.float32)
    groups = RevisedGroups(replace(result, memberships={**result.memberships, "documents": memberships}))
    column = word(result, "orbit")
    (move,) = find_word_documents(groups, column, HOCKEY, nobody)
    importance = importance_of(result, "orbit")
    assert move.rows == tuple(np.flatnonzero(importance > 6.0 / WORD_NATS).tolist())
    assert len(move.rows) < np.count_nonzero(importance)


def test_a_new_group_takes_the_documents_that_are_mainly_about_its_word(groups, result, nobody):
    column = word(result, "orbit")
    (move,) = find_word_documents(groups, column, groups.unused(), nobody)
    assert (move.source, move.target) == (SPACE, 14)
    assert move.rows == tuple(np.flatnonzero(importance_of(result, "orbit") > 0.5).tolist())


def test_documents_in_no_group_are_placed_where_their_words_fit(fitted):
    labels = fitted.labels["documents"].copy()
    labels[[3, 30]] = -1
    unplaced = replace(fitted, labels={**fitted.labels, "documents": labels})
    assert place_all(unplaced).tolist() == fitted.labels["documents"].tolist()


def test_directions_have_the_length_1_in_every_method(fitted):
    assert np.allclose(np.square(find_directions(fitted)).sum(axis=1), 1.0)
    plain = cg.make("kmeans", n_clusters=4, random_state=0).fit(fitted.corpus).result_
    assert np.allclose(np.asarray(find_directions(plain).power(2).sum(axis=1)).ravel(), 1.0)


def test_the_start_has_the_changed_groups_with_their_numbers_and_names(groups, result):
    groups.names = {HOCKEY: "On ice", 99: "gone"}
    groups.move([Move(SPACE, FOOD, tuple(range(20))), Move(CARS, 14, (60, 61))])
    start = groups.to_start({"ice": HOCKEY, "moon": SPACE})
    assert start.numbers == (*(number for number in result.group_numbers if number != SPACE), 14)
    assert dict(zip(start.numbers, start.names, strict=True)) == {
        HOCKEY: "On ice",
        FOOD: "",
        CARS: "",
        14: "",
    }
    assert start.labels == {"ice": start.numbers.index(HOCKEY)}
    reached = np.array(start.numbers)[start.groups["documents"]]
    assert reached.tolist() == [FOOD] * 20 + [HOCKEY] * 20 + [FOOD] * 20 + [14] * 2 + [CARS] * 18
    assert start.weight == STAY
    assert start.temperature == pytest.approx(float(result.model["temperature"]))
    assert start.doubt == pytest.approx(float(result.model["doubt"]))
    assert start.calibration_clusters == len(result.group_numbers)


def test_a_run_from_unchanged_groups_moves_no_document_and_is_as_sure(groups, result):
    start = groups.to_start()
    network = cg.Network.from_corpus(result.corpus)
    model = cg.make(
        "colligate", random_state=0, **start.parameters(network, registry.find_method("colligate"))
    ).fit(network)
    again = start.number_groups(model.result_)
    assert again.group_numbers == result.group_numbers
    assert RevisedGroups(again).labels.tolist() == groups.labels.tolist()
    assert abs(again.confidence.mean() - result.confidence.mean()) < 0.01


def test_no_changes_and_no_statements_need_no_run(result):
    again = result.apply(cg.Knowledge())
    assert again.history == result.history
    assert np.array_equal(again.confidence, result.confidence)


@pytest.fixture
def calls(monkeypatch):
    """How often tf-idf is computed, and similar documents are sought."""
    calls = Counter()

    def count(module, name):
        original = getattr(module, name)

        def counted(*arguments):
            calls[name] += 1
            return original(*arguments)

        monkeypatch.setattr(module, name, counted)

    count(revision, "tfidf")
    count(change_plan, "find_alike")
    return calls


def test_a_hundred_seed_words_cost_one_tfidf(fitted, calls):
    """With the words of all topics, each said in a statement."""
    result = replace(fitted)
    words = list(result.network.types["words"].names)
    knowledge = cg.Knowledge()
    for k in range(100):
        knowledge.category(result.group_names[k % 4], words=[words[k % len(words)]])
    ChangePlan(result, knowledge)
    RevisedGroups(result).move(find_word_documents(RevisedGroups(result), 0, 0, np.zeros(80, dtype=bool)))
    assert calls["tfidf"] == 1


@pytest.mark.parametrize("count", [1, 40])
def test_labels_are_carried_out_by_group_and_not_one_by_one(fitted, calls, count):
    """Documents of two topics get the labels of the two other groups, each in a statement."""
    target = {k: fitted.group_names[int(fitted.labels["documents"][40 + k])] for k in range(count)}
    knowledge = cg.Knowledge()
    for k, name in target.items():
        knowledge.label({fitted.network.types["documents"].names[k]: name})
    made = ChangePlan(fitted, knowledge)
    number = dict(zip(fitted.group_names, fitted.group_numbers, strict=True))
    assert [int(made.groups.labels[k]) for k in target] == [number[name] for name in target.values()]
    assert calls["find_alike"] == len(set(target.values())) <= 2


def test_a_document_with_a_label_follows_no_other_one(groups, result):
    """Half of the space documents are under food; two are labelled space, and one like them food."""
    labels = result.labels["documents"].copy()
    labels[: PER_TOPIC // 2] = result.group_numbers.index(FOOD)
    mixed = replace(result, labels={**result.labels, "documents": labels})
    names, ids = (
        dict(zip(result.group_numbers, mixed.group_names, strict=True)),
        list(result.network.types["documents"].names),
    )
    space = {ids[0]: names[SPACE], ids[1]: names[SPACE]}
    free = ChangePlan(mixed, cg.Knowledge().label(space))
    (follower, *_) = [row for row in range(2, PER_TOPIC // 2) if free.groups.labels[row] == SPACE]
    for first, second in ((space, {ids[follower]: names[FOOD]}), ({ids[follower]: names[FOOD]}, space)):
        made = ChangePlan(mixed, cg.Knowledge().label(first).label(second))
        assert made.groups.labels[[0, 1, follower]].tolist() == [SPACE, SPACE, FOOD]
