import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

import colligate as cg
from colligate.knowledge.guidance import Guidance
from colligate.methods.fit import RunOptions
from colligate.methods.margin.risks import margins
from colligate.network import Network
from tests.methods.margin.cases import topics


def made(**parameters):
    return cg.make("m2dcu", **{"n_clusters": 3, "random_state": 0, "n_init": 2, **parameters})


def with_a_fourth(seed=0):
    """Documents of three groups, then outsiders of a fourth; the knowledge that they are outsiders."""
    counts, truth = topics(seed, sizes=(40, 40, 40, 30), noise=2.0)
    outsiders = np.flatnonzero(truth == 3)
    return counts, truth, outsiders, cg.Knowledge().outside(outsiders.tolist())


def test_outsiders_are_in_no_group_and_the_others_in_theirs():
    counts, truth, outsiders, knowledge = with_a_fourth()
    result = made().fit(counts, knowledge=knowledge).result_
    labels = result.labels["documents"]
    assert set(labels[outsiders]) == {-1}
    assert not result.memberships["documents"][outsiders].any()
    assert adjusted_rand_score(truth[truth < 3], labels[truth < 3]) > 0.8
    assert result.audit().counts()["kept"] == len(outsiders)


def test_the_margins_of_outsiders_shrink_with_their_weight():
    counts, _, outsiders, knowledge = with_a_fourth()
    reached = [
        made(outsider_weight=weight, scale=4.0).fit(counts, knowledge=knowledge).result_.model
        for weight in (0.0, 64.0)
    ]
    assert len(reached[0]["outsider_margins"]) == len(outsiders)
    assert np.max(reached[0]["outsider_margins"]) > 1.0
    assert np.max(reached[1]["outsider_margins"]) < 0.51
    assert np.median(reached[1]["target_margins"]) > np.median(reached[1]["outsider_margins"])


def test_without_any_weight_outsiders_are_only_left_out():
    counts, truth, _, knowledge = with_a_fourth()
    labels = made(outsider_weight=0.0).fit(counts, knowledge=knowledge).labels_
    plain = cg.make("m2dcu-0", n_clusters=3, random_state=0, n_init=2).fit(counts[truth < 3]).labels_
    np.testing.assert_array_equal(labels[truth < 3], plain)


def test_documents_from_elsewhere_count_like_marked_ones():
    counts, truth, _, knowledge = with_a_fourth()
    model = made(dimensions=10)
    whole, inside = Network.from_matrix(counts), Network.from_matrix(counts[truth < 3])
    marked = model.problem(whole, knowledge.compile(whole.names).guidance)
    elsewhere = Guidance(len(inside.types["documents"]), outside=sparse.csr_array(counts[truth == 3]))
    apart = model.problem(inside, {"documents": elsewhere})
    np.testing.assert_allclose(apart.outsiders.rows, marked.outsiders.rows, atol=1e-6)
    assert apart.outsiders.scale == marked.outsiders.scale


def test_a_second_corpus_of_outsiders():
    ours = cg.Corpus.from_texts(["orbit nasa shuttle moon", "goal puck ice team"] * 6)
    other = cg.Corpus.from_texts(["nasa price offer puck", "price team offer", "unheard of"])
    result = made(n_clusters=2).fit(ours, knowledge=cg.Knowledge().outside(other)).result_
    assert len(result.model["outsider_margins"]) == 2
    assert result.audit().counts()["kept"] == 1
    assert adjusted_rand_score(np.arange(12) % 2, result.labels["documents"]) == 1.0


@pytest.mark.parametrize("source", ["rand", "mean", "all"])
def test_outsiders_can_be_made(source):
    counts, truth = topics(0, noise=2.0)
    model = made(outsiders=source, dimensions=10).fit(counts)
    made_of = {"rand": 1000, "mean": 3, "all": 1003}
    assert len(model.result_.model["outsider_margins"]) == made_of[source]
    assert adjusted_rand_score(truth, model.labels_) > 0.8


