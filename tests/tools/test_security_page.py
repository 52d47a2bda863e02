"""SECURITY.md: every test and log that it names exists, and the logs show what it says."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
TESTS = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", PAGE)


def test_the_page_names_a_test_for_every_row():
    rows = [line for line in PAGE.splitlines() if "tests/" in line and line.startswith("| ")]
    assert len(rows) >= 17
    assert all(re.search(r"::test_\w+`", row) for row in rows)


@pytest.mark.parametrize(("path", "name"), TESTS)
def test_every_test_on_the_page_exists(path, name):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_the_log_of_inputs_has_a_million_through_every_door_and_no_finding():
    from tools.fuzz.__main__ import SHARES

    log = json.loads((ROOT / "tools/fuzz/log.json").read_text(encoding="utf-8"))
    assert log["inputs"] >= 1_000_000
    assert log["findings"] == 0
    assert set(SHARES) <= set(log["by_door"])


def test_the_log_of_faults_has_five_hundred_and_no_finding():
    from tools.faults.scenarios import SCENARIOS

    log = json.loads((ROOT / "tools/faults/log.json").read_text(encoding="utf-8"))
    assert log["faults"] >= 500
    assert log["findings"] == []
    assert set(SCENARIOS) == set(log["by_scenario"])
