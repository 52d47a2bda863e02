import numpy as np
import pytest

from experiments.claims import all_claims, paper001
from experiments.claims.paper001 import LINKS, RIVALS
from experiments.published.inventory import INVENTORY
from experiments.runner.claims import (
    EXCEEDED,
    NOT_COMPUTED,
    NOT_REPRODUCED,
    NOT_TESTABLE,
    REPRODUCED,
    Claim,
    Pair,
    correct_p_values,
    judge,
    p_value,
)
from experiments.runner.experiment import load_experiment
from experiments.runner.store import RESULTS, StoredRuns
from experiments.runner.tables import paired_gains


def judged(tmp_path, above, below, published=None):
    kept = StoredRuns("any", tmp_path)
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
    assert p_value(np.zeros(4)) == 1.0
    assert p_value(np.full(5, 0.1)) == 0.5**5
    assert p_value(np.full(5, -0.1)) == 1.0
    assert p_value(HIGH - LOW) == pytest.approx(1 / 32)


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        # all ranks are positive: one of 2⁶ signs
        ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 1 / 64),
        # the least rank is negative: two of 2⁶
        ([-0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 2 / 64),
        # of four tied ranks one is negative: five of 2⁴; the zero is left out
        ([0.0, -0.1, 0.1, 0.1, 0.1], 5 / 16),
    ],
)
def test_signed_ranks_are_tested_exactly(differences, p):
    assert p_value(np.array(differences)) == p


def test_there_are_enough_claims_of_every_paper_and_each_has_cells_or_a_reason():
    claims = all_claims()
    assert len(claims) >= 20
    assert {claim.paper for claim in claims} == {"000", "001", "002", "003", "004"}
    for claim in claims:
        assert (claim.experiment and claim.pairs) or claim.why


def test_claims_are_judged_by_cells_that_are_declared():
    for claim in all_claims():
        for each in (claim, claim.as_printed()):
            for pair in each.pairs:
                assert load_experiment(each.experiment).cell(pair.above)
                assert load_experiment(pair.other or each.experiment).cell(pair.below)


def test_a_column_as_the_paper_had_it_says_what_is_the_papers():
    assert any(claim.printed for claim in all_claims())
    for claim in all_claims():
        assert bool(claim.printed) == bool(claim.printed_how)
        assert not claim.printed or claim.printed != claim.pairs


def test_links_of_names_are_measured_against_the_same_method_without():
    """`kmeans` is no baseline of `ckmeans`, which compares directions even without links."""
    baselines = [
        (linked, bare)
        for claim in paper001.NAME_CLAIMS
        for pair in (*claim.pairs, *claim.printed)
        for linked, bare in (
            [(pair.above, pair.below)]
            if pair.over is None
            else [(pair.above, pair.over[0]), (pair.below, pair.over[1])]
        )
        if linked.startswith("ckmeans") and bare.endswith("no links")
    ]
    assert len(baselines) >= 4
    assert {bare for _, bare in baselines} == {"ckmeans | no links"}


