"""Outsiders in the information methods: groups of their own, which unmarked documents may join."""

import numpy as np
import pytest

import colligate as cg

TOPICS = {
    "space": "orbit nasa shuttle moon launch rocket lunar satellite",
    "hockey": "puck goalie playoff team ice skate league score",
    "food": "bread butter oven flour recipe sugar baking dough",
    "spam": "offer money click winner prize cash deal cheap",
}


def texts_of(topic, number, rng):
    words = TOPICS[topic].split()
    return [" ".join(rng.choice(words, 10)) + " people say" for _ in range(number)]


@pytest.fixture(scope="module")
def mixed():
    """Documents of three topics with spam among them, and which ones are spam."""
    rng = np.random.default_rng(0)
    texts, topics = [], []
    for topic in TOPICS:
        texts += texts_of(topic, 20, rng)
        topics += [topic] * 20
    return cg.Corpus.from_texts(texts, ids=[f"d{i}" for i in range(80)]), np.array(topics)


@pytest.mark.parametrize("method", ["citcc", "chinc"])
def test_a_few_marked_outsiders_draw_the_unmarked_ones(mixed, method):
    corpus, topics = mixed
    spam = np.flatnonzero(topics == "spam")
    knowledge = cg.Knowledge().outside([corpus.ids[i] for i in spam[:5]])
    model = cg.make(method, n_clusters=3, random_state=0).fit(corpus, knowledge=knowledge)
    result = model.result_
    assert np.array_equal(model.labels_ < 0, topics == "spam")
    assert result.evaluate(topics, mask=topics != "spam")["accuracy"] == 1.0
    assert result.audit().counts()["kept"] == 5
    assert result.n_groups() == 3
    assert result.memberships["documents"].shape == (80, 3)
    assert np.all(result.memberships["documents"][topics == "spam"] == 0)
    history = np.array(model.history_)
    assert np.all(np.diff(history) <= 1e-9 * np.abs(history[:-1]))
    new = [
        "a cheap prize deal, click and win cash",
        "the shuttle reached lunar orbit",
        "flour and butter in the oven",
    ]
    labels = model.predict(new)
    assert labels[0] == -1
    assert labels[1] == model.labels_[np.flatnonzero(topics == "space")[0]]
    assert np.all(result.predict_memberships(new)[0] < 0.5)


def test_outsiders_from_another_corpus_are_no_documents_of_the_result(mixed):
    corpus, topics = mixed
    other = cg.Corpus.from_texts(texts_of("spam", 10, np.random.default_rng(1)))
    knowledge = cg.Knowledge().outside(other).label({"d0": "space", "d20": "hockey"})
    result = cg.make("citcc", n_clusters=3, random_state=0).fit(corpus, knowledge=knowledge).result_
    assert len(result.labels["documents"]) == 80
    assert result.network.types["documents"].names == corpus.ids
    assert np.array_equal(result.labels["documents"] < 0, topics == "spam")
    assert result.audit().counts() == {"kept": 3, "broken": 0, "contradicted": 0, "unknown": 0}
    assert result.association["documents × words"].shape[0] == 3
    assert result.association["documents × words"].sum() == pytest.approx(1.0)


def test_a_run_with_outsiders_is_stored_resumed_and_compared(mixed, tmp_path):
    from colligate.methods.fit import RunOptions

    corpus, topics = mixed
    knowledge = cg.Knowledge().outside([corpus.ids[i] for i in np.flatnonzero(topics == "spam")[:5]])
    whole = cg.make("citcc", n_clusters=3, random_state=0).fit(
        corpus, knowledge=knowledge, options=RunOptions(compare=True)
    )
    assert (whole.result_.before["documents"] >= 0).all()
    stops = iter([False] * 4 + [True])
    options = RunOptions(
        checkpoint=tmp_path / "run.npz", checkpoint_interval=0.0, cancelled=lambda: next(stops)
    )
    with pytest.raises(cg.errors.CancelledError):
        cg.make("citcc", n_clusters=3, random_state=0).fit(corpus, knowledge=knowledge, options=options)
    again = cg.make("citcc", n_clusters=3, random_state=0).fit(
        corpus, knowledge=knowledge, options=RunOptions(checkpoint=tmp_path / "run.npz")
    )
    np.testing.assert_array_equal(whole.labels_, again.labels_)
    whole.result_.save(tmp_path / "stored")
    loaded = cg.Result.load(tmp_path / "stored")
    np.testing.assert_array_equal(loaded.labels["documents"], whole.labels_)
    np.testing.assert_array_equal(loaded.predict(corpus), whole.predict(corpus))
    whole.result_.report(tmp_path / "report.html")


def test_outsiders_in_a_network_with_links_on_documents():
    rng = np.random.default_rng(3)
    texts = [text for topic in TOPICS for text in texts_of(topic, 15, rng)]
    corpus = cg.Corpus.from_texts(texts, ids=[f"d{i}" for i in range(60)])
    people = {
        "document": corpus.ids,
        "name": [f"p{i // 15}{i % 3}" for i in range(60)],
        "type": ["people"] * 60,
    }
    network = cg.Network.from_tables(corpus, people)
    outside = cg.Corpus.from_texts(texts_of("spam", 8, rng))
    knowledge = (
        cg.Knowledge()
        .outside(outside)
        .outside(["d45", "d46"])
        .together(documents=[("d0", "d1"), ("d2", "d3")])
        .apart(documents=[("d0", "d16")])
        .label({"d30": "food", "d31": "food"})
        .category("ice", documents=["d17", "d18"])
    )
    model = cg.make("chinc", n_clusters=3, n_entity_clusters=4, random_state=0, polish=True)
    labels = model.fit(network, knowledge=knowledge).labels_
    assert np.array_equal(labels < 0, np.arange(60) >= 45)
    assert len(set(labels[:45])) == 3
    assert model.result_.audit().counts()["kept"] == len(knowledge)


def test_outsiders_by_position_and_those_that_cannot_be_counted(mixed):
    corpus, topics = mixed
    spam = np.flatnonzero(topics == "spam")[:5]
    model = cg.make("citcc", n_clusters=3, random_state=0)
    model.fit(corpus.counts, knowledge=cg.Knowledge().outside(spam))
    assert np.array_equal(model.labels_ < 0, topics == "spam")
    other = cg.Corpus.from_texts(["click for money"])
    with pytest.raises(cg.errors.InputError, match="words of this run have no names"):
        model.fit(corpus.counts, knowledge=cg.Knowledge().outside(other))


def test_empty_outsiders_are_in_no_group_and_change_nothing(mixed):
    corpus, _ = mixed
    counts = corpus.counts.tolil()
    counts[3] = 0
    counts = counts.tocsr()
    bare = cg.make("citcc", n_clusters=3, random_state=0).fit(counts)
    model = cg.make("citcc", n_clusters=3, random_state=0).fit(counts, knowledge=cg.Knowledge().outside([3]))
    np.testing.assert_array_equal(bare.labels_, model.labels_)
    assert model.result_.audit().counts()["kept"] == 1


def test_the_number_of_groups_outside(mixed):
    corpus, topics = mixed
    spam = np.flatnonzero(topics == "spam")
    network = cg.Network.from_corpus(corpus)
    guidance = cg.Knowledge().outside(spam).compile(network.names).guidance
    assert cg.make("citcc", n_clusters=3).problem(network, guidance).n_clusters_by_type["documents"] == 4
    assert (
        cg.make("citcc", n_clusters=3, n_outside_clusters=2)
        .problem(network, guidance)
        .n_clusters_by_type["documents"]
        == 5
    )