def test_a_share_of_the_outsiders_can_be_selected():
    counts, _, outsiders, knowledge = with_a_fourth()
    model = made(select=0.2, dimensions=10).fit(counts, knowledge=knowledge)
    assert len(model.result_.model["outsider_margins"]) == round(0.2 * len(outsiders))


def test_documents_like_outsiders_are_rejected(tmp_path):
    counts, truth, outsiders, _ = with_a_fourth()
    marked, new = outsiders[:20], outsiders[20:]
    seen = np.setdiff1d(np.arange(len(truth)), new)
    knowledge = cg.Knowledge().outside(np.flatnonzero(np.isin(seen, marked)).tolist())
    model = made(reject=0.9, outsider_weight=64.0).fit(counts[seen], knowledge=knowledge)
    border = model.result_.model["border"]
    assert np.mean(model.predict(counts[new]) == -1) > 0.5
    assert np.mean(model.predict(counts[truth < 3]) == -1) < 0.3
    np.testing.assert_array_equal(
        model.predict(counts[seen]) == -1, margins(model.decision_function(counts[seen])) < border
    )
    model.result_.save(tmp_path / "run")
    np.testing.assert_array_equal(
        cg.Result.load(tmp_path / "run").predict(counts[new]), model.predict(counts[new])
    )
    labels = model.labels_[: (truth < 3).sum()]
    assert 0 < np.mean(labels == -1) < 0.3
    np.testing.assert_array_equal(labels, model.predict(counts[truth < 3]))


def test_decision_values_rank_the_groups():
    counts, _, _, knowledge = with_a_fourth()
    model = made().fit(counts, knowledge=knowledge)
    np.testing.assert_array_equal(model.decision_function(counts).argmax(axis=1), model.predict(counts))


def test_rest_without_any_outsider_is_refused():
    with pytest.raises(cg.errors.InputError, match="outsiders='rest' needs documents"):
        made(outsiders="rest").fit(topics(0)[0])


@pytest.mark.parametrize("reject", [0.0, 0.9])
def test_a_comparison_with_the_run_without_the_outsiders(reject):
    counts, _, outsiders, knowledge = with_a_fourth()
    model = made(outsiders="rest", reject=reject)
    result = model.fit(counts, knowledge=knowledge, options=RunOptions(compare=True)).result_
    plain = cg.make("m2dcu-0", n_clusters=3, random_state=0, n_init=2).fit(counts).labels_
    np.testing.assert_array_equal(result.before["documents"], plain)
    assert set(result.labels["documents"][outsiders]) == {-1}


def test_empty_knowledge_tells_of_no_outsiders():
    with pytest.raises(cg.errors.InputError, match="outsiders='rest' needs documents"):
        made(outsiders="rest").fit(topics(0)[0], knowledge=cg.Knowledge())


@pytest.mark.parametrize("reject", [0.0, 0.5])
def test_one_group_takes_all_but_the_outsiders(reject):
    counts, truth, _, knowledge = with_a_fourth()
    labels = made(n_clusters=1, reject=reject).fit(counts, knowledge=knowledge).labels_
    np.testing.assert_array_equal(labels, np.where(truth == 3, -1, 0))


@pytest.mark.parametrize(("source", "select"), [("rest", 1.0), ("mean", 1.0), ("all", 0.5)])
def test_one_document_beside_an_outsider(source, select):
    counts, _ = topics(0)
    model = made(n_clusters=1, outsiders=source, select=select)
    assert model.fit(counts[:2], knowledge=cg.Knowledge().outside([1])).labels_.tolist() == [0, -1]


def test_outsiders_alone_leave_nothing_to_group():
    counts, _ = topics(0)
    with pytest.raises(cg.errors.ParameterError, match="n_clusters is 1, but only 0 documents"):
        made(n_clusters=1).fit(counts[:2], knowledge=cg.Knowledge().outside([0, 1]))


