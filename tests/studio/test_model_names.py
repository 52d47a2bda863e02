"""A language model names the groups of a session; a failure costs the names alone."""

from __future__ import annotations

import json
import re

import pytest

from colligate.result.descriptions import Prompt
from colligate.studio.server.handlers.groups import get_groups
from tests.questions.chat_server import refuse, say, serving
from tests.studio.helpers import TOPICS, Watched, make_project

pytestmark = pytest.mark.slow


class Call:
    """A request for the groups of a run."""

    def __init__(self, run):
        self.path = {"run": run}


def name(handler, prompt):
    words = re.findall(r"\w+", prompt.partition("typical of it:")[2].partition("\n")[0])
    topic = max(TOPICS, key=lambda topic: sum(word in TOPICS[topic].split() for word in words))
    say(json.dumps({"name": f"All about {topic}", "description": f"It is about {topic}."}))(handler, prompt)


def make_naming(url):
    return {
        "url": url,
        "model": "quick",
        "prompt": Prompt.read().text,
        "key_variable": "NO_KEY",
        "timeout": 20.0,
        "retries": 0,
    }


def watch(tmp_path, url):
    return Watched(make_project(tmp_path), naming=make_naming(url))


def test_the_page_has_names_sentences_and_words(tmp_path):
    with serving(name) as server:
        watched = watch(tmp_path, server.url)
        try:
            assert watched.run()["status"] == "done"
            groups = get_groups(watched.session, Call(1))
            asked = len(server.requests)
            assert watched.run()["status"] == "done"
            again = get_groups(watched.session, Call(2))
        finally:
            watched.session.close()
    assert {group["name"] for group in groups} == {f"All about {topic}" for topic in TOPICS}
    for group in groups:
        assert group["description"] == f"It is about {group['name'].removeprefix('All about ')}."
        assert group["described_by"] == "quick"
        assert group["words"][0]["word"] in group["word_name"]
    assert [group["name"] for group in again] == [group["name"] for group in groups]
    # groups that are still the same are not asked about again
    assert len(server.requests) == asked == 4


def test_a_name_of_the_user_comes_first_and_knowledge_goes_by_words(tmp_path):
    with serving(name) as server:
        watched = watch(tmp_path, server.url)
        try:
            watched.run()
            record = watched.session.current().record
            names = watched.session.project.names(record)
            group = record.identities[0]
            assert names.display(group).name == record.model_names[0]
            assert names.label(group) == record.words[0]
            assert names.find(record.model_names[0]) == group
            watched.session.record("name", {"group": group, "name": "mine"})
            assert watched.session.project.names(record).display(group).name == "mine"
        finally:
            watched.session.close()


def test_a_server_that_refuses_costs_the_names_alone(tmp_path):
    with serving(refuse(401, "no")) as server:
        watched = watch(tmp_path, server.url)
        try:
            assert watched.run()["status"] == "done"
            record = watched.session.current().record
            groups = get_groups(watched.session, Call(1))
        finally:
            watched.session.close()
    assert [text for text in record.warnings if "refuses the request with 401" in text]
    assert [group["name"] for group in groups] == list(record.words)
    assert {group["description"] for group in groups} == {""}


def test_without_a_model_nothing_is_asked(tmp_path):
    watched = Watched(make_project(tmp_path))
    try:
        watched.run()
        assert set(watched.session.current().record.model_names) == {""}
        assert not (watched.session.project.folder / "names.json").exists()
    finally:
        watched.session.close()
