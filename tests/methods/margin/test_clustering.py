"""Labels in the margin methods: documents held in their groups, and what that does for the others."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import colligate as cg
from colligate.methods.margin.bundle import Point, empty_working_set, minimise
from colligate.methods.margin.clustering import pack_cuts, restore_cuts, restore_point
from colligate.methods.margin.groups import assign_groups
from colligate.methods.margin.risks import OutsiderRisk, TargetRisk
from tests.methods.margin.cases import beside, cloud, topics

METHODS = ("m2dcu", "m2dcu-0", "cpm3c")


def crossed(seed=0, n=160):
    """Documents with one of two loud topics and one of two quieter ones; the quieter is the truth."""
    rng = np.random.default_rng(seed)
    loud, truth = rng.integers(0, 2, n), rng.integers(0, 2, n)
    rates = np.full((n, 80), 0.05)
    for place in range(n):
        rates[place, 20 * loud[place] :][:20] += 0.5
        rates[place, 40 + 20 * truth[place] :][:20] += 0.35
    return rng.poisson(rates), loud, truth


def labels_of(truth, places):
    return cg.Knowledge().label({int(place): f"group {truth[place]}" for place in places})


@pytest.mark.parametrize("method", METHODS)
def test_labels_of_some_documents_turn_the_groups_of_the_others(method):
    counts, loud, truth = crossed()
    labelled = np.arange(0, len(truth), 5)
    rest = np.setdiff1d(np.arange(len(truth)), labelled)
    model = cg.make(method, n_clusters=2, random_state=0, n_init=3)
    plain = model.fit(counts).labels_
    assert adjusted_rand_score(loud[rest], plain[rest]) > 0.6
    result = model.fit(counts, knowledge=labels_of(truth, labelled)).result_
    labels = result.labels["documents"]
    assert (
        adjusted_rand_score(truth[rest], labels[rest]) > adjusted_rand_score(truth[rest], plain[rest]) + 0.3
    )
    assert adjusted_rand_score(truth[labelled], labels[labelled]) == 1.0
    assert result.audit().counts()["kept"] == len(labelled)
    np.testing.assert_array_equal(result.memberships["documents"].argmax(axis=1)[labelled], labels[labelled])
    assert np.all(np.diff(result.history) <= 1e-9)


@pytest.mark.parametrize("init", ["auto", "given"])
def test_a_document_stays_where_its_label_says_even_against_its_words(init):
    counts, truth = topics(0, sizes=(40, 40))
    label_of = {0: "a", 1: "a", 40: "b", 41: "b", 2: "b"}
    start = np.zeros(80, dtype=np.int64) if init == "given" else init
    model = cg.make("m2dcu-0", n_clusters=2, random_state=0, n_init=2, init=start)
    result = model.fit(counts, knowledge=cg.Knowledge().label(label_of)).result_
    labels = result.labels["documents"]
    assert labels[2] == labels[40] != labels[0]
    assert adjusted_rand_score(np.delete(truth, 2), np.delete(labels, 2)) > 0.9
    assert result.audit().counts()["kept"] == len(label_of)


def test_labels_and_outsiders_together_and_no_label_is_rejected():
    counts, truth = topics(0, sizes=(40, 40, 30), noise=2.0)
    outsiders = np.flatnonzero(truth == 2)
    knowledge = labels_of(truth, np.arange(0, 80, 4)).outside(outsiders.tolist())
    labels = cg.make("m2dcu", n_clusters=2, random_state=0, n_init=2, reject=0.9)
    groups = labels.fit(counts, knowledge=knowledge).labels_
    assert set(groups[outsiders]) == {-1}
    assert np.all(groups[:80:4] >= 0)


def test_labels_alone_are_no_outsiders():
    counts, truth = topics(0)
    with pytest.raises(cg.errors.InputError, match="outsiders='rest' needs documents"):
        cg.make("m2dcu", n_clusters=3, outsiders="rest").fit(counts, knowledge=labels_of(truth, [0, 50]))


def test_more_names_than_groups_leave_the_last_ones_free():
    counts, truth = topics(0)
    with pytest.warns(cg.errors.KnowledgeWarning, match="there are 3 different labels"):
        model = cg.make("m2dcu-0", n_clusters=2, random_state=0, n_init=2).fit(
            counts, knowledge=labels_of(truth, [0, 1, 50, 51, 100, 101])
        )
    labels = model.labels_
    assert labels[0] == labels[1] != labels[50] == labels[51]


def test_links_are_refused_by_name():
    counts, _ = topics(0)
    with pytest.raises(cg.errors.RefusedKnowledgeError, match="m2dcu does not accept links on documents"):
        cg.make("m2dcu", n_clusters=3).fit(counts, knowledge=cg.Knowledge().apart(documents=[(0, 1)]))


def test_known_groups_are_not_left():
    scores = np.eye(3)[[0, 0, 1, 2]]
    groups, known = np.array([1, 0, 2, 2], dtype=np.int32), np.array([2, -1, -1, -1], dtype=np.int32)
    assert assign_groups(scores, groups, np.zeros(4), known).tolist() == [2, 0, 1, 2]


def solved():
    """A problem with outsiders, its cuts and its solution, and the problem after some documents moved."""
    features, groups = cloud(0, n=60, spread=2.0)
    outsiders = OutsiderRisk(beside(features, 0), 0.3, 8.0)
    risks = [TargetRisk(features, groups, 32.0), outsiders]
    cuts = empty_working_set(risks)
    solution = minimise(risks, Point.of(np.zeros((3, features.width)), risks), 1e-3, cuts=cuts)
    moved = np.where(np.arange(60) % 10 == 0, (groups + 1) % 3, groups).astype(np.int32)
    return features, groups, cuts, solution, [TargetRisk(features, moved, 32.0), outsiders]


def test_cuts_that_are_recalled_lie_below_the_risks_of_the_new_groups():
    features, groups, cuts, solution, after = solved()
    known = restore_cuts(pack_cuts(cuts, groups, solution), features, after[0].groups, after)
    assert {cut.owner for cut in known.cuts} == {0, 1}
    rng = np.random.default_rng(0)
    for weights in (rng.normal(size=(3, features.width)) for _ in range(20)):
        for cut in known.cuts:
            risk = after[cut.owner]
            height = cut.offset + np.vdot(cut.slope, weights)
            assert height <= risk.value(risk.scores(weights)) + 1e-9


def test_with_recalled_cuts_the_same_objective_is_found():
    features, groups, cuts, solution, after = solved()
    known = restore_cuts(pack_cuts(cuts, groups, solution), features, after[0].groups, after)
    begin = Point.of(solution.W, after)
    again = minimise(after, begin, 1e-6, cuts=known)
    anew = minimise(after, begin, 1e-6)
    assert again.objective == pytest.approx(anew.objective, rel=1e-5)
    assert again.gap <= 1e-6 * again.objective


def test_a_state_without_memory_knows_no_cuts_and_sees_its_scores_anew():
    features, _, cuts, solution, after = solved()
    numbers = {"weights": solution.W}
    assert len(restore_cuts(numbers, features, after[0].groups, after)) == 0
    seen = restore_point(numbers, after)
    np.testing.assert_allclose(seen.scores[0], features.scores(solution.W))
    assert len(cuts) > 2
