"""`colligate doctor` reports what is there, and one line for each problem."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from colligate.cli.doctor import _check_package, _is_within, find_machine_problems, list_extras, list_packages
from colligate.version import __version__

FINE = {"path": "/somewhere", "writable": True, "free_mb": 10_000}


@pytest.mark.slow
def test_the_doctor_finds_no_problem_here_and_really_clusters(call):
    done = call("doctor", "--json")
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    assert record["colligate"] == __version__
    assert record["problems"] == []
    assert record["packages"]["numpy"]["version"]
    assert record["machine"]["cores"] >= 1
    assert 0.7 < record["self_test"]["nmi"] <= 1
    assert {"compiled kernels", "temporary files"} <= record["folders"].keys()


def test_extras_for_users_are_listed_with_what_they_bring_and_those_for_developers_are_not():
    extras = list_extras()
    assert {"entities", "embeddings", "png"} <= extras.keys()
    assert extras.keys().isdisjoint({"test", "lint", "docs", "all", "experiments"})
    assert all(extra["present"] == (not extra["missing"]) for extra in extras.values())
    assert not any(package["problem"] for package in list_packages().values())


@pytest.mark.parametrize(
    ("version", "bound", "holds"),
    [
        ("2.0", ">=2.0", True),
        ("1.26.4", ">=2.0", False),
        ("0.10", ">=0.9", True),
        ("0.5.13", "<0.6", True),
        ("0.6.0", "<0.6", False),
        ("3.8.0", "==3.8.0", True),
        ("2.13.0+cpu", ">=2.13.0", True),
        ("1.0", "~=9.9", True),
    ],
)
def test_versions_are_compared_by_their_numbers(version, bound, holds):
    assert _is_within(version, bound) == holds


def test_a_missing_and_an_old_package_are_problems_with_their_remedy():
    missing = _check_package("no-such-package-anywhere", ">=1.0")
    assert missing["version"] is None
    assert missing["problem"].endswith("run: pip install 'no-such-package-anywhere>=1.0'")
    old = _check_package("numpy", ">=9999")
    assert "does not fit >=9999; run: pip install 'numpy>=9999'" in old["problem"]


def test_each_problem_of_the_machine_is_one_line():
    machine = {"memory_mb": {"total": 2000, "available": 100}}
    folders = {
        "compiled kernels": FINE | {"writable": False},
        "temporary files": FINE | {"free_mb": 3},
        "this folder": FINE | {"writable": False},
    }
    memory, kernels, space = find_machine_problems(machine, folders)
    assert memory.startswith("only 100 MB of memory are free")
    assert "NUMBA_CACHE_DIR" in kernels
    assert space.startswith("only 3 MB are free in /somewhere")
    unknown = {"memory_mb": {"total": None, "available": None}}
    assert find_machine_problems(unknown, {"this folder": FINE}) == []


@pytest.mark.slow
def test_compilation_is_announced_once_and_kept(docs, tmp_path):
    """With an empty cache the first run says so in one line, and the second run does not."""
    script = (
        "import os, sys; os.environ['NUMBA_CACHE_DIR'] = sys.argv.pop(1); "
        "from colligate.cli.main import main; main()"
    )
    notes = []
    for number in (1, 2):
        out = tmp_path / f"run{number}"
        command = [sys.executable, "-c", script, tmp_path / "cache", "cluster", docs, "-k", "3", "-m", "itcc"]
        done = subprocess.run(
            [*map(str, command), "--out", str(out)], capture_output=True, text=True, check=True
        )
        notes.append(done.stderr.count("note: compiling for this machine"))
    assert notes == [1, 0]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_can_be_shown_for_a_shell(shell):
    script = "from colligate.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"_COLLIGATE_COMPLETE": f"source_{shell}", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "colligate" in done.stdout
    assert "_COLLIGATE_COMPLETE" in done.stdout
