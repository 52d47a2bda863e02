import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colligate as cg
from colligate.methods.fit import RunOptions

TRUTH = np.repeat(np.arange(3), 30)


@pytest.fixture(scope="module")
def vague():
    """Documents of three groups that words alone tell apart only in part."""
    rng = np.random.default_rng(5)
    rates = np.full((3, 40), 0.3)
    for k in range(3):
        rates[k, 10 * k : 10 * (k + 1)] = 0.55
    counts = rng.poisson(rates[TRUTH])
    counts[:, 39] += 1
    return counts


def nmi(model):
    return model.result_.evaluate(TRUTH)["nmi"]


def every_pair(members):
    return [(a, b) for i, a in enumerate(members) for b in members[i + 1 :]]


def test_links_raise_the_agreement(vague):
    bare = cg.make("citcc", n_clusters=3, random_state=0).fit(vague)
    rng = np.random.default_rng(0)
    pairs = rng.integers(0, 90, (400, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = TRUTH[pairs[:, 0]] == TRUTH[pairs[:, 1]]
    knowledge = cg.Knowledge().together(documents=pairs[same]).apart(documents=pairs[~same])
    linked = cg.make("citcc", n_clusters=3, random_state=0).fit(vague, knowledge=knowledge)
    assert nmi(linked) > nmi(bare) + 0.2
    assert linked.result_.audit().counts()["kept"] >= 0.97 * len(knowledge)


def test_without_knowledge_it_is_itcc(vague):
    one = cg.make("citcc", n_clusters=3, random_state=3).fit(vague)
    other = cg.make("itcc", n_clusters=3, random_state=3).fit(vague)
    np.testing.assert_array_equal(one.labels_, other.labels_)
    assert one.history_ == other.history_


def test_a_group_of_documents_equals_its_pairs_listed(vague):
    members = [0, 1, 2, 31, 32, 5, 61]
    apart = [(0, 40), (1, 70)]
    implied = cg.Knowledge().together(documents=[tuple(members)]).apart(documents=apart)
    listed = cg.Knowledge().together(documents=every_pair(members)).apart(documents=apart)
    models = [
        cg.make("citcc", n_clusters=3, random_state=1).fit(vague, knowledge=k) for k in (implied, listed)
    ]
    np.testing.assert_array_equal(models[0].labels_, models[1].labels_)
    np.testing.assert_allclose(models[0].history_, models[1].history_, rtol=1e-10)


def test_labels_equal_their_pairs_listed(vague):
    known = {0: "a", 1: "a", 2: "a", 30: "b", 31: "b", 60: "c", 61: "c", 62: "c"}
    pairs = every_pair(list(known))
    same = [(a, b) for a, b in pairs if known[a] == known[b]]
    differ = [(a, b) for a, b in pairs if known[a] != known[b]]
    labelled = cg.Knowledge().label(known)
    listed = cg.Knowledge().together(documents=same).apart(documents=differ)
    start = np.random.default_rng(0).integers(0, 3, 90)
    models = [
        cg.make("citcc", n_clusters=3, init=start, random_state=1, n_init=1).fit(vague, knowledge=k)
        for k in (labelled, listed)
    ]
    np.testing.assert_array_equal(models[0].labels_, models[1].labels_)
    np.testing.assert_allclose(models[0].history_, models[1].history_, rtol=1e-10)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1.0, 10.0, 100.0]))
def test_the_objective_never_rises_whatever_is_said(seed, weight):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(0.6, (40, 25))
    counts[:, 0] += 1
    counts[0] += 1
    chosen = rng.permutation(40)
    knowledge = (
        cg.Knowledge(contradictions="report")
        .together(documents=chosen[:10].reshape(-1, 2))
        .apart(documents=chosen[10:20].reshape(-1, 2))
        .label({int(i): str(int(i) % 3) for i in chosen[20:30]})
        .together(words=[(1, 2), (3, 4, 5)])
        .category("x", words=[6, 7, 8])
    )
    model = cg.make("citcc", n_clusters=4, n_word_clusters=5, link_weight=weight, random_state=seed, n_init=1)
    history = np.array(model.fit(counts, knowledge=knowledge).history_)
    assert np.all(np.diff(history) <= 1e-11 * history[:-1])


