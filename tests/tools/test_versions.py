"""The lanes with other versions: which Python they take, and that CI runs them."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from tools import versions

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PRESENT = sys.version_info[:2]
NEWER = (PRESENT[0], PRESENT[1] + 1)


def test_the_oldest_python_is_the_one_that_the_package_requires():
    assert PROJECT["requires-python"] == f">={'.'.join(map(str, versions.OLDEST))}"


def test_the_package_claims_the_pythons_that_a_lane_ran():
    runs = json.loads(versions.STORED.read_text(encoding="utf-8"))
    ran = {run["python"].rpartition(".")[0] for run in runs.values()}
    prefix = "Programming Language :: Python :: 3."
    assert {
        f"3.{one.removeprefix(prefix)}" for one in PROJECT["classifiers"] if one.startswith(prefix)
    } <= ran
    required = {re.match(r"[\w.-]+", requirement)[0] for requirement in PROJECT["dependencies"]}
    assert all(set(run["packages"]) <= required and run["tests"] for run in runs.values())


def test_a_python_can_be_named(monkeypatch):
    taken = []
    monkeypatch.setattr(versions, "run_tests", lambda lane, python, folder: taken.append((lane, python)) or 1)
    monkeypatch.setattr(versions.importlib.util, "find_spec", lambda name: True)
    assert versions.main(["newest", "--python", "/opt/python3.14", "--store"]) == 1
    assert taken == [("newest", "/opt/python3.14")]


def test_tests_of_the_lanes_exist():
    assert [path for path in versions.TESTS if not (ROOT / path).exists()] == []


def test_ci_runs_every_lane():
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert "lanes=(lowest newest)" in script
    assert 'python -m tools.versions "$lane"' in script


def test_the_lowest_versions_are_tried_with_the_oldest_python():
    assert versions.choose_python("lowest", {versions.OLDEST: "old", NEWER: "new"}) == "old"
    assert versions.choose_python("lowest", {NEWER: "new"}) is None


def test_the_newest_versions_are_tried_with_a_newer_python_only():
    assert versions.choose_python("newest", {PRESENT: "present", NEWER: "new"}) == "new"
    assert versions.choose_python("newest", {PRESENT: "present"}) is None
    assert versions.choose_python("newest", {}) is None


@pytest.mark.parametrize("lane", ["lowest", "newest"])
def test_a_lane_without_its_python_is_skipped_with_a_line(lane, monkeypatch, capsys):
    monkeypatch.setattr(versions, "find_pythons", dict)
    assert versions.main([lane]) == 0
    assert capsys.readouterr().out.startswith(f"{lane}: skipped, because this machine has no ")


def test_pythons_that_do_not_start_are_left_out(monkeypatch, tmp_path):
    shim = tmp_path / "versions" / "3.12.99" / "bin" / "python3.12"
    shim.parent.mkdir(parents=True)
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert versions.find_pythons() == {}
    shim.write_text("#!/bin/sh\nexit 0\n")
    assert versions.find_pythons() == {(3, 12): str(shim)}
