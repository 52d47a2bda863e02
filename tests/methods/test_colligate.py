import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import normalized_mutual_info_score

import colligate as cg

from .planted_documents import planted


def weak(seed=0):
    return planted(n=400, noise=0.05, strong=0.18, seed=seed)


def nmi(result, truth, where=slice(None)):
    return normalized_mutual_info_score(np.asarray(result.labels[result.centre])[where], truth[where])


def fit(X, knowledge=None, **parameters):
    return cg.make("colligate", **{"n_clusters": 4, "random_state": 0, **parameters}).fit(
        X, knowledge=knowledge
    )


def seed_words(n=6):
    knowledge = cg.Knowledge()
    for group in range(4):
        knowledge = knowledge.category(f"g{group}", words=list(range(30 * group, 30 * group + n)))
    return knowledge


def two_sided(seed=0):
    """Documents that fall in two groups by one half of their words, and in two others by the other half."""
    rng = np.random.default_rng(seed)
    first, second = rng.integers(2, size=300), rng.integers(2, size=300)
    rates = np.full((300, 80), 0.04)
    for side, start in ((first, 0), (second, 40)):
        for group in (0, 1):
            rates[np.ix_(side == group, np.arange(start + 20 * group, start + 20 * group + 20))] = 0.4
    return rng.poisson(rates).astype(np.float64), (first, second)


@pytest.mark.parametrize("kind", ["labels", "categories", "links"])
@pytest.mark.parametrize("side", [0, 1])
def test_knowledge_decides_between_two_groupings_that_are_as_good(kind, side):
    """It is scored on documents that no statement names."""
    counts, sides = two_sided()
    wanted, named = sides[side], np.arange(60)
    if kind == "labels":
        knowledge = cg.Knowledge().label({int(i): f"g{wanted[i]}" for i in named[:20]})
    elif kind == "categories":
        words = [[40 * side + 20 * group + i for i in range(6)] for group in (0, 1)]
        knowledge = cg.Knowledge().category("a", words=words[0]).category("b", words=words[1])
    else:
        pairs = [(i, j) for i in range(60) for j in range(i + 1, 60) if (i + j) % 7 == 0]
        same = [pair for pair in pairs if wanted[pair[0]] == wanted[pair[1]]]
        other = [pair for pair in pairs if wanted[pair[0]] != wanted[pair[1]]]
        knowledge = cg.Knowledge().together(documents=same).apart(documents=other)
    result = fit(counts, knowledge, n_clusters=2).result_
    assert nmi(result, wanted, np.arange(60, 300)) > 0.6 > 0.2 > nmi(result, sides[1 - side])


def test_groups_are_numbered_in_the_order_of_their_names():
    counts, truth = planted()
    knowledge = seed_words() + cg.Knowledge().label({0: "g0", 1: "g1", 2: "g2", 3: "g3"})
    model = fit(counts, knowledge)
    assert (model.labels_ == truth).mean() > 0.97
    assert model.word_labels_[[0, 30, 60, 90]].tolist() == [0, 1, 2, 3]


def test_more_names_than_groups_share_them():
    counts, _ = planted()
    knowledge = cg.Knowledge()
    for group in range(4):
        for half in (0, 1):
            words = list(range(30 * group + 6 * half, 30 * group + 6 * half + 6))
            knowledge = knowledge.category(f"g{group}{half}", words=words)
    with pytest.warns(
        cg.errors.KnowledgeWarning, match="has 8 different names of groups, but n_clusters is 4"
    ):
        result = fit(counts, knowledge).result_
    words = result.labels["words"]
    assert all(words[30 * group] == words[30 * group + 7] for group in range(4))
    assert len({int(words[30 * group]) for group in range(4)}) == 4


def test_linked_words_share_what_is_learned():
    counts, _ = planted()
    plain = fit(counts).result_.labels["words"]
    tied = fit(counts, cg.Knowledge().together(words=[(0, 31)])).result_.labels["words"]
    parted = fit(counts, cg.Knowledge().apart(words=[(0, 1)])).result_.labels["words"]
    assert plain[0] != plain[31]
    assert plain[0] == plain[1]
    assert tied[0] == tied[31]
    assert parted[0] != parted[1]


