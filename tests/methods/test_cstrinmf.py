import numpy as np
import pytest

import colligate as cg

from .planted_documents import blocks


def mixed(rng):
    """Documents of three groups that their words tell apart badly."""
    truth = np.repeat(np.arange(3), 30)
    rates = np.full((3, 30), 0.3)
    for k in range(3):
        rates[k, 4 * k : 4 * (k + 1)] = 0.9
    return rng.poisson(rates[truth]) + (rng.random((90, 30)) < 0.02), truth


@pytest.mark.parametrize("name", ["cstrinmf", "csnmf"])
def test_links_between_documents_help_the_documents_they_name(name):
    counts, truth = mixed(np.random.default_rng(0))
    rng = np.random.default_rng(1)
    pairs = sorted({tuple(sorted(p)) for p in rng.choice(60, (300, 2)).tolist() if p[0] != p[1]})
    knowledge = (
        cg.Knowledge()
        .together(documents=[p for p in pairs if truth[p[0]] == truth[p[1]]])
        .apart(documents=[p for p in pairs if truth[p[0]] != truth[p[1]]])
    )
    alone = cg.make(name, n_clusters=3, random_state=0).fit(counts).result_.evaluate(truth)["nmi"]
    guided = cg.make(name, n_clusters=3, random_state=0).fit(counts, knowledge=knowledge).result_
    assert guided.evaluate(truth)["nmi"] > alone + 0.1
    satisfied = guided.link_satisfaction()
    assert min(satisfied.values()) > 0.9


@pytest.mark.parametrize("name", ["cstrinmf", "csnmf"])
def test_labels_are_links_that_are_never_listed(name):
    counts, truth = mixed(np.random.default_rng(2))
    y = np.where(np.arange(90) % 3 == 0, truth, -1)
    result = cg.make(name, n_clusters=3, random_state=0).fit(counts, y).result_
    assert result.audit().counts()["broken"] == 0
    named = y >= 0
    assert result.evaluate(truth, ~named)["nmi"] > 0.2


def test_categories_are_links_between_words():
    counts, _ = blocks(np.random.default_rng(3))
    knowledge = cg.Knowledge().category("odd", words=[0, 12, 13])
    model = cg.make("cstrinmf", n_clusters=3, n_word_clusters=4, word_link_weight=10.0, random_state=0)
    labels = model.fit(counts, knowledge=knowledge).word_labels_
    assert labels[0] == labels[12] == labels[13]