def test_labels_and_groups_with_pairs_beside_them(vague):
    """Sets with and without apart-links, and listed pairs, in one run."""
    knowledge = (
        cg.Knowledge()
        .label({0: "a", 30: "b"})
        .together(documents=[(3, 4, 5)])
        .apart(documents=[(6, 36)])
        .groups(documents={"g": [7, 8], "h": [37, 38]}, together=1.0, apart=0.5)
    )
    result = cg.make("citcc", n_clusters=3, random_state=0).fit(vague, knowledge=knowledge).result_
    assert result.audit().counts()["kept"] == len(knowledge)


def test_words_tied_together_end_together_and_words_apart_apart(vague):
    knowledge = cg.Knowledge().together(words=[(0, 25), (1, 12)]).apart(words=[(3, 4)])
    model = cg.make("citcc", n_clusters=3, n_word_clusters=6, word_link_weight=1e4, random_state=0)
    words = model.fit(vague, knowledge=knowledge).word_labels_
    assert words[0] == words[25]
    assert words[1] == words[12]
    assert words[3] != words[4]


def test_contradicted_statements_are_told_and_the_run_goes_on(vague):
    knowledge = (
        cg.Knowledge(contradictions="report").together(documents=[(0, 1), (1, 2)]).apart(documents=[(0, 2)])
    )
    with pytest.warns(cg.errors.KnowledgeWarning, match="0 and 2 must be apart"):
        result = cg.make("citcc", n_clusters=3, random_state=0).fit(vague, knowledge=knowledge).result_
    assert result.audit().counts()["contradicted"] == 3
    with pytest.raises(cg.errors.ContradictionError, match="0 and 2 must be apart"):
        cg.make("citcc", n_clusters=3).fit(
            vague, knowledge=cg.Knowledge().together(documents=[(0, 1), (1, 2)]).apart(documents=[(0, 2)])
        )


