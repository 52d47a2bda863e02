"""Documents in batches: the sums, the groups that follow from them, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

import colligate as cg
from colligate.errors import InputError, KnowledgeError, KnowledgeWarning, ParameterError
from tests.methods.test_update import draw_texts
from tests.studio.helpers import TOPICS

METHODS = ("colligate", "kmeans")


@pytest.fixture(scope="module")
def documents():
    texts = [text for words in TOPICS.values() for text in draw_texts(words, 60)]
    order = np.random.default_rng(0).permutation(len(texts))
    return [texts[row] for row in order], np.repeat(np.arange(4), 60)[order]


@pytest.mark.parametrize("method", METHODS)
def test_batches_find_the_groups_of_a_fit_of_everything(method, documents):
    texts, topics = documents
    model = cg.make(method, n_clusters=4, random_state=0)
    for start in range(0, len(texts), 60):
        model.partial_fit(texts[start : start + 60])
    assert normalized_mutual_info_score(topics, model.predict(texts)) > 0.95
    assert model.sums_.n_documents == len(texts)
    assert len(model.labels_) == 60
    assert len(model.result_.labels["documents"]) == 60


def test_centres_are_the_means_of_all_batches(documents):
    counts = cg.Corpus.from_texts(documents[0]).counts
    model = cg.make("kmeans", n_clusters=4, random_state=0).fit(counts[:120])
    first = model.result_.model["centres"].copy()
    model.partial_fit(counts[120:])
    sizes = model.sums_.sums["sizes"]
    assert sizes.sum() == counts.shape[0]
    assert not np.allclose(first, model.result_.model["centres"])
    assert np.allclose(model.sums_.sums["rows"] / sizes[:, None], model.result_.model["centres"])


def test_the_sums_of_a_fit_give_its_own_model(documents):
    model = cg.make("colligate", n_clusters=4, random_state=0).fit(documents[0])
    arrays = model.result_.model
    sums = model.sum_batch(arrays, model.result_.neighbourhood.matrix)
    again = model.model_from_sums(arrays, sums)
    for name in ("log_phi_ratio", "kappa_mu", "log_pi"):
        assert np.allclose(arrays[name], again[name], atol=0.05), name


def test_a_fit_begins_again(documents):
    texts, _ = documents
    model = cg.make("kmeans", n_clusters=4, random_state=0).partial_fit(texts[:60]).partial_fit(texts[60:120])
    model.fit(texts[:60]).partial_fit(texts[60:90])
    assert model.sums_.n_documents == 90


@pytest.mark.parametrize("method", METHODS)
def test_bad_batches_change_nothing(method, documents):
    texts, _ = documents
    model = cg.make(method, n_clusters=4, random_state=0).partial_fit(texts[:120])
    before = model.result_
    for batch in ([], ["Wir fuhren gestern nach Hause"], np.ones((2, 3)), np.ones((0, 3))):
        with pytest.raises(ValueError) as error:
            model.partial_fit(batch)
        assert "\n" not in str(error.value).strip()
        assert model.result_ is before


def test_knowledge_of_later_batches_is_refused(documents):
    texts, _ = documents
    model = cg.make("colligate", n_clusters=4, random_state=0).partial_fit(texts[:120])
    with pytest.raises(KnowledgeError, match="first batch"):
        model.partial_fit(texts[120:], knowledge=cg.Knowledge().category("Sky", words=["orbit"]))
    with pytest.warns(KnowledgeWarning, match="first batch"):
        model.partial_fit(texts[120:122], y=[0, 1])


def test_a_batch_that_is_too_small_to_begin_with_is_refused():
    with pytest.raises(InputError, match="choose fewer groups"):
        cg.make("colligate", n_clusters=4).partial_fit(["one text", "another text"])


def test_vectors_of_documents_are_refused(documents):
    texts, _ = documents
    model = cg.make("colligate", n_clusters=4, embeddings=np.ones((len(texts), 3)))
    with pytest.raises(ParameterError, match="no vectors of documents"):
        model.partial_fit(texts)