def test_p_values_are_corrected_by_holm():
    """The example of Holm (1979): .01, .04, .03 and .005 of four tests."""
    assert correct_p_values([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    corrected = correct_p_values([0.6, float("nan"), 0.9])
    assert corrected[0] == corrected[2] == 1.0
    assert np.isnan(corrected[1])
    assert correct_p_values([0.04]) == [0.04]


def test_the_parts_of_a_judgement_are_its_pairs(tmp_path):
    kept = stored(tmp_path, a=HIGH, b=LOW, c=HIGH + 0.01)
    pairs = (Pair("a", "b"), Pair("a", "c"))
    parts = judge(Claim("0", "here", "", "any", pairs), kept).parts
    assert [part.pair for part in parts] == list(pairs)
    assert parts[0].gain == pytest.approx(float((HIGH - LOW).mean()))
    assert parts[1].gain == pytest.approx(-0.01)
    assert [part.n_runs for part in parts] == [5, 5]


def test_no_table_or_figure_is_left_out_in_silence():
    listed = {(item.paper, item.name) for item in INVENTORY}
    wanted = {
        "000": {"Table": 1, "Figure": 7},
        "001": {"Table": 2, "Figure": 4},
        "002": {"Table": 4, "Figure": 4},
        "003": {"Table": 6, "Figure": 8},
        "004": {"Table": 7, "Figure": 4},
    }
    assert listed == {
        (paper, f"{kind} {number}")
        for paper, kinds in wanted.items()
        for kind, count in kinds.items()
        for number in range(1, count + 1)
    }
    assert len(listed) == len(INVENTORY)
    assert all(item.experiment or item.why for item in INVENTORY)


def test_a_seed_counts_once_however_many_pairs_it_is_in(tmp_path):
    kept = StoredRuns("any", tmp_path)
    for key, values in (("a", HIGH), ("b", LOW), ("c", LOW)):
        for seed, value in enumerate(values):
            kept.add(key, {"seed": seed, "nmi": value, "commit": "c"})
    claim = Claim("0", "here", "a above b and c", "any", (Pair("a", "b"), Pair("a", "c")))
    judgement = judge(claim, lambda _: kept)
    assert judgement.n_runs == 5
    assert judgement.p == pytest.approx(1 / 32)
    assert (judgement.holds, judgement.n_pairs) == (2, 2)


def stored(tmp_path, **cells):
    """What is kept of cells, each with a value of `nmi` for every seed."""
    kept = StoredRuns("any", tmp_path)
    for name, values in cells.items():
        for seed, value in enumerate(values):
            kept.add(name, {"seed": seed, "nmi": value, "words": 1 - value, "commit": "c"})
    return lambda _: kept


def test_a_claim_of_most_pairs_need_not_hold_on_all(tmp_path):
    kept = stored(tmp_path, a=HIGH, b=LOW, c=HIGH + 0.01)
    pairs = (Pair("a", "b"), Pair("a", "b"), Pair("a", "c"))
    judgements = {
        most: judge(Claim("0", "here", "", "any", pairs, most=most), kept) for most in (False, True)
    }
    assert judgements[False].verdict == NOT_REPRODUCED
    assert judgements[True].verdict == REPRODUCED
    assert judgements[True].holds == judgements[False].holds == 2
    half = Claim("0", "here", "", "any", (Pair("a", "b"), Pair("a", "c")), most=True)
    assert judge(half, kept).verdict == NOT_REPRODUCED


def test_a_claim_may_allow_a_small_loss_and_tells_it(tmp_path):
    kept = stored(tmp_path, a=HIGH, c=HIGH + 0.01)
    assert judge(Claim("0", "here", "", "any", (Pair("a", "c"),)), kept).verdict == NOT_REPRODUCED
    judgement = judge(Claim("0", "here", "", "any", (Pair("a", "c"),), within=0.02), kept)
    assert judgement.verdict == REPRODUCED
    assert judgement.gain == pytest.approx(-0.01)


def test_how_often_a_cell_is_above_its_own(tmp_path):
    mixed = LOW + np.array([0.5, 0.5, -0.1, -0.1, 0])
    kept = stored(tmp_path, a=LOW + 0.001, b=mixed, bare=LOW)
    judgement = judge(Claim("0", "here", "", "any", (Pair("a", "b", over=("bare", "bare")),)), kept)
    assert judgement.gain == pytest.approx(1.0)


def test_two_figures_of_one_cell(tmp_path):
    kept = stored(tmp_path, a=HIGH)
    judgement = judge(Claim("0", "here", "", "any", (Pair("a", "a", figure="words"),)), kept)
    assert judgement.gain == pytest.approx(np.mean(2 * HIGH - 1))


def test_why_citcc_is_not_above_its_rivals_is_what_is_stored():
    """Below 5,000 links it is; from there on links alone decide, and all are at or near 1."""
    kept = StoredRuns("paper001", RESULTS)
    for rival in RIVALS.values():
        rows = [
            paired_gains(*(kept.values(paper001.key(method, n), "nmi") for method in ("citcc", rival)))
            for n in LINKS
        ]
        assert p_value(np.mean(rows[:4], axis=0)) < 0.05
        assert min(np.mean(row) for row in rows[:4]) > 0
        assert min(np.mean(row) for row in rows[4:]) <= 0
        for links in LINKS[4:]:
            assert np.mean(list(kept.values(paper001.key(rival, links), "nmi").values())) > 0.99


def test_links_on_words_are_judged_at_every_number_of_links():
    claims = {claim.says: claim for claim in all_claims() if claim.where == "Figure 3"}
    words = claims["links on words help CITCC, at any number of links on documents"]
    pairs = {(pair.above, pair.below) for pair in words.pairs}
    assert pairs == {
        (paper001.key("citcc", n, many), paper001.key("citcc", n)) for n in LINKS for many in (5_000, 10_000)
    }


def test_claims_on_other_data_than_the_papers_say_so():
    for claim in all_claims():
        if claim.experiment == "paper000":
            keys = {pair.above.split(" | ")[0] for pair in claim.pairs}
            assert ("CSTR" not in keys) or "475" in claim.why
            assert ("DBLP authors" not in keys) or "four areas instead of nine" in claim.why


def test_what_is_not_published_of_the_margin_paper_is_not_asked():
    claims = {claim.says: claim for claim in all_claims() if claim.paper == "004"}
    assert len(claims["M2DCU is above PLSA on the four sets where it is so published, NMI"].pairs) == 4
    for claim in claims.values():
        for pair in claim.pairs:
            assert pair.published is None or pair.published[0] > pair.published[1]
