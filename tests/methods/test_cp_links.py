import numpy as np
import pytest

import colligate as cg

from .planted_documents import blocks
from .test_cp import TITLES, categories


@pytest.mark.parametrize("seed", range(3))
def test_pairs_of_words_split_the_titles_as_the_categories_do(seed):
    pairs = cg.Knowledge().together(words=[(0, 1), (2, 3), (4, 5)]).apart(words=[(0, 2), (0, 4), (2, 4)])
    model = cg.make(
        "cp-links", n_clusters=2, n_word_clusters=3, weighting="counts", random_state=seed, n_init=20
    )
    result = model.fit(TITLES, knowledge=pairs).result_
    labels = model.labels_
    assert labels[0] == labels[1] != labels[2] == labels[3]
    assert result.audit().counts()["kept"] == 6


def test_without_pairs_it_is_cp():
    one, other = (
        cg.make(name, n_clusters=2, weighting="counts", random_state=0).fit(TITLES, knowledge=categories())
        for name in ("cp", "cp-links")
    )
    assert one.history_ == other.history_


@pytest.mark.parametrize("weight", [0.1, 10.0, 1e4])
@pytest.mark.filterwarnings("ignore:.*before it converged")
def test_the_objective_never_rises_however_strong_and_wrong_the_links(weight):
    counts, _ = blocks(np.random.default_rng(0))
    knowledge = (
        cg.Knowledge()
        .together(words=[(word, word + 12) for word in range(12)])
        .apart(words=[(word, word + 1) for word in range(12)])
    )
    model = cg.make(
        "cp-links",
        n_clusters=3,
        n_word_clusters=4,
        word_link_weight=weight,
        random_state=0,
        n_init=1,
        max_iter=40,
    )
    history = np.array(model.fit(counts, knowledge=knowledge).history_)
    assert np.all(np.diff(history) <= 1e-12 * np.abs(history[:-1]))


def test_links_move_words_that_the_documents_place_elsewhere():
    counts, _ = blocks(np.random.default_rng(2))
    alone = cg.make("tnmf", n_clusters=3, n_word_clusters=4, random_state=0).fit(counts).word_labels_
    assert alone[0] != alone[12]
    model = cg.make("cp-links", n_clusters=3, n_word_clusters=4, word_link_weight=10.0, random_state=0)
    labels = model.fit(counts, knowledge=cg.Knowledge().together(words=[(0, 12), (0, 13)])).word_labels_
    assert labels[0] == labels[12] == labels[13]
