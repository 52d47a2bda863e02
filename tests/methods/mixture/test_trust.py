import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

import colligate as cg

from ..planted_documents import planted


def fit(knowledge, seed=0):
    counts, truth = planted(strong=0.4)
    return cg.make("colligate", n_clusters=4, random_state=seed).fit(
        counts, knowledge=knowledge
    ).result_, truth


def test_wrong_labels_are_trusted_less_and_said_to_disagree():
    _, truth = planted()
    told = {number: f"g{truth[number]}" for number in range(40)}
    for number in (0, 1, 2, 3):
        told[number] = f"g{(truth[number] + 1) % 4}"
    result, _ = fit(cg.Knowledge().label(told))
    wrong, right = result.trust[:4], result.trust[4:]
    assert wrong.max() < 0.5 < 0.9 < right.min()
    notes = [result.audit().statement(number).note for number in range(40)]
    assert all("disagrees with everything else" in note for note in notes[:4])
    assert not any("disagrees" in note for note in notes[4:])
    (source,) = result.audit().sources()
    assert (source.statements, source.doubtful) == (40, 4)


def test_wrong_links_are_trusted_less():
    _, _truth = planted()
    right = [(i, i + 4) for i in range(0, 60, 2)]
    wrong = [(i, i + 1) for i in range(100, 112, 2)]
    result, _ = fit(cg.Knowledge().together(documents=right + wrong))
    assert result.trust[: len(right)].min() > 0.5 > result.trust[len(right) :].max()


def test_wrong_seed_words_are_trusted_less():
    knowledge = cg.Knowledge()
    for group in range(4):
        words = [30 * group + i for i in range(5)]
        knowledge = knowledge.category(f"g{group}", words=[*words, 30 * ((group + 1) % 4) + 10])
    result, _ = fit(knowledge)
    audit = result.audit()
    wrong = [audit.statement(i).trust for i in range(len(audit)) if i % 6 == 5]
    right = [audit.statement(i).trust for i in range(len(audit)) if i % 6 != 5]
    assert max(wrong) < min(right)


@pytest.mark.parametrize("wrong", [0.2, 0.4])
def test_wrong_labels_do_not_spoil_the_others(wrong):
    _, truth = planted()
    rng = np.random.default_rng(0)
    told = {
        number: f"g{(truth[number] + (rng.random() < wrong) * rng.integers(1, 4)) % 4}"
        for number in range(60)
    }
    result, _ = fit(cg.Knowledge().label(told))
    others = np.arange(60, 240)
    assert normalized_mutual_info_score(result.labels["documents"][others], truth[others]) > 0.8


def test_without_statements_there_is_no_trust_to_tell():
    result, _ = fit(None)
    assert result.trust is None
    assert result.audit().sources() == ()
    assert result.stability.shape == (240,)
    assert result.stability.mean() > 0.9


def test_statements_too_few_to_be_judged_have_no_trust():
    result, _ = fit(cg.Knowledge().label({0: "a", 1: "b"}))
    assert result.trust is None
    assert result.audit().statement(0).trust is None


def test_one_run_or_a_start_of_ones_own_judges_nothing():
    counts, truth = planted(strong=0.4)
    knowledge = cg.Knowledge().label({number: f"g{truth[number]}" for number in range(40)})
    for parameters in ({"n_ensemble": 1}, {"init": truth.astype(np.int64)}):
        model = cg.make("colligate", n_clusters=4, random_state=0, **parameters)
        assert model.fit(counts, knowledge=knowledge).result_.trust is None
