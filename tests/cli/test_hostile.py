"""Text, ids and names that try to be more than text."""

from __future__ import annotations

import json

import pytest

ATTACK = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / "docs.jsonl"
    lines = [
        {
            "id": f"{ATTACK}{n}",
            "text": f"{ATTACK} {'orbit moon nasa' if n % 2 else 'puck ice goalie'} [red]x[/red]",
        }
        for n in range(12)
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def test_the_report_shows_it_and_does_nothing_with_it(call, hostile, tmp_path):
    done = call("cluster", hostile, "-k", 2, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "alert(1)" in report
    assert "<script>alert" not in report
    assert "<img src=x" not in report


def test_the_terminal_gets_no_control_codes_and_no_markup(call, hostile, tmp_path):
    known = tmp_path / "k.yaml"
    names = {f"{ATTACK}{n}": "[bold]a\x1b[2Jb" if n % 2 else "calm" for n in range(12)}
    known.write_text(json.dumps({"documents": {"labels": names}}), encoding="utf-8")
    done = call("cluster", hostile, "-k", 2, "--knowledge", known, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "[bold]a\\x1b[2Jb" in done.stdout.replace("\n", "")
    assert "\x1b" not in done.output


def test_an_error_shows_hostile_names_as_text(call, docs, tmp_path):
    known = tmp_path / "k.yaml"
    known.write_text(json.dumps({"documents": {"labels": {"\x1b]0;owned\x07[red]": "a"}}}), encoding="utf-8")
    done = call("cluster", docs, "-k", 2, "--knowledge", known, "--out", tmp_path / "out")
    assert done.exit_code == 1
    assert "\x1b" not in done.stderr
    assert "[red]" in done.stderr
