"""The simulated user, and the page that tells of it."""

import numpy as np
import pytest

from colligate.questions import LABEL, PAIR, Question
from experiments import questions, questions_page
from experiments.questions import (
    EXPERIMENT,
    POLICIES,
    STEPS,
    RandomQuestions,
    User,
    key,
    list_missed_goals,
    run_session,
)
from experiments.runner.store import StoredRuns
from tests.studio.helpers import TOPICS, write_corpus


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Four topics in the place of a corpus, and a quick method."""
    import colligate as cg

    corpus = cg.Corpus.read(write_corpus(tmp_path / "docs.jsonl"))
    labels = np.array([name[0] for name in corpus.ids])
    monkeypatch.setattr(questions, "_read", lambda name, data: (cg.Network.from_corpus(corpus), labels))
    questions._fit_without_answers.cache_clear()
    yield tmp_path
    questions._fit_without_answers.cache_clear()


@pytest.mark.parametrize("form", [LABEL, PAIR])
@pytest.mark.parametrize("policy", POLICIES)
def test_every_number_of_answers_has_its_figure(small, form, policy):
    figures = run_session("small", form, policy, small, 0, method="citcc", steps=(0, 5, 12))
    assert {"nmi_0", "nmi_5", "nmi_12"} <= figures.keys()
    assert figures["answers"] == 12
    assert all(0.0 <= figures[f"nmi_{step}"] <= 1.0 for step in (0, 5, 12))
    assert run_session("small", form, policy, small, 0, method="citcc", steps=(0, 5, 12)) == figures


def test_the_user_tells_the_truth():
    user = User(np.array(["a", "b", "a"]))
    assert user.answer(Question(LABEL, (1,), (), 0.0)) == "b"
    assert user.answer(Question(PAIR, (0, 2), (), 0.0)) is True
    assert user.answer(Question(PAIR, (0, 1), (), 0.0)) is False


def test_random_questions_are_about_no_document_twice():
    ask = RandomQuestions(LABEL, 30, 0)
    documents = [one.items[0] for _ in range(3) for one in ask(None, 10, None)]
    assert sorted(documents) == list(range(30))
    assert len(TOPICS) == 4


def test_a_goal_is_missed_where_half_the_answers_are_worse(tmp_path):
    kept = StoredRuns.of(EXPERIMENT, tmp_path)
    for corpus in questions.CORPORA:
        for form, steps in STEPS.items():
            for policy, gain in zip(POLICIES, (0.0, 0.2), strict=True):
                run = {f"nmi_{step}": 0.5 + gain for step in steps}
                kept.add(key(corpus, form, policy), {**run, "seed": 0, "commit": "x"})
    assert list_missed_goals(kept) == []
    worse = {f"nmi_{step}": 0.4 for step in STEPS[LABEL]}
    kept.add(key("WebKB", LABEL, "proposed"), {**worse, "seed": 0, "commit": "x"})
    assert len(list_missed_goals(kept)) == len(STEPS[LABEL]) - 2


def test_labels_are_asked_on_every_corpus_and_pairs_on_one():
    cells = {cell.key for cell in EXPERIMENT.cells}
    wanted = [(corpus, LABEL) for corpus in questions.CORPORA] + [("WebKB", PAIR)]
    assert cells == {key(*one, policy) for one in wanted for policy in POLICIES}


def test_a_table_is_shown_once_something_of_it_is_computed(tmp_path):
    kept = StoredRuns.of(EXPERIMENT, tmp_path)
    assert questions_page.list_computed(kept) == []
    kept.add(key("WebKB", PAIR, "random"), {"nmi_0": 0.5, "seed": 0, "commit": "x"})
    assert [shown.title for shown in questions_page.list_computed(kept)] == ["WebKB: together?"]


def test_the_page_is_what_the_stored_runs_say():
    text = questions_page.PAGE.read_text(encoding="utf-8")
    assert text == questions_page.insert_tables(text), "run `python -m experiments.questions_page`"