def test_a_broken_link_costs_and_a_kept_one_does_not(vague):
    knowledge = cg.Knowledge().together(documents=[(0, 31), (0, 1)]).apart(documents=[(1, 61), (2, 3)])
    clear = np.where(np.arange(40) // 10 == TRUTH[:, None], vague + 2, vague)
    model = cg.make("citcc", n_clusters=3, link_weight=1e-6, init=TRUTH, random_state=0, n_init=1)
    result = model.fit(clear, knowledge=knowledge).result_
    broken = result.audit().status != 0
    assert broken.tolist() == [True, False, False, True]
    assert np.array_equal(result.statement_costs > 0, broken)


@pytest.mark.parametrize("n_wrong", [1, 5, 20])
def test_a_few_wrong_links_do_not_tie_everything_together(n_wrong):
    """A wrong link joins two groups' ties into one; such a start must not win."""
    rng = np.random.default_rng(1)
    truth = np.repeat(np.arange(6), 60)
    rates = np.full((6, 90), 0.05)
    for k in range(6):
        rates[k, 15 * k : 15 * (k + 1)] = 0.6
    counts = rng.poisson(rates[truth])
    counts[:, 0] += 1
    pairs = rng.integers(0, 360, (6000, 2))
    right = pairs[(truth[pairs[:, 0]] == truth[pairs[:, 1]]) & (pairs[:, 0] != pairs[:, 1])]
    wrong = pairs[truth[pairs[:, 0]] != truth[pairs[:, 1]]][:n_wrong]
    knowledge = cg.Knowledge().together(documents=np.concatenate([right, wrong]))
    model = cg.make("citcc", n_clusters=6, random_state=0).fit(counts, knowledge=knowledge)
    assert model.result_.evaluate(truth)["nmi"] > 0.97


def test_a_link_that_holds_anyway_changes_nothing(vague):
    bare = cg.make("citcc", n_clusters=3, random_state=0).fit(vague)
    one, other = np.flatnonzero(bare.labels_ == bare.labels_[0])[:2].tolist()
    knowledge = cg.Knowledge().together(documents=[(one, other)])
    linked = cg.make("citcc", n_clusters=3, random_state=0).fit(vague, knowledge=knowledge)
    assert np.count_nonzero(linked.labels_ != bare.labels_) <= 2


def test_more_labels_than_groups_are_told_before_the_run(vague):
    with pytest.warns(cg.errors.KnowledgeWarning, match="there are 3 different labels of documents"):
        cg.make("citcc", n_clusters=2, n_init=1).fit(
            vague, knowledge=cg.Knowledge().label({0: "a", 1: "b", 2: "c"})
        )


@pytest.mark.parametrize(
    "unknown", [None, np.nan, -1, "-1", pd.NA], ids=["None", "NaN", "-1", "text -1", "pandas NA"]
)
def test_unknown_labels_in_y_are_no_labels(vague, unknown):
    y = np.array([unknown] * 90, dtype=object)
    y[:4] = ["a", "a", "b", "b"]
    result = cg.make("citcc", n_clusters=3, n_init=1, random_state=0).fit(vague, y).result_
    assert len(result.audit()) == 4


def test_knowledge_of_another_type_is_refused(vague):
    with pytest.raises(cg.errors.KnowledgeError, match=r"got str; read a file with Knowledge\.read"):
        cg.make("citcc", n_clusters=3).fit(vague, knowledge="knowledge.yaml")


def test_the_printed_reading_runs_with_its_own_weight(vague):
    knowledge = cg.Knowledge().label({int(i): str(TRUTH[i]) for i in range(0, 90, 3)})
    model = cg.make("citcc", n_clusters=3, reading="printed", link_weight=1.0, random_state=0)
    assert model.fit(vague, knowledge=knowledge).result_.audit().counts()["kept"] > 25


def test_an_empty_document_goes_where_its_links_say(vague):
    counts = vague.copy()
    counts[4] = 0
    knowledge = cg.Knowledge().together(documents=[(4, 5)])
    model = cg.make("citcc", n_clusters=3, random_state=0).fit(counts, knowledge=knowledge)
    assert model.labels_[4] == model.labels_[5]


def test_categories_name_the_groups_and_shape_the_start(vague):
    knowledge = cg.Knowledge()
    for k, name in enumerate("xyz"):
        knowledge.category(name, words=list(range(10 * k, 10 * k + 8)))
    guided = cg.make("citcc", n_clusters=3, random_state=0).fit(vague, knowledge=knowledge)
    bare = cg.make("citcc", n_clusters=3, random_state=0).fit(vague)
    assert nmi(guided) > nmi(bare)
    clear = np.where(np.arange(40) // 10 == TRUTH[:, None], vague + 2, vague)
    guided = cg.make("citcc", n_clusters=3, random_state=0).fit(clear, knowledge=knowledge)
    assert {name.split(":")[0] for name in guided.result_.group_names} == {"x", "y", "z"}


def test_the_run_without_knowledge_is_compared(vague):
    knowledge = cg.Knowledge().label({int(i): str(TRUTH[i]) for i in range(0, 90, 3)})
    model = cg.make("citcc", n_clusters=3, random_state=0)
    result = model.fit(vague, knowledge=knowledge, options=RunOptions(compare=True)).result_
    bare = cg.make("citcc", n_clusters=3, random_state=0).fit(vague)
    np.testing.assert_array_equal(result.before["documents"], bare.labels_)
    assert np.count_nonzero(result.changes().moved) > 0
    assert cg.make("citcc", n_clusters=3).fit(vague, knowledge=knowledge).result_.before is None
