"""The calls of BERTopic beside ours: our side runs, and the page says what the stored run gave."""

import json
import warnings
from datetime import datetime
from pathlib import Path

import pytest

from experiments.comparison.bertopic_calls import (
    ABSENT,
    FAILS,
    PAGE,
    WORKS,
    compose_page,
    describe_value,
    name_by_prompt,
    name_documents,
    read_outcomes,
    run_call,
    run_ours,
    serve_words,
)
from experiments.comparison.calls import BETTER, CALLS, DIFFERENT, NOT, SAME

NEWS = Path(__file__).parents[2] / "examples" / "data" / "news.jsonl"


def test_there_are_fifty_calls_and_a_reason_where_we_have_none():
    assert len({call.name for call in CALLS}) == len(CALLS) == 50
    for call in CALLS:
        assert call.theirs
        assert call.verdict in (SAME, BETTER, DIFFERENT, NOT)
        assert bool(call.ours) == (call.verdict != NOT)
        assert call.note or call.verdict == SAME


@pytest.mark.slow
def test_our_side_of_every_call_runs(tmp_path):
    news = [json.loads(line) for line in NEWS.read_text(encoding="utf-8").splitlines()]
    texts = [f"{one['text']} oil opec rate bank" if k % 9 == 0 else one["text"] for k, one in enumerate(news)]
    moments = [datetime.fromisoformat(one["date"]) for one in news]
    documents = name_documents(texts, moments, [one["section"] for one in news], 60)
    with serve_words() as server, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes = run_ours(documents, server, tmp_path)
    for call in CALLS:
        assert outcomes[call.name]["outcome"] == (WORKS if call.ours else ABSENT), (call, outcomes[call.name])


def test_the_page_is_made_of_the_stored_run():
    stored = read_outcomes()
    assert set(stored["calls"]) == {call.name for call in CALLS}
    assert PAGE.read_text(encoding="utf-8") == compose_page(stored)
    for call in CALLS:
        assert stored["calls"][call.name]["theirs"]["outcome"] == WORKS, call


def test_what_fails_or_is_absent_is_told():
    assert run_call("1 / 0", {}) == {"outcome": FAILS, "fact": "ZeroDivisionError: division by zero"}
    assert run_call("[].figures", {})["outcome"] == ABSENT
    assert run_call("", {}) == {"outcome": ABSENT}
    assert describe_value([("oil", 0.5), ("opec", 0.2)]) == "2 entries: oil; opec"


def test_the_server_replies_in_the_form_of_the_prompt():
    words = "These words are typical of it: oil, opec, bpd, barrel, crude"
    assert json.loads(name_by_prompt(f'{words}\n{{"name": "…"}}'))["name"] == "About oil, opec, bpd"
    assert name_by_prompt(words) == "topic: About oil, opec, bpd"
