"""Words are judged by the group that they were said to be about, or not about: is the word typical of it?"""

from __future__ import annotations

import pytest

from colligate.cli.options import DEFAULT_METHOD
from colligate.corpus import Corpus
from colligate.studio.actions.state import RunState
from colligate.studio.outcomes import judge_statements
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from tests.studio.helpers import TOPICS, Watched, write_corpus


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words")
    docs = write_corpus(folder / "docs.jsonl")
    settings = Settings(str(docs), hash_input(docs), DEFAULT_METHOD, 4)
    watched = Watched(Project.create(folder / "docs.jsonl.studio", Corpus.read(docs), settings))
    assert watched.run()["status"] == "done"
    yield watched
    watched.session.close()


def home(view, topic):
    return int(view.identities[view.row_of[f"{topic[0]}0"]])


def judge(studio, kind, body):
    """State, cluster, and return the outcome in the studio and the status of the line in the report."""
    session = studio.session
    entry = session.record(kind, body)
    assert studio.run()["status"] == "done"
    view = session.view()
    entries = session.project.journal.live_at(view.record.seq)
    outcome = judge_statements(RunState(view, session.project.names(view.record), entries))[entry.seq]
    audit = view.result.audit()
    lines = map(audit.statement, range(len(audit)))
    session.undo()
    return outcome, next(line.status for line in lines if line.kind == kind)


def test_no_is_broken_while_the_word_is_typical_of_the_group(studio):
    view = studio.session.view()
    space = home(view, "space")
    lead, word = TOPICS["space"].split()[:2]
    outcome, status = judge(studio, "apart", {"type": "words", "items": [word, lead], "group": space})
    assert (outcome.verdict, status) == ("broken", "broken")
    assert outcome.reason.startswith(f"it is typical of group {space}, ")


def test_no_is_kept_if_the_word_is_not_typical_of_the_group(studio):
    view = studio.session.view()
    body = {"type": "words", "items": ["bread", "orbit"], "group": home(view, "space")}
    outcome, status = judge(studio, "apart", body)
    assert (outcome.verdict, outcome.reason, status) == ("kept", "", "kept")


@pytest.mark.parametrize(("topic", "verdict"), [("food", "broken"), ("space", "kept")])
def test_yes_is_kept_only_if_the_word_is_typical_of_the_group(studio, topic, verdict):
    view = studio.session.view()
    # the documents with the word stay in their group, so the word stays typical of it
    studio.session.record("freeze", {"group": home(view, topic)})
    outcome, status = judge(
        studio, "category", {"group": home(view, "space"), "word": TOPICS[topic].split()[0]}
    )
    studio.session.undo()
    assert (outcome.verdict, status) == (verdict, verdict)