def test_outsiders_have_no_group_and_attract_documents_like_them():
    counts, truth = planted(groups=5)
    outside = np.flatnonzero(truth == 4)
    result = fit(counts, cg.Knowledge().outside([int(i) for i in outside[:20]])).result_
    labels = result.labels["documents"]
    assert (labels[outside] == -1).mean() > 0.9
    assert (labels[truth < 4] >= 0).mean() > 0.95
    assert result.memberships["documents"].shape == (240, 4)


def test_a_user_start_is_used():
    counts, truth = planted()
    start = (truth + 1) % 4
    model = fit(counts, init=start.astype(np.int64))
    assert (model.labels_ == start).mean() > 0.97
    assert "agreement" not in model.result_.model
    assert model.result_.model["doubt"] == model.constants.default_doubt


def test_knowledge_on_a_type_far_from_documents_is_refused_by_name():
    types = {
        name: cg.ObjectType(name, range(n)) for name, n in (("documents", 240), ("words", 150), ("kinds", 5))
    }
    counts, _ = planted()
    network = cg.Network(
        types, [cg.Relation("documents", "words", counts), cg.Relation("words", "kinds", np.ones((150, 5)))]
    )
    result = fit(network).result_
    assert set(result.labels) == {"documents", "words", "kinds"}
    with pytest.raises(cg.errors.RefusedKnowledgeError, match="no relation connects kinds with documents"):
        fit(network, cg.Knowledge().together(kinds=[(0, 1)]))


def test_a_second_relation_helps_where_words_are_weak():
    counts, truth = weak()
    strong, _ = planted(n=400, noise=0.02, strong=0.3, seed=5)
    types = {
        name: cg.ObjectType(name, range(n))
        for name, n in (("documents", 400), ("words", 150), ("people", 150))
    }
    relations = [cg.Relation("documents", "words", counts), cg.Relation("documents", "people", strong)]
    both = fit(cg.Network(types, relations)).result_
    assert nmi(both, truth) > nmi(fit(counts).result_, truth)
    light = fit(cg.Network(types, relations), relation_weights={"documents × people": 0.0}).result_
    assert set(light.labels) == {"documents", "words"}


def test_embeddings_of_the_user_are_used_and_not_changed():
    counts, truth = weak()
    rng = np.random.default_rng(0)
    rows = np.eye(4)[truth] + 0.3 * rng.normal(size=(400, 4))
    before = rows.copy()
    assert nmi(fit(counts, embeddings=rows).result_, truth) > nmi(fit(counts).result_, truth)
    np.testing.assert_array_equal(rows, before)
    with pytest.raises(cg.errors.ParameterError, match="a row for each of the 400 documents"):
        fit(counts, embeddings=rows[:10])


def test_new_documents_are_placed_like_old_ones():
    counts, _truth = planted()
    model = fit(counts, seed_words())
    new, fresh = planted(seed=9)
    assert (model.predict(new) == fresh).mean() > 0.95
    assert (model.predict(counts) == model.labels_).mean() > 0.97


def test_categories_of_documents_name_groups_as_labels_do():
    counts, truth = planted(strong=0.4)
    members = {group: np.flatnonzero(truth == group)[:8].tolist() for group in range(4)}
    knowledge = cg.Knowledge()
    for group, documents in members.items():
        knowledge = knowledge.category(f"g{group}", documents=documents)
    model = fit(counts, knowledge)
    assert not model.result_.audit().counts().get("broken")
    assert np.nanmin(model.result_.trust) > 0.5
    assert all((model.labels_[documents] == group).all() for group, documents in members.items())


def test_named_groups_leave_those_of_outsiders_alone():
    counts, truth = planted(strong=0.4)
    outside = np.flatnonzero(truth == 0)
    knowledge = cg.Knowledge().outside(outside[:10].tolist())
    for group in (1, 2, 3):
        knowledge = knowledge.label({int(n): f"g{group}" for n in np.flatnonzero(truth == group)[:4]})
    labels = fit(counts, knowledge, n_clusters=3).labels_
    assert (labels[outside] < 0).mean() > 0.8
    assert (labels[truth > 0] < 0).mean() < 0.05


def test_runs_do_not_agree_on_a_document_in_no_group():
    counts, _ = planted()
    empty = sparse.vstack([counts, sparse.csr_array((1, counts.shape[1]))], format="csr")
    agreement = fit(empty).result_.model["agreement"]
    assert agreement[-1] == -1
    assert (agreement[:-1] > 0).all()