def test_outsiders_that_are_labelled_contradict_the_labels():
    counts, _, _, knowledge = with_a_fourth()
    with pytest.raises(cg.errors.ContradictionError):
        made().fit(counts, knowledge=knowledge.label({140: "a"}))


def test_outsiders_of_another_vocabulary_are_refused():
    ours = cg.Corpus.from_texts(["orbit nasa shuttle moon", "goal puck ice team"] * 6)
    other = cg.Corpus.from_texts(["unheard of", "words alone"])
    with pytest.raises(cg.errors.InputError, match="none of the 2 outsiders shares words"):
        made(n_clusters=2).fit(ours, knowledge=cg.Knowledge().outside(other))


def test_too_few_documents_left_beside_the_outsiders():
    counts, _ = topics(0)
    with pytest.raises(cg.errors.ParameterError, match="n_clusters is 3, but only 2 documents"):
        made().fit(counts[:5], knowledge=cg.Knowledge().outside([0, 1, 2]))


def test_sparse_features_refuse_what_would_fill_the_memory():
    counts, _ = topics(0)
    with pytest.raises(cg.errors.ParameterError, match="only work if dimensions is a number"):
        made(outsiders="rand", dimensions=None).fit(counts)


def test_sparse_features_take_outsiders_too():
    counts, truth, _, knowledge = with_a_fourth()
    labels = made(dimensions=None).fit(counts, knowledge=knowledge).labels_
    assert adjusted_rand_score(truth[truth < 3], labels[truth < 3]) > 0.8


def test_a_start_of_the_users_own_may_leave_outsiders_out():
    counts, truth, _, knowledge = with_a_fourth()
    start = np.where(truth == 3, -1, truth)
    labels = made(init=start, n_init=1).fit(counts, knowledge=knowledge).labels_
    assert adjusted_rand_score(truth[truth < 3], labels[truth < 3]) > 0.8
    with pytest.raises(
        cg.errors.ParameterError, match="init must contain the number of a group, from 0 to 2"
    ):
        made(init=start, n_init=1, outsiders="mean").fit(counts)


def test_a_second_corpus_that_repeats_documents_to_be_grouped_is_told():
    texts = ["orbit nasa shuttle moon", "goal puck ice team"] * 6
    ours = cg.Corpus.from_texts(texts, ids=[f"d{place}" for place in range(12)])
    other = cg.Corpus.from_texts(["nasa price offer puck", "team, the goal! puck on ice"], ids=["x", "y"])
    with pytest.warns(cg.errors.KnowledgeWarning, match=r"1 of the 2 outsiders .* \(y like d11\)"):
        made(n_clusters=2).fit(ours, knowledge=cg.Knowledge().outside(other))


def test_a_second_corpus_may_repeat_marked_outsiders():
    texts = [*["orbit nasa shuttle moon", "goal puck ice team"] * 6, "nasa price offer puck"]
    ours = cg.Corpus.from_texts(texts)
    other = cg.Corpus.from_texts(["nasa price offer puck", "price offer team"])
    knowledge = cg.Knowledge().outside(["13"]).outside(other)
    assert made(n_clusters=2).fit(ours, knowledge=knowledge).labels_[-1] == -1


def test_equal_documents_end_at_once(monkeypatch):
    """A round that finds no lower point and no new cut would be repeated up to the limit of rounds."""
    from colligate.methods.margin.bundle import MAX_ROUNDS, WorkingSet

    rounds, solve = [], WorkingSet.solve_dual
    monkeypatch.setattr(WorkingSet, "solve_dual", lambda *arguments: rounds.append(1) or solve(*arguments))
    cg.make("m2dcu", n_clusters=2, n_init=1, random_state=0).fit(np.tile(np.arange(1, 6), (20, 1)))
    assert len(rounds) < MAX_ROUNDS / 3
