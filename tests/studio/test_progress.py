"""What a run reports in progress: its stage, the share of its work, the time left, a first look."""

from __future__ import annotations

import pytest

from colligate.corpus import Corpus
from colligate.network import Network
from colligate.progress import Event
from colligate.studio.worker.first_look import find_first_groups
from colligate.studio.worker.meter import RunMeter
from tests.studio.helpers import PER_TOPIC, TOPICS, Watched, make_project, write_corpus


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self):
        return self.now


def sweep(number, restart=1, restarts=1):
    note = f"restart {restart} of {restarts}, iteration {number}, objective -2.5"
    return Event("clustering", restart - 1, restarts, note)


def test_the_share_grows_from_stage_to_stage_and_never_falls():
    meter = RunMeter(Clock())
    events = [
        Event("first look", 0, 1),
        Event("preparing", 0, 1),
        Event("starting", 0, 8),
        Event("starting", 7, 8),
        Event("starting", 0, 4),
        sweep(1),
        sweep(20),
        Event("drawing", 0, 1),
    ]
    shares = [meter.read(event)["share"] for event in events]
    assert shares == sorted(shares)
    assert 0 == shares[0] < shares[2] < shares[3] == shares[4] < shares[5] < shares[7] < 1


def test_the_time_left_follows_from_the_share_and_the_time_so_far():
    clock = Clock()
    meter = RunMeter(clock)
    assert meter.read(Event("first look", 0, 1))["left"] is None
    clock.now = 30.0
    done = meter.read(Event("starting", 4, 8))
    assert done["left"] == pytest.approx(30 * (1 - done["share"]) / done["share"], abs=0.1)


def test_a_method_without_several_starts_is_measured_by_its_iterations():
    meter = RunMeter(Clock())
    meter.read(Event("preparing", 1, 1))
    middle = meter.read(sweep(10, 3, 4))
    assert 0.5 < middle["share"] < 0.9
    assert (middle["restart"], middle["restarts"], middle["sweep"]) == (3, 4, 10)
    assert middle["objective"] == -2.5


def test_an_unknown_stage_is_passed_on():
    assert RunMeter(Clock()).read(Event("parsing", 3))["stage"] == "parsing"


def test_the_first_look_has_all_documents_and_the_words_of_their_topics(tmp_path):
    network = Network.from_corpus(Corpus.read(write_corpus(tmp_path / "docs.jsonl")))
    groups = find_first_groups(network, len(TOPICS))
    sizes = [group["size"] for group in groups]
    assert sum(sizes) == PER_TOPIC * len(TOPICS)
    assert sizes == sorted(sizes, reverse=True)
    assert len(groups) == len(TOPICS)
    for group in groups:
        assert set(group["words"]) <= set(" ".join(TOPICS.values()).split())


def test_no_first_look_where_there_are_too_few_documents():
    network = Network.from_corpus(Corpus.from_texts(["orbit moon", "orbit rocket", ""]))
    assert find_first_groups(network, 3) == []


@pytest.mark.slow
def test_the_first_groups_come_long_before_the_run_is_done(tmp_path):
    watched = Watched(make_project(tmp_path))
    try:
        assert watched.run(method="colligate")["status"] == "done"
        reported = [content for kind, content in watched.told if kind == "progress"]
        first = next(k for k, content in enumerate(reported) if "groups" in content)
        stages = [content["stage"] for content in reported[first + 1 :]]
        assert len(reported[first]["groups"]) == len(TOPICS)
        assert stages.index("preparing") < stages.index("starting") < stages.index("clustering")
        assert stages[-1] == "drawing"
        assert watched.session.progress is None
        watched.told.clear()
        assert watched.run()["status"] == "done"
        assert all("groups" not in content for kind, content in watched.told if kind == "progress")
    finally:
        watched.session.close()
