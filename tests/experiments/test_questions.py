"""The simulated user, and the page that tells of it."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import colligate as cg
from colligate.questions import LABEL, PAIR, WORD, Question
from experiments import questions, questions_page
from experiments.questions import (
    CORPORA,
    EXPERIMENT,
    POLICIES,
    PROPOSED,
    RANDOM_LABELS,
    RandomQuestions,
    User,
    find_named,
    key,
    list_missed_goals,
    list_policies,
    run_session,
)
from experiments.runner.store import StoredRuns
from tests.studio.helpers import write_corpus

COUNTS = csr_array(np.array([[1, 0, 2, 1], [0, 3, 1, 1], [1, 0, 1, 1], [2, 0, 0, 1]]))


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Four topics in the place of a corpus, and a quick method."""
    corpus = cg.Corpus.read(write_corpus(tmp_path / "docs.jsonl"))
    labels = np.array([name[0] for name in corpus.ids])
    monkeypatch.setattr(questions, "_read", lambda name, data: (cg.Network.from_corpus(corpus), labels))
    questions._fit_without_answers.cache_clear()
    yield tmp_path
    questions._fit_without_answers.cache_clear()


@pytest.mark.parametrize("policy", POLICIES)
def test_every_number_of_questions_has_its_figures(small, policy):
    figures = run_session("small", policy, small, 0, method="citcc", steps=(5, 12))
    assert figures["questions"] == 12
    for step in (5, 12):
        assert 0.0 <= figures[f"nmi_{step}"] <= 1.0
        assert 0.0 <= figures[f"accuracy_{step}"] <= 1.0
    assert run_session("small", policy, small, 0, method="citcc", steps=(5, 12)) == figures


def test_documents_that_an_answer_names_are_not_judged(small):
    figures = run_session("small", RANDOM_LABELS, small, 0, method="citcc", steps=(7,))
    assert figures["named"] == 7
    network, _ = questions._read("small", small)
    result = cg.make("citcc", n_clusters=4, random_state=0).fit(network).result_
    names = network.types["documents"].names
    known = cg.Knowledge().label({names[3]: "x"}).apart(documents=[(names[5], names[8])])
    known.category("x", words=[network.types["words"].names[0]])
    assert np.flatnonzero(find_named(known, result)).tolist() == [3, 5, 8]


def test_the_user_tells_the_truth():
    user = User.of(np.array(["a", "b", "a", "a"]), COUNTS)
    assert user.answer(Question(LABEL, (1,), (), 0.0)) == "b"
    assert user.answer(Question(PAIR, (0, 2), (), 0.0)) is True
    assert user.answer(Question(PAIR, (0, 1), (), 0.0)) is False
    about = [user.answer(Question(WORD, (word,), (), 0.0)) for word in range(4)]
    assert about == ["a", "b", "b", "a"]


def test_the_user_skips_words_of_all_classes():
    user = User.of(np.array(["a", "b", "c", "c"]), COUNTS)
    assert user.answer(Question(WORD, (3,), (), 0.0)) is None


def test_random_questions_are_about_nothing_twice():
    counts = csr_array(np.ones((30, 40)))
    ask = RandomQuestions((WORD, LABEL), counts, 0)
    asked = [question for _ in range(3) for question in ask(None, 20, None)]
    assert sorted(one.items[0] for one in asked if one.kind == LABEL) == list(range(30))
    assert len({one.items[0] for one in asked if one.kind == WORD}) == 30


def test_a_goal_is_missed_where_twenty_questions_gain_less_than_sixty_labels(tmp_path):
    kept = StoredRuns.of(EXPERIMENT, tmp_path)
    for corpus in CORPORA:
        for policy, gain in ((PROPOSED, 0.03), (RANDOM_LABELS, 0.02)):
            kept.add(
                key(corpus, policy), {"nmi_gain_20": gain, "nmi_gain_60": gain, "seed": 0, "commit": "x"}
            )
    assert list_missed_goals(kept) == []
    kept.add(key("WebKB", PROPOSED), {"nmi_gain_20": -0.05, "nmi_gain_60": 0.1, "seed": 1, "commit": "x"})
    assert len(list_missed_goals(kept)) == 2


def test_all_policies_are_measured_on_one_corpus():
    cells = {cell.key for cell in EXPERIMENT.cells}
    assert cells == {key(corpus, policy) for corpus in CORPORA for policy in list_policies(corpus)}
    assert list_policies("WebKB") == POLICIES


def test_a_table_is_shown_once_something_of_it_is_computed(tmp_path):
    kept = StoredRuns.of(EXPERIMENT, tmp_path)
    assert questions_page.list_computed(kept) == []
    kept.add(key("WebKB", RANDOM_LABELS), {"nmi_gain_20": 0.5, "seed": 0, "commit": "x"})
    shown = questions_page.list_computed(kept)
    assert [table.title for table in shown] == ["WebKB: gain of the documents in no answer"]


def test_the_page_is_what_the_stored_runs_say():
    text = questions_page.PAGE.read_text(encoding="utf-8")
    assert text == questions_page.insert_tables(text), "run `python -m experiments.questions_page`"
