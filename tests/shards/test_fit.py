"""Methods give the labels of one process on shards, with and without knowledge, and never collect entries."""

from __future__ import annotations

from collections import Counter

import dask.bag as db
import numpy as np
import pytest

from colligate import Corpus, Knowledge, make
from colligate.errors import InputError
from colligate.methods.fit import RunOptions
from colligate.shards.matrix import ShardedColumns, ShardedMatrix

pytestmark = pytest.mark.usefixtures("client")
METHODS = {
    "itcc": {"n_init": 2, "n_word_clusters": 8},
    "citcc": {"n_init": 1, "n_word_clusters": 8},
    "kmeans": {"n_init": 2},
    "colligate": {"n_ensemble": 1},
}


@pytest.fixture
def uncollected(monkeypatch):
    """Fail where entries are collected."""

    def refuse(matrix):
        raise AssertionError("entries were collected")

    for cls in (ShardedMatrix, ShardedColumns):
        monkeypatch.setattr(cls, "_collect", refuse)


def make_knowledge(kind: str, corpus: Corpus, topics: list[int]) -> Knowledge | None:
    ids = corpus.ids
    if kind == "labels":
        return Knowledge().label({ids[n]: f"group {topics[n]}" for n in range(0, 60)})
    if kind == "links":
        near = [(a, b) for a in range(60, 80) for b in range(a + 1, 420, 37)]
        together = [(ids[a], ids[b]) for a, b in near if topics[a] == topics[b] and 7 not in (a, b)]
        apart = [(ids[a], ids[b]) for a, b in near if topics[a] != topics[b]]
        return Knowledge().together(documents=together).apart(documents=apart)
    if kind == "categories":
        return Knowledge().category("first", words=["worda0", "wordb0"]).category("second", words=["wordc1"])
    if kind == "word links":
        return Knowledge().together(words=[("worda0", "wordb0"), ("worda1", "wordc1")])
    if kind == "outside":
        texts = [f"alien{n % 5} strange{n % 3} commona worda0" for n in range(80)]
        return Knowledge().outside(Corpus.from_texts(texts, [f"o{n}" for n in range(80)]))
    if kind == "sizes":
        return Knowledge().group_size("*", at_least=60, at_most=140)
    if kind == "everything else":
        kinds = ("links", "categories", "word links", "outside", "sizes")
        first, *rest = (make_knowledge(each, corpus, topics) for each in kinds)
        return sum(rest, start=first)
    return None


CASES = [
    *((name, None) for name in METHODS),
    *(("citcc", kind) for kind in ("labels", "links", "categories", "word links", "outside")),
    ("kmeans", "sizes"),
    *(("colligate", kind) for kind in ("labels", "everything else")),
]


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_that_labels_are_those_of_one_process(name, kind, texts, corpus, topics):
    knowledge = make_knowledge(kind, corpus, topics)
    method = make(name, n_clusters=4, random_state=0, max_iter=15, **METHODS[name])
    expected = method.fit(corpus, knowledge=knowledge)
    labels, history = expected.labels_, expected.history_
    fitted = make(name, **method.get_params()).fit(
        db.from_sequence(texts, npartitions=5), knowledge=knowledge
    )
    assert np.array_equal(fitted.labels_, labels)
    assert fitted.history_ == history
    memberships = [each.result_.memberships["documents"] for each in (expected, fitted)]
    assert np.allclose(*memberships, atol=1e-6)


@pytest.mark.parametrize("n_partitions", [1, 9])
def test_that_partitions_do_not_matter(n_partitions, texts, corpus):
    options = {"n_clusters": 4, "n_init": 2, "random_state": 1}
    expected = make("itcc", **options).fit(corpus)
    fitted = make("itcc", **options).fit(db.from_sequence(texts, npartitions=n_partitions))
    assert np.array_equal(fitted.labels_, expected.labels_)
    assert fitted.history_ == expected.history_


@pytest.mark.parametrize("name", METHODS)
def test_prediction_in_partitions(name, texts, corpus, uncollected):
    fitted = make(name, n_clusters=4, random_state=0, **METHODS[name]).fit(corpus[:200])
    bag = db.from_sequence(texts, npartitions=4)
    assert np.array_equal(fitted.predict(bag), fitted.predict(texts))
    assert np.allclose(fitted.transform(bag), fitted.transform(texts), atol=1e-6)


def test_fit_on_a_part(texts, topics):
    bag = db.from_sequence(texts, npartitions=4)
    model = make("colligate", n_clusters=4, n_ensemble=2, random_state=0)
    model.fit(bag, options=RunOptions(fit_part=200))
    assert len(model.labels_) == len(texts)
    assert len(model.result_.labels["documents"]) == 200
    filled = model.labels_ >= 0
    pairs = Counter(zip(np.array(topics)[filled].tolist(), model.labels_[filled].tolist(), strict=True))
    assert len(pairs) == 4
    again = make("colligate", n_clusters=4, n_ensemble=2, random_state=0)
    again.fit(db.from_sequence(texts, npartitions=7), options=RunOptions(fit_part=200))
    assert np.array_equal(again.labels_, model.labels_)


def test_results_collect_what_they_show(texts, tmp_path):
    fitted = make("itcc", n_clusters=4, n_init=1, random_state=0).fit(db.from_sequence(texts, npartitions=3))
    paths = fitted.result_.write_tables(tmp_path)
    import pyarrow.parquet as pq

    parts = sorted(paths[0].glob("part-*.parquet"))
    assert len(parts) == 3
    assert sum(pq.read_metadata(part).num_rows for part in parts) == len(texts)
    fitted.result_.save(tmp_path / "model")
    fitted.result_.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size > 1000


def test_what_is_refused(texts):
    bag = db.from_sequence(texts, npartitions=2)
    with pytest.raises(InputError, match="drop_duplicates"):
        make("itcc", n_clusters=4).fit(bag, options=RunOptions(fold_duplicates=True))


def test_that_checkpoints_resume(texts, tmp_path):
    from colligate.errors import CancelledError

    bag, path = db.from_sequence(texts, npartitions=3), tmp_path / "checkpoint.npz"
    options = {"n_clusters": 4, "n_init": 3, "random_state": 0, "n_word_clusters": 8}
    expected = make("itcc", **options).fit(bag).labels_
    calls = iter(range(100))
    with pytest.raises(CancelledError):
        make("itcc", **options).fit(
            bag,
            options=RunOptions(checkpoint=path, checkpoint_interval=0.0, cancelled=lambda: next(calls) > 3),
        )
    # other partitions have the same fingerprint
    resumed = make("itcc", **options).fit(
        db.from_sequence(texts, npartitions=4), options=RunOptions(checkpoint=path)
    )
    assert np.array_equal(resumed.labels_, expected)
