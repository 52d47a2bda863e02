import numpy as np
import pytest

import colligate as cg
from colligate.methods.suggestion import MergedGroups

from .planted_documents import planted


@pytest.mark.parametrize("groups", [3, 5, 8])
def test_planted_groups_are_counted_and_clear(groups):
    counts, _ = planted(n=60 * groups, groups=groups)
    suggestion = cg.suggest_clusters(counts)
    assert suggestion.n_clusters == groups
    assert suggestion.is_clear
    assert [one.n_clusters for one in suggestion.plausible] == [groups]
    assert str(suggestion).startswith(f"{groups} groups are suggested.\n{groups}: the most separate groups")
    numbers, scores = zip(*suggestion.curve, strict=True)
    assert list(numbers) == sorted(numbers)
    assert np.isfinite(scores).all()
    assert numbers[int(np.argmax(scores))] == groups


def test_groups_of_very_different_sizes_are_counted():
    counts, truth = planted(n=1200, groups=5, strong=0.6)
    sizes = np.array([240, 240, 120, 60, 30])
    rank = np.array([np.count_nonzero(truth[:i] == group) for i, group in enumerate(truth)])
    assert cg.suggest_clusters(counts[np.flatnonzero(rank < sizes[truth])]).n_clusters == 5


@pytest.mark.parametrize("most", [5, 6, 12, 40, 500])
def test_the_suggestion_does_not_depend_on_the_largest_number_allowed(most):
    counts, _ = planted(n=300, groups=5)
    assert cg.suggest_clusters(counts, most=most) == cg.suggest_clusters(counts)


def test_many_groups_are_not_cut_off():
    counts, _ = planted(n=3000, groups=50, strong=0.8)
    assert 45 <= cg.suggest_clusters(counts).n_clusters <= 55


def test_where_there_is_no_clear_number_the_plausible_ones_are_listed_with_reasons():
    counts, _ = planted(n=600, groups=24)
    suggestion = cg.suggest_clusters(counts)
    assert not suggestion.is_clear
    numbers = [one.n_clusters for one in suggestion.plausible]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 3
    assert suggestion.n_clusters == numbers[1]
    first, *reasons = str(suggestion).splitlines()
    few, used, many = numbers
    assert (
        first
        == f"No clear number of groups; plausible ones are {few}, {used} and {many}. {used} is suggested."
    )
    assert reasons == [f"{one.n_clusters}: {one.reason}." for one in suggestion.plausible]
    assert "fewest" in reasons[0]
    assert "most separate" in reasons[1]
    assert all("two runs agree by" in reason for reason in reasons)


def test_where_there_are_no_groups_the_smallest_number_is_used_and_called_unclear():
    counts = np.random.default_rng(0).poisson(0.3, size=(300, 60)) + np.eye(300, 60)
    suggestion = cg.suggest_clusters(counts)
    assert suggestion.n_clusters == 2
    assert not suggestion.is_clear
    assert str(suggestion) == (
        "No clear number of groups; 2 is suggested.\n"
        "2: two runs do not find the same groups at any number, so this is the smallest one."
    )


def test_too_few_documents_are_refused():
    with pytest.raises(cg.errors.InputError, match="8 documents are too few to suggest"):
        cg.suggest_clusters(np.eye(8))


def test_a_limit_below_two_is_refused():
    for most in (1, 2.5, "many"):
        with pytest.raises(cg.errors.ParameterError, match="most must be a whole number of at least 2; got"):
            cg.suggest_clusters(planted()[0], most=most)
    with pytest.raises(cg.errors.ParameterError, match="least must be a whole number of at least 0; got 'a'"):
        cg.suggest_clusters(planted()[0], least="a")


def test_the_largest_number_allowed_is_used_where_there_are_more_groups():
    counts, _ = planted(n=480, groups=8)
    suggestion = cg.suggest_clusters(counts, most=6)
    assert (suggestion.n_clusters, suggestion.is_clear) == (6, False)
    assert suggestion.plausible[0].reason == "the largest number allowed; without this bound 8 groups"


def test_no_fewer_groups_than_have_a_name():
    suggestion = cg.suggest_clusters(planted()[0], least=12)
    assert suggestion.n_clusters == 12
    assert suggestion.plausible[0].reason == "the smallest number allowed; without this bound 4 groups"


def test_documents_that_are_no_neighbours_of_others_are_counted():
    # the last one has the largest number, and is nobody's neighbour
    merged = MergedGroups.of(np.array([0, 0, 1, 1]), np.arange(4), np.array([[1], [0], [1], [1]]))
    assert merged.scores[2] == pytest.approx(0.5 + 0.0 - (0.75**2 + 0.25**2))
    texts = ["cat dog mouse pet", "dog cat pet fur", "rocket moon orbit", "orbit moon nasa rocket"]
    texts += ["goal match team", "team match league goal"]
    assert cg.suggest_clusters(texts * 3).n_clusters >= 2


def test_groups_that_are_neighbours_are_merged_first():
    # groups 0 and 1 are neighbours of each other, and so are 2 and 3
    labels = np.repeat(np.arange(4), 3)
    partner = np.array([1, 0, 3, 2])
    neighbours = np.array(
        [[3 * partner[label], 3 * label + (row + 1) % 3] for row, label in enumerate(labels)]
    )
    merged = MergedGroups.of(labels, np.arange(12), neighbours)
    assert set(merged.merges) == {(0, 1), (2, 3)}
    assert merged.groups(2).tolist() == [0] * 6 + [2] * 6
    # all neighbours share a group, half of them by chance
    assert merged.scores[2] == pytest.approx(0.5)
    assert merged.scores[4] == pytest.approx(0.5 - 0.25)
