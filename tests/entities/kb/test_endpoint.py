"""An endpoint that hangs, refuses, cuts or answers rubbish: a clear error, and nothing finished is lost."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import threading
import time
from contextlib import closing, suppress
from urllib.parse import parse_qs

import pytest

from colligate.entities.kb import Cache, EndpointBase, EndpointError, KnowledgeBaseError, RequestPolicy
from colligate.entities.kb.endpoint import Answer, default_cache_path
from colligate.entities.kb.sparql import Entity
from colligate.errors import ParameterError, StoreError

from .misbehaving import send

QUICK = RequestPolicy(retries=2, backoff=0.01, pause=0, page_size=16, max_bytes=2048)
IMPATIENT = RequestPolicy(timeout=0.4, retries=2, backoff=0.01, pause=0)


def table(columns, rows):
    cells = [
        {name: {"type": "literal", "value": value} for name, value in zip(columns, row, strict=True)}
        for row in rows
    ]
    return json.dumps({"head": {"vars": columns}, "results": {"bindings": cells}}).encode()


def send_ids(*ids):
    return send(200, table(["x"], [(id,) for id in ids]))


def hang(handler, _):
    time.sleep(1.5)


def drip(handler, _):
    handler.send_response(200)
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.02)


def drip_headers(handler, _):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    drip_letters(handler)


def drip_refusal(handler, _):
    handler.send_response(503)
    handler.end_headers()
    drip_letters(handler)


def drip_letters(handler):
    with suppress(OSError):
        for _ in range(150):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.02)


def cut_off(handler, _):
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"head":')


ASKED = Entity("http://example.org/a")


@pytest.mark.parametrize(
    ("play", "message"),
    [
        (cut_off, "closed the connection or does not use HTTP"),
        (send(503, b"busy", "text/plain"), "refuses the request with 503 busy (tried 3 times)"),
        (
            send(404, b"nothing here", "text/plain"),
            "refuses the request with 404 nothing here; check the address",
        ),
        (send(403, b"", "text/plain"), "refuses the request with 403 Forbidden"),
        (send(302, b"", Location="https://elsewhere/sparql"), "has moved to 'https://elsewhere/sparql'"),
        (send(400, b"parse error at 1:3", "text/plain"), "does not understand the query (parse error at 1:3"),
        (
            send(200, b"<html>Welcome</html>", "text/html"),
            "returned no SPARQL result (text/html, '<html>Welcome",
        ),
        (send(200, b'{"head": {"vars": ["x"]}, "results": {"bindi'), "returned no SPARQL result"),
        (send(200, b'{"head": {}, "boolean": true}'), "returned no SPARQL result"),
        (send(200, b"[]"), "returned no SPARQL result"),
        (send(200, b"\xff\xfe\x00"), "returned no SPARQL result"),
        (send(200, b'{"head":{"vars":["x"]},"results":{"bindings":[{}]}}'), "rows with missing values"),
        (send(200, b" " * 5000), "more than 2,048 bytes"),
    ],
)
def test_misbehaviour_is_told(misbehaving, play, message):
    server = misbehaving(play)
    with pytest.raises(KnowledgeBaseError) as error:
        EndpointBase(server.url, policy=QUICK).ask(ASKED)
    assert str(error.value).startswith(server.url)
    assert message in str(error.value)


@pytest.mark.parametrize("play", [hang, drip, drip_headers, drip_refusal])
def test_no_answer_is_waited_for_without_end(misbehaving, play):
    with pytest.raises(EndpointError, match=r"did not answer within 0.4 seconds \(tried 3 times\)"):
        EndpointBase(misbehaving(play).url, policy=IMPATIENT).ask(ASKED)


def test_a_closed_port(misbehaving):
    server = misbehaving(hang)
    server.stop()
    with pytest.raises(EndpointError, match="cannot be reached: Connection refused"):
        EndpointBase(server.url, policy=QUICK).ask(ASKED)


def test_passing_trouble_is_waited_out(misbehaving):
    server = misbehaving(send(503, b""), cut_off, send_ids("http://example.org/a"))
    assert EndpointBase(server.url, policy=QUICK).ask(ASKED) == (("http://example.org/a",),)
    assert len(server.queries) == 3


def test_a_server_that_asks_for_time_gets_it(misbehaving):
    server = misbehaving(send(429, b"", Retry_After="1"), send_ids())
    policy = RequestPolicy(retries=1, backoff=0, pause=0, max_wait=0.3)
    EndpointBase(server.url, policy=policy).ask(ASKED)
    assert server.times[1] - server.times[0] >= 0.3


def test_requests_keep_their_distance(misbehaving):
    server = misbehaving(send_ids())
    base = EndpointBase(server.url, policy=RequestPolicy(pause=0.1))
    for _ in range(3):
        base.ask(ASKED)
    assert all(later - first >= 0.1 for first, later in zip(server.times, server.times[1:], strict=False))


def test_finished_work_is_kept(misbehaving, tmp_path):
    entities = [f"http://example.org/{number}" for number in range(4)]

    def answer(handler, body):
        head = next(entity for entity in entities if f"<{entity}>" in parse_qs(body)["query"][0])
        send(200, table(["head", "relation", "tail"], [(head, "http://r", head)]))(handler, body)

    server = misbehaving(answer, answer, send(404, b""), answer)
    pairs = [(entity, entity) for entity in entities]

    def base():
        policy = RequestPolicy(pause=0, batch_size=1)
        return EndpointBase(server.url, policy=policy, cache=Cache(tmp_path / "kept.sqlite"))

    with pytest.raises(EndpointError, match="404"):
        base().relations(pairs)
    assert base().relations(pairs) == dict.fromkeys(pairs, ("http://r",))
    assert len(server.queries) == 3 + 2


def test_rubbish_is_not_kept(misbehaving, tmp_path):
    server = misbehaving(send(200, b"rubbish"), send_ids("http://example.org/a"))
    base = EndpointBase(server.url, policy=QUICK, cache=Cache(tmp_path / "kept.sqlite"))
    with pytest.raises(EndpointError):
        base.ask(ASKED)
    assert base.ask(ASKED) == (("http://example.org/a",),)


@pytest.mark.parametrize(
    "rubbish",
    [
        table([], []),
        table(["n"], []),
        table(["n"], [("many",)]),
        table(["n"], [("-1",)]),
        table(["n"], [("1",), ("2",)]),
        table(["n", "m"], [("1", "1")]),
        table(["other"], [("1",)]),
    ],
)
def test_a_table_that_answers_another_query_is_told_and_not_kept(misbehaving, tmp_path, rubbish):
    server = misbehaving(send(200, rubbish))
    cache = Cache(tmp_path / "kept.sqlite")
    base = EndpointBase(server.url, policy=QUICK, cache=cache)
    for ask in (base.info, base.hierarchy, lambda: list(base.names())):
        with pytest.raises(EndpointError, match="returned no SPARQL result"):
            ask()
    assert not cache.path.exists()


def test_columns_may_come_in_another_order(misbehaving):
    row = ("http://example.org/b", "http://r", "http://example.org/a")
    server = misbehaving(send(200, table(["tail", "relation", "head"], [row])))
    pair = ("http://example.org/a", "http://example.org/b")
    assert EndpointBase(server.url, policy=QUICK).relations([pair]) == {pair: ("http://r",)}


def test_an_endpoint_that_cuts_its_answers_is_found_out(misbehaving):
    names = [(f"http://example.org/{number}", "name") for number in range(10)]
    server = misbehaving(send(200, table(["n"], [("10",)])), send(200, table(["entity", "text"], names[:7])))
    with pytest.raises(EndpointError, match=r"reports 10 rows, but returns 7\. It may limit answers"):
        list(EndpointBase(server.url, policy=QUICK).names())


def test_a_part_that_fills_a_page_is_asked_for_in_smaller_parts(misbehaving):
    entities = [f"http://example.org/{number}" for number in range(12)]
    hashes = {entity: hashlib.md5(entity.encode()).hexdigest() for entity in entities}

    def answer(handler, body):
        query = parse_qs(body)["query"][0]
        low = re.findall(r'>= "(\w+)"', query) or ["0"]
        high = re.findall(r'< "(\w+)"', query) or ["g"]
        rows = [(entity, "name") for entity in entities if low[0] <= hashes[entity] < high[0]]
        counted = send(200, table(["n"], [("12",)]))
        full = [*rows, *[(f"http://more/{number}", "name") for number in range(16)]]
        whole = low == ["0"] and high == ["g"]
        message = send(200, table(["entity", "text"], full[:16] if whole else rows))
        (counted if "COUNT" in query else message)(handler, body)

    server = misbehaving(answer)
    send_ids = [entity for entity, _ in EndpointBase(server.url, policy=QUICK).names()]
    assert send_ids == sorted(entities)
    assert len(server.queries) == 1 + 1 + 2


def test_a_batch_that_fills_a_page_is_halved(misbehaving):
    entities = [f"http://example.org/{number}" for number in range(8)]

    def answer(handler, body):
        query = parse_qs(body)["query"][0]
        asked = [entity for entity in entities if f"<{entity}>" in query]
        rows = [(entity, f"name {number}") for entity in asked for number in range(5)]
        send(200, table(["entity", "text"], rows[:16]))(handler, body)

    base = EndpointBase(misbehaving(answer).url, policy=QUICK, languages=["en"])
    names = base.labels(entities)
    assert [len(names[entity]) for entity in entities] == [5] * 8


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://host/x", "http://", "http:///x", "http://host:99999/", "http://ho st/", "http://host/\n"),
        *("http://a..b/sparql", f"http://{'a' * 64}.org/sparql"),
    ],
)
def test_addresses_that_are_none(url):
    with pytest.raises(EndpointError, match="is not the address of an endpoint"):
        EndpointBase(url)


def test_a_password_in_an_address_is_not_repeated():
    with pytest.raises(EndpointError) as error:
        EndpointBase("http://me:secret@host/sparql")
    assert "secret" not in str(error.value)


def test_policies_have_domains():
    with pytest.raises(ParameterError, match="page_size of an endpoint must be at least 16; got 0"):
        RequestPolicy(page_size=0)
    with pytest.raises(ParameterError, match="timeout"):
        RequestPolicy(timeout=float("nan"))
    for seconds in ("timeout", "pause", "backoff", "max_wait"):
        with pytest.raises(ParameterError, match=f"{seconds} of an endpoint must be at most 86400; got inf"):
            RequestPolicy(**{seconds: float("inf")})


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


def test_a_damaged_answer_in_the_cache(tmp_path):
    cache = Cache(tmp_path / "c")
    cache.put("http://a", "ASK {}", ANSWER)
    with closing(sqlite3.connect(cache.path)) as database, database:
        database.execute("UPDATE answers SET body = ?", (b"no answer",))
    with pytest.raises(StoreError, match=r"the cache .*/c cannot be used"):
        cache.get("http://a", "ASK {}")


def test_a_file_that_is_no_cache(tmp_path):
    (tmp_path / "c").write_bytes(b"something else entirely" * 100)
    with pytest.raises(StoreError, match=r"the cache .*/c cannot be used .*remove this file"):
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
