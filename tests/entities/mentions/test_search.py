import gc
import os
import weakref

import numpy as np
import pytest

from colligate.entities.mentions.gazetteer import Gazetteer
from colligate.entities.mentions.search import MentionFinder, SearchCheckpoint, find_mentions, map_in_order
from colligate.errors import CancelledError, ColligateError, StoreError

MINE = "ab" * 32


@pytest.fixture
def finder(base):
    return MentionFinder(Gazetteer(base.names()))


@pytest.fixture
def texts():
    lines = ["We like Apple and IBM.", "", "in Seattle, apple", "Bill Gates of Microsoft"]
    return [f"{number}: {lines[number % 4]}" for number in range(1001)]


def test_documents_are_found_in_their_order_and_told_of(finder, texts):
    events = []
    mentions = find_mentions(finder, texts, jobs=1, listener=events.append)
    first = [texts[row[0]][row[2] : row[3]] for row in mentions.hits.tolist()[:5]]
    assert first == ["Apple", "IBM", "Seattle", "Bill Gates", "Microsoft"]
    assert mentions.lowercase[:, 1].sum() == 250
    assert (np.diff(mentions.document) >= 0).all()
    assert (events[-1].done, events[-1].total) == (1001, 1001)


def test_the_same_with_any_number_of_processes(finder, texts):
    alone = find_mentions(finder, texts, jobs=1)
    for jobs in (2, 3, -1):
        several = find_mentions(finder, texts, jobs=jobs)
        np.testing.assert_array_equal(alone.hits, several.hits)
        np.testing.assert_array_equal(alone.lowercase, several.lowercase)


def test_stopped_work_goes_on(finder, texts, tmp_path):
    path = tmp_path / "kept.npz"
    asked = iter([False, True])
    with pytest.raises(CancelledError, match="after 400 documents"):
        find_mentions(
            finder, texts, jobs=1, checkpoint=SearchCheckpoint(path, MINE), cancelled=lambda: next(asked)
        )
    done, _ = SearchCheckpoint(path, MINE).load()
    assert done == 400
    events = []
    mentions = find_mentions(
        finder, texts, jobs=1, checkpoint=SearchCheckpoint(path, MINE), listener=events.append
    )
    assert events[0].done == 600
    np.testing.assert_array_equal(mentions.hits, find_mentions(finder, texts, jobs=1).hits)


def test_the_work_of_others_and_damaged_work_is_refused(finder, texts, tmp_path):
    path = tmp_path / "kept.npz"
    find_mentions(finder, texts[:10], jobs=1, checkpoint=SearchCheckpoint(path, MINE))
    with pytest.raises(StoreError, match="is from a run with other documents"):
        SearchCheckpoint(path, "cd" * 32).load()
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(StoreError, match="damaged"):
        SearchCheckpoint(path, MINE).load()


def test_an_error_in_a_process_comes_through(texts):
    with pytest.raises(AttributeError):
        find_mentions(MentionFinder(None), texts, jobs=2)  # type: ignore[arg-type]


class Doubling:
    def __call__(self, number):
        return 2 * number


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_the_order_of_the_batches(jobs):
    assert list(map_in_order(Doubling(), range(30), jobs)) == list(range(0, 60, 2))


def test_nothing_of_the_work_stays_in_memory():
    work = Doubling()
    left = weakref.ref(work)
    assert list(map_in_order(work, [1, 2], 2)) == [2, 4]
    del work
    gc.collect()
    assert left() is None


def test_a_process_that_is_ended_from_outside_is_told():
    def end(_):
        os._exit(1)

    with pytest.raises(ColligateError, match=r"was killed, .* to use fewer processes, lower n_jobs"):
        list(map_in_order(end, range(3), 2))


def test_a_process_that_is_ended_at_its_start_is_told(monkeypatch):
    monkeypatch.setattr("colligate.entities.mentions.search._ignore_interrupts", _end_process)
    with pytest.raises(ColligateError, match=r"was killed, .* to use fewer processes, lower n_jobs"):
        list(map_in_order(Doubling(), range(30), 2))


def _end_process():
    os._exit(1)


def test_without_a_thread_for_a_pool_the_search_goes_on_in_this_process(monkeypatch):
    def refuse(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refuse)
    assert list(map_in_order(Doubling(), range(5), 2)) == [0, 2, 4, 6, 8]
