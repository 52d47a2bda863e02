import numpy as np
from scipy import sparse

import colligate as cg
from colligate.methods.mixture.calibration import USUAL_FAITH
from colligate.methods.mixture.priors import Expert

from ..planted_documents import planted


def labelled(classes):
    return cg.Knowledge().label({i: f"g{classes[i]}" for i in range(0, len(classes), 3)})


def fit(counts, knowledge, n_clusters, **given):
    method = cg.make("colligate", n_clusters=n_clusters, random_state=0, **given)
    return method.fit(counts, knowledge=knowledge)


def test_the_classifier_counts_more_where_labels_are_not_the_plain_groups():
    counts, topics = planted(n=600)
    plain = fit(counts, labelled(topics), 4).result_.model["taught_faith"]
    order = np.random.default_rng(0).permutation(600)
    faint, classes = (found[order] for found in planted(n=600, groups=2, strong=0.1, seed=1))
    hidden = fit(sparse.hstack([counts, faint]).tocsr(), labelled(classes), 2).result_.model["taught_faith"]
    assert hidden > 1.0 > plain


def test_few_labels_and_single_runs_leave_it_as_usual():
    counts, topics = planted()
    few = cg.Knowledge().label({i: f"g{topics[i]}" for i in range(4)})
    assert fit(counts, few, 4).result_.model["taught_faith"] == USUAL_FAITH
    assert fit(counts, labelled(topics), 4, n_ensemble=1).result_.model["taught_faith"] == USUAL_FAITH


def test_groups_without_labels_are_neither_helped_nor_harmed():
    rng = np.random.default_rng(0)
    expert = Expert(np.array([0, 2]), rng.normal(size=(5, 2)), np.zeros(2), faith=0.5, n_inside=4)
    found = expert.nats(rng.normal(size=(7, 5)), n_groups=5)
    assert np.array_equal(found[:, 1], found[:, [0, 2]].max(axis=1))
    assert np.array_equal(found[:, 1], found[:, 3])
    assert not found[:, 4].any()
    assert np.allclose(np.exp(found[:, [0, 2]] / 0.5).sum(axis=1), 2.0)


def test_labels_of_some_groups_teach_what_separates_them():
    counts, topics = planted(strong=0.15, n=400)
    some = {i: f"g{topics[i]}" for i in range(200) if topics[i] < 2}
    model = fit(counts, cg.Knowledge().label(some), 4)
    assert model.result_.model["taught_groups"].tolist() == [0, 1]
    placed = model.predict(counts)
    there = (topics < 2) & (np.arange(len(topics)) >= 200)
    assert (placed[there] == topics[there]).mean() > 0.9


def test_what_words_say_adds_up_to_the_scores_where_some_groups_have_labels():
    counts, topics = planted(strong=0.15, n=400)
    some = {i: f"g{topics[i]}" for i in range(200) if topics[i] < 2}
    method = fit(counts, cg.Knowledge().label(some), 4)
    model = method.result_.model
    rest = []
    for row in range(40):
        at = slice(*counts.indptr[row : row + 2])
        told = method.evidence(model, counts.indices[at].astype(np.int64), counts.data[at]).sum(axis=0)
        found = method.predict_scores(model, counts[[row]])[0] - told
        rest.append(found - found.mean())
    # what is left are offsets, and those of groups without labels are of the better of the two with labels
    assert len(np.unique(np.round(rest, 5), axis=0)) == 2
