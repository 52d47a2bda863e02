import numpy as np
import pytest

from experiments.claims.every import every_claim
from experiments.published.inventory import INVENTORY
from experiments.runner.catalogue import find
from experiments.runner.claims import (
    EXCEEDED,
    NOT_COMPUTED,
    NOT_REPRODUCED,
    NOT_TESTABLE,
    REPRODUCED,
    Claim,
    Pair,
    chance,
    judge,
)
from experiments.runner.kept import Kept


def judged(tmp_path, above, below, published=None):
    kept = Kept("any", tmp_path)
    for key, values in (("a", above), ("b", below)):
        for seed, value in enumerate(values):
            kept.add(key, {"seed": seed, "nmi": value, "commit": "c"})
    return judge(Claim("0", "here", "a above b", "any", (Pair("a", "b", published),)), lambda _: kept)


LOW, HIGH = np.array([0.50, 0.52, 0.49, 0.51, 0.50]), np.array([0.60, 0.63, 0.58, 0.62, 0.61])


@pytest.mark.parametrize(
    ("above", "below", "published", "verdict"),
    [
        (HIGH, LOW, None, REPRODUCED),
        (HIGH, LOW, (0.55, 0.50), EXCEEDED),
        (HIGH, LOW, (0.70, 0.65), REPRODUCED),
        (HIGH, LOW, (0.55, 0.30), REPRODUCED),
        (LOW, HIGH, None, NOT_REPRODUCED),
        (LOW + np.array([0.1, -0.1, 0.1, -0.1, 0.01]), LOW, None, NOT_REPRODUCED),
        (HIGH, [], None, NOT_COMPUTED),
    ],
)
def test_the_verdict(tmp_path, above, below, published, verdict):
    assert judged(tmp_path, above, below, published).verdict == verdict


def test_a_claim_without_cells_cannot_be_tested(tmp_path):
    assert judge(Claim("0", "here", "something", why="no data"), lambda _: None).verdict == NOT_TESTABLE


def test_only_seeds_of_both_are_compared(tmp_path):
    assert judged(tmp_path, [*HIGH, 0.0], LOW).n_runs == 5


def test_chance():
    assert chance(np.zeros(4)) == 1.0
    assert chance(np.full(5, 0.1)) == 0.5**5
    assert chance(np.full(5, -0.1)) == 1.0
    assert chance(HIGH - LOW) == pytest.approx(1 / 32)


def test_there_are_enough_claims_of_every_paper_and_each_has_cells_or_a_reason():
    claims = every_claim()
    assert len(claims) >= 20
    assert {claim.paper for claim in claims} == {"000", "001", "002", "003", "004"}
    for claim in claims:
        assert (claim.experiment and claim.pairs) or claim.why


def test_claims_are_judged_by_cells_that_are_declared():
    for claim in every_claim():
        for pair in claim.pairs:
            assert find(claim.experiment).cell(pair.above)
            assert find(pair.other or claim.experiment).cell(pair.below)


def test_no_table_or_figure_is_left_out_in_silence():
    listed = {(item.paper, item.name) for item in INVENTORY}
    wanted = {
        "000": ["Figure 2", "Figure 3", "Figure 4", "Figure 5", "Figure 6", "Figure 7"],
        "001": ["Table 1", "Table 2", "Figure 2", "Figure 3", "Figure 4"],
        "002": ["Table 2", "Table 3", "Table 4", "Figure 2", "Figure 3", "Figure 4"],
        "003": ["Table 4", "Table 5", "Table 6", "Figure 4", "Figure 5", "Figure 6", "Figure 7", "Figure 8"],
        "004": ["Table 2", "Table 3", "Table 4", "Table 5", "Table 6", "Figure 2", "Figure 3", "Figure 4"],
    }
    assert {(paper, name) for paper, names in wanted.items() for name in names} == listed
    assert all(item.experiment or item.why for item in INVENTORY)


def test_a_seed_counts_once_however_many_pairs_it_is_in(tmp_path):
    kept = Kept("any", tmp_path)
    for key, values in (("a", HIGH), ("b", LOW), ("c", LOW)):
        for seed, value in enumerate(values):
            kept.add(key, {"seed": seed, "nmi": value, "commit": "c"})
    claim = Claim("0", "here", "a above b and c", "any", (Pair("a", "b"), Pair("a", "c")))
    found = judge(claim, lambda _: kept)
    assert found.n_runs == 5
    assert found.p == pytest.approx(1 / 32)
    assert (found.holds, found.n_pairs) == (2, 2)
