from __future__ import annotations

import threading

import pytest

from colligate.entities.kb.endpoint import Answer, Cache, default_cache_path
from colligate.errors import StoreError

ANSWER = Answer("application/sparql-results+json", b"{}" * 1000)


def test_an_answer_comes_back_as_it_was(tmp_path):
    cache = Cache(tmp_path / "deep" / "cache.sqlite")
    assert cache.get("http://a", "ASK {}") is None
    cache.put("http://a", "ASK {}", ANSWER)
    assert Cache(tmp_path / "deep" / "cache.sqlite").get("http://a", "ASK {}") == ANSWER
    assert cache.get("http://b", "ASK {}") is None
    assert cache.get("http://a", "ASK { }") is None


def test_old_answers_are_asked_for_anew(tmp_path):
    Cache(tmp_path / "c").put("u", "q", ANSWER)
    assert Cache(tmp_path / "c", days=0).get("u", "q") is None


def test_a_file_that_is_no_cache(tmp_path):
    (tmp_path / "c").write_bytes(b"something else entirely" * 100)
    with pytest.raises(StoreError, match=r"the cache .*/c cannot be used .*remove it"):
        Cache(tmp_path / "c").get("u", "q")


def test_threads_share_it(tmp_path):
    cache = Cache(tmp_path / "c")
    threads = [threading.Thread(target=cache.put, args=("u", str(number), ANSWER)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(cache.get("u", str(number)) == ANSWER for number in range(20))


def test_the_usual_place(monkeypatch, tmp_path):
    cache = Cache()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.get("u", "q") is None
    assert not cache.path.exists()
    cache.put("u", "q", ANSWER)
    assert cache.path.exists()
    assert default_cache_path() == tmp_path / "colligate" / "endpoints.sqlite"
