from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

import colligate as cg
from colligate.kernels import make_kernels
from colligate.methods.guidance import compile_for
from colligate.methods.mixture import ensemble
from colligate.methods.mixture.calibration import seed_precision, split_statements
from colligate.methods.mixture.constants import Constants
from colligate.methods.mixture.ensemble import consensus_labels, match_labels, run_agreement
from colligate.methods.mixture.merged_groups import link_groups, merge_clusters, overcluster
from colligate.methods.mixture.priors import make_priors
from colligate.methods.mixture.problem import SHARED

from ..planted_documents import planted


def unequal(sizes=(420, 60, 60, 60), words=40, length=40, seed=0):
    """Documents of one giant subject, whose words vary by degrees, and of three small ones."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    rows = []
    for subject in truth:
        angle = 2.0 * np.pi * (np.arange(words) / words - rng.random())
        rate = np.exp(3.0 * np.cos(angle)) if subject == 0 else np.ones(words)
        rates = np.zeros(words * len(sizes) + 200)
        rates[subject * words : (subject + 1) * words] = 0.5 * rate / rate.sum()
        rates[-200:] = 0.5 / 200
        rows.append(rng.multinomial(length, rates))
    return np.array(rows), truth


def fit(counts, n_clusters, knowledge=None, constants=None, **parameters):
    parameters = {"uneven_sizes": True, "random_state": 0, **parameters}
    method = cg.make("colligate", n_clusters=n_clusters, **parameters)
    method.constants = constants or Constants()
    return method.fit(counts, knowledge=knowledge)


def alike(truth, method):
    return adjusted_rand_score(truth, method.labels_[: len(truth)])


def problem_of(counts, groups, knowledge=None):
    method = cg.make("colligate", n_clusters=groups, uneven_sizes=True, random_state=0, n_jobs=1)
    network = cg.Network.from_matrix(counts)
    return method.problem(network, compile_for(method, network, knowledge or cg.Knowledge()).guidance)


@pytest.mark.parametrize("seed", range(3))
def test_a_giant_subject_is_one_group_beside_small_ones_if_the_user_says_so(seed):
    counts, truth = unequal(seed=seed)
    assert alike(truth, fit(counts, 4, random_state=seed)) > 0.95
    assert alike(truth, fit(counts, 4, random_state=seed, uneven_sizes=False)) < 0.6


@pytest.mark.parametrize("seed", range(3))
def test_a_large_subject_is_one_group_by_default(seed):
    counts, truth = unequal((600, 100, 100, 100, 100), seed=seed)
    assert alike(truth, fit(counts, 5, random_state=seed, uneven_sizes="auto")) > 0.95


def test_users_may_say_that_sizes_are_similar():
    counts, truth = unequal((600, 100, 100, 100, 100))
    assert alike(truth, fit(counts, 5, uneven_sizes=False)) < 0.6


def test_one_run_knows_it_too():
    counts, truth = unequal()
    assert alike(truth, fit(counts, 4, n_ensemble=1)) > 0.95


@pytest.mark.parametrize("copies", [1, 5])
def test_odd_texts_are_no_subject(copies):
    counts, truth = planted(groups=2)
    odd = sparse.csr_array(np.ones((copies, 20)))
    whole = sparse.block_diag([counts, odd], format="csr")
    for seed in range(3):
        assert alike(truth, fit(whole, 2, random_state=seed)) > 0.9


def test_empty_documents_change_nothing():
    counts, truth = unequal()
    more = np.vstack([counts, np.zeros((500, counts.shape[1]), dtype=counts.dtype)])
    method = fit(more, 4)
    assert alike(truth, method) > 0.95
    assert set(method.labels_[len(truth) :]) == {-1}


def test_a_giant_subject_is_one_group_where_a_small_one_has_a_name():
    counts, truth = unequal()
    method = fit(counts, 4, cg.Knowledge().label(dict.fromkeys(range(421, 424), "small")))
    assert alike(truth, method) > 0.95
    assert set(method.labels_[truth == 1]) == {0}


def test_links_and_outsiders_are_used():
    counts, truth = unequal()
    outside = np.flatnonzero(truth == 3)[:6].tolist()
    right = [(i, i + 1) for i in range(0, 60, 2)]
    method = fit(counts, 3, cg.Knowledge().together(documents=right).outside(outside))
    inside = truth < 3
    assert adjusted_rand_score(truth[inside], method.labels_[inside]) > 0.95
    assert (method.labels_[truth == 3] == -1).mean() > 0.9
    assert method.result_.trust[: len(right)].mean() > 0.9


def merge_all(problem, q, n_inside):
    """Merge groups with all statements in use."""
    priors = make_priors(problem, np.ones(problem.n_statements), 1.0)
    return merge_clusters(problem, priors, q, n_inside, 0.25)


def test_groups_that_point_the_same_way_are_merged():
    counts, truth = planted()
    q = np.eye(8)[truth + 4 * (np.arange(len(truth)) // 4 % 2)]
    merged = merge_all(problem_of(counts, 8), q, 4)
    assert merged.shape == (len(truth), 4)
    assert adjusted_rand_score(truth, merged.argmax(axis=1)) == 1.0


def test_groups_that_hold_nothing_are_no_group():
    counts, truth = planted()
    merged = merge_all(problem_of(counts, 8), np.eye(8)[truth * 2], 4)
    assert adjusted_rand_score(truth, merged.argmax(axis=1)) == 1.0


def test_groups_with_names_keep_their_numbers_and_stay_apart():
    counts, truth = planted()
    # two names within one subject
    subject = np.flatnonzero(truth == 0)
    knowledge = cg.Knowledge().label({int(subject[0]): "a", int(subject[1]): "b"})
    q = np.eye(8)[truth + 4 * (np.arange(len(truth)) // 4 % 2)]
    q[subject] = 0.0
    q[subject[::2], 0], q[subject[1::2], 1] = 1.0, 1.0
    merged = merge_all(problem_of(counts, 8, knowledge), q, 4)
    assert not merged[subject[::2]].argmax(axis=1).any()
    assert (merged[subject[1::2]].argmax(axis=1) == 1).all()


def test_groups_of_outsiders_are_not_merged():
    counts, truth = planted()
    problem = problem_of(counts, 3, cg.Knowledge().outside(np.flatnonzero(truth == 3)[:6].tolist()))
    finer = overcluster(problem)
    assert finer.n_groups - finer.n_inside == problem.n_groups - problem.n_inside
    q = np.random.default_rng(0).dirichlet(np.ones(finer.n_groups), size=len(truth))
    merged = merge_all(finer, q, 3)
    assert merged.shape[1] == problem.n_groups
    assert np.array_equal(merged[:, 3:], q[:, 6:])
    assert np.allclose(merged.sum(axis=1), 1.0)


def test_cannot_links_keep_near_groups_apart():
    counts, truth = planted()
    # two groups a subject; the second subject is told to be two
    q = np.eye(8)[truth + 4 * (np.arange(len(truth)) // 4 % 2)]
    first, second = (np.flatnonzero(q[:, group]) for group in (1, 5))
    apart = [(int(one), int(other)) for one, other in zip(first, second, strict=False)]
    problem = problem_of(counts, 8, cg.Knowledge().apart(documents=apart))
    merged = merge_all(problem, q, 5).argmax(axis=1)
    assert set(merged[first]).isdisjoint(merged[second])
    free = merge_all(problem_of(counts, 8), q, 4).argmax(axis=1)
    assert set(free[first]) == set(free[second])


def test_the_exponent_of_sizes_spares_large_groups():
    # two large groups are a little nearer to each other than two small ones
    distance = np.array([[0, 0.4, 0.9, 0.9], [0.4, 0, 0.9, 0.9], [0.9, 0.9, 0, 0.5], [0.9, 0.9, 0.5, 0]])
    size, nobody = np.array([400.0, 400.0, 10.0, 10.0]), np.zeros(4, dtype=bool)
    assert link_groups(distance, size, nobody, 3, 0.0).tolist() == [0, 0, 1, 2]
    assert link_groups(distance, size, nobody, 3, 0.25).tolist() == [0, 1, 2, 2]
    named = np.array([False, False, True, True])
    assert link_groups(distance, size, named, 3, 0.25).tolist() == [0, 0, 1, 2]


@pytest.mark.parametrize(
    ("uneven_sizes", "families"),
    [
        ("auto", [(2, None), (2, 0.25), (2, 0.0)]),
        (False, [(2, None), (2, 0.25)]),
        (True, [(4, 0.0)]),
    ],
)
def test_every_way_of_merging_finer_runs_has_a_start(uneven_sizes, families):
    counts, _ = planted()
    problem = replace(problem_of(counts, 4), uneven_sizes=uneven_sizes)
    uses = split_statements(problem, 4, np.random.default_rng(0))
    found = ensemble._run_ensemble(problem, uses, np.random.default_rng(0))
    assert [(len(family.runs), family.exponent) for family in found.families] == families
    # a run that is merged in several ways counts once
    assert found.runs == [run for family in found.families[:2] for run in family.runs]


def test_only_uneven_groups_by_average_linkage_may_have_a_higher_objective():
    counts, truth = planted()
    labelled = problem_of(counts, 4, cg.Knowledge().label({0: "a"}))
    few, seeded = cg.Knowledge().category("a", words=[0]), cg.Knowledge()
    for group in range(4):
        seeded.category(f"g{group}", words=[group])
    few, seeded = problem_of(counts, 4, few), problem_of(counts, 4, seeded)
    even = np.eye(4)[truth]
    uneven = np.eye(4)[np.where(np.arange(len(truth)) % 8 < 5, 0, truth)]
    assert ensemble._find_margin(labelled, 0.0, uneven) == -0.03
    assert ensemble._find_margin(few, 0.0, uneven) == -0.03
    for problem, exponent, resp in (
        (labelled, 0.0, even),
        (labelled, 0.25, uneven),
        # seed words for all groups tell which are right
        (seeded, 0.0, uneven),
    ):
        assert ensemble._find_margin(problem, exponent, resp) == 0.003
    assert ensemble._find_margin(labelled, None, uneven) == 0.0


def test_merged_groups_compete_with_a_margin():
    counts, _ = planted()
    problem = problem_of(counts, 4)
    nothing = make_priors(problem, np.ones(problem.n_statements), 0.5)
    uses = split_statements(problem, 4, np.random.default_rng(0))
    runs = ensemble._run_ensemble(problem, uses, np.random.default_rng(0)).runs
    resp = ensemble.consensus_resp(problem, nothing, runs, np.random.default_rng(0))
    # EM does not leave four equal groups
    equal = np.full_like(resp, 0.25)
    lower, higher = (ensemble._run_from_start(problem, nothing, start) for start in (resp, equal))
    gap = (higher.free_energy - lower.free_energy) / abs(higher.free_energy)
    assert gap > 0.0
    for start, margin, reached in ((equal, -1.1 * gap, higher), (equal, -0.9 * gap, lower)):
        other = replace(problem, constants=replace(problem.constants, merge_margin=margin))
        starts = [ensemble.Candidate(start, 0.25), ensemble.Candidate(resp, None)]
        np.testing.assert_array_equal(ensemble._reach_lowest(other, nothing, starts), reached.resp)


def test_what_does_not_depend_on_the_number_of_groups_is_shared():
    problem = problem_of(planted()[0], 4)
    finer = overcluster(problem)
    assert finer.n_groups == 8
    assert all(getattr(finer, name) is getattr(problem, name) for name in SHARED)


def test_it_is_left_out_where_it_makes_no_sense():
    counts, _ = planted()
    assert overcluster(problem_of(counts, 1)) is None
    assert overcluster(problem_of(planted(n=7)[0], 4)) is None
    assert overcluster(problem_of(counts, 121)) is None


def linked(truth, n_links, seed=0):
    """Links drawn at random, half of them together."""
    rng = np.random.default_rng(seed)
    one, other = rng.integers(len(truth), size=(2, 50 * n_links))
    same = (truth[one] == truth[other]) & (one != other)
    pairs = np.column_stack([one, other])
    return (
        cg.Knowledge()
        .together(documents=pairs[same][: n_links // 2].tolist())
        .apart(documents=pairs[truth[one] != truth[other]][: n_links // 2].tolist())
    )


def test_a_giant_subject_is_one_group_with_links():
    counts, truth = unequal()
    knowledge = linked(truth, 120)
    method = fit(counts, 4, knowledge, uneven_sizes=False)
    assert alike(truth, method) > 0.95
    assert np.nanmean(method.result_.trust) > 0.9


@pytest.mark.parametrize("seed", range(3))
def test_links_do_no_harm_where_subjects_are_of_one_size(seed):
    counts, truth = planted(strong=0.15, n=400, seed=seed)
    linked_too = fit(counts, 4, linked(truth, 100, seed), uneven_sizes=False)
    assert alike(truth, linked_too) > alike(truth, fit(counts, 4, uneven_sizes=False)) - 0.05


def noisy_runs(truth, rng, n_runs=8, wrong=0.2):
    runs = []
    for _ in range(n_runs):
        labels = np.where(rng.random(len(truth)) < wrong, rng.integers(4, size=len(truth)), truth)
        runs.append(rng.permutation(4)[labels].astype(np.int32))
    return runs


def test_the_consensus_of_poor_runs_is_good():
    rng = np.random.default_rng(0)
    truth = (np.arange(400) % 4).astype(np.int32)
    runs = noisy_runs(truth, rng)
    labels = match_labels(consensus_labels(make_kernels("fast", 1), runs, 4, rng, 5), truth, 4)
    assert (labels == truth).mean() > 0.97
    assert (match_labels(runs[0], truth, 4) == truth).mean() < 0.9


def test_documents_in_no_group_stay_in_none():
    rng = np.random.default_rng(0)
    runs = [np.where(np.arange(40) < 5, -1, np.arange(40) % 2).astype(np.int32)] * 3
    labels = consensus_labels(make_kernels("fast", 1), runs, 2, rng, 5)
    assert (labels[:5] == -1).all()
    assert (labels[5:] >= 0).all()


def test_runs_agree_whatever_their_numbers():
    labels = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)
    turned = np.eye(2)[1 - labels]
    np.testing.assert_allclose(run_agreement([turned, np.eye(2)[labels]], labels, 2), np.eye(2)[labels])


def test_a_group_of_a_run_stands_for_the_groups_of_its_documents():
    labels = np.array([0, 0, 0, 1, -1], dtype=np.int32)
    run = np.array([[1.0, 0.0]] * 4 + [[0.5, 0.5]])
    agreement = run_agreement([run], labels, 2)
    np.testing.assert_allclose(agreement[:4], [[0.75, 0.25]] * 4)
    # the second group of the run has no document in a group, so it says nothing
    np.testing.assert_allclose(agreement[4], [0.375, 0.125])


def test_seed_words_that_tell_nothing_leave_the_groups_as_they_are():
    counts, _ = planted(noise=0.05, strong=0.2)
    # the last words are common to all groups
    knowledge = cg.Knowledge()
    for group in range(4):
        knowledge.category(f"g{group}", words=list(range(120 + 6 * group, 126 + 6 * group)))
    bare = fit(counts, 4, uneven_sizes=False)
    method = fit(counts, 4, knowledge, uneven_sizes=False)
    assert adjusted_rand_score(bare.labels_, method.labels_) == 1.0
    assert sorted(method.result_.named_groups) == ["g0", "g1", "g2", "g3"]
    assert not method.result_.trust.any()
    (warning,) = method.result_.audit().warnings()
    assert "so they were not used: they only name groups" in warning


def test_seed_words_are_judged_by_runs_without_them():
    counts, _ = planted()
    precise, misleading = cg.Knowledge(), cg.Knowledge()
    for group in range(4):
        precise.category(f"g{group}", words=list(range(30 * group, 30 * group + 5)))
        misleading.category(f"g{group}", words=[30 * other + group for other in range(4)])
    judged = []
    for knowledge in (precise, misleading):
        problem, rng = problem_of(counts, 4, knowledge), np.random.default_rng(0)
        uses = split_statements(problem, 6, rng)
        tasks = ensemble._draw_runs(problem, uses, rng, lambda _, run: [run])
        runs = [task()[0] for task in tasks]
        judged.append(seed_precision(problem, uses, runs))
    assert judged[0] > 0.5
    assert judged[1] < 0.1
    # too few to judge
    problem = problem_of(counts, 4, cg.Knowledge().category("a", words=[0, 1]).category("b", words=[30, 31]))
    assert seed_precision(problem, [np.zeros(problem.n_statements)], runs[:1]) is None


def test_the_start_of_a_run_without_knowledge_competes():
    counts, _ = planted(strong=0.12, seed=1)
    bare = replace(problem_of(counts, 4), uneven_sizes="auto")
    linked = replace(
        problem_of(counts, 4, cg.Knowledge().together(documents=[[0, 4], [1, 5]])), uneven_sizes="auto"
    )
    priors = make_priors(linked, np.ones(linked.n_statements), 0.5)
    rivals = list(ensemble._starts_without_knowledge(linked, priors, 4, np.random.default_rng(0)))
    # groups as they are, and finer ones merged in two ways
    assert len(rivals) == 3
    start = ensemble.initialize(bare, 4, np.random.default_rng(0))
    nothing = make_priors(bare, np.ones(bare.n_statements), 0.5)
    np.testing.assert_array_equal(ensemble._reach_lowest(bare, nothing, rivals), start.resp)
