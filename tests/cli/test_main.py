from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import colligate
from colligate.cli.main import choose_exit_code
from colligate.errors import CancelledError, ContradictionError, CorpusError, StoreError


def test_version(call):
    done = call("--version")
    assert done.exit_code == 0
    assert done.stdout == f"colligate {colligate.__version__}\n"


def test_help_names_every_command_and_the_exit_codes(call):
    told = call("--help").stdout
    for word in ("demo", "cluster", "predict", "evaluate", "methods", "130"):
        assert word in told


def test_help_of_each_command(call):
    for command in ("demo", "cluster", "predict", "evaluate", "methods"):
        done = call(command, "-h")
        assert done.exit_code == 0
        assert "--json" in done.stdout


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom colligate.cli.main import app\n"
        "try:\n    app(['cluster', '--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'sklearn', 'numba', 'pyarrow', 'pandas'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_wrong_usage_exits_2(call, docs):
    for arguments in (
        ("cluster", docs),
        ("cluster", docs, "--clusters", "many"),
        ("cluster", docs, "--clusters", 3, "--min-df", "often"),
        ("cluster", docs, "--clusters", 3, "--ngrams", "a-b"),
        ("cluster", docs, "--clusters", 3, "--param", "polish"),
        ("cluster", docs, "--clusters", 3, "--param", "n_clusters=4"),
        ("cluster", docs, "--clusters", 3, "--unknown", "perhaps"),
        ("nothing",),
    ):
        done = call(*arguments)
        assert done.exit_code == 2, arguments
        assert done.stdout == ""


def test_exit_codes():
    assert choose_exit_code(CorpusError("a")) == 1
    assert choose_exit_code(ContradictionError("a")) == 1
    assert choose_exit_code(StoreError("a")) == 3
    assert choose_exit_code(CancelledError("a")) == 130


@pytest.mark.slow
def test_the_module_runs_and_tells_errors_without_a_traceback(tmp_path):
    command = [sys.executable, "-m", "colligate", "cluster", str(tmp_path / "none.csv"), "-k", "2"]
    done = subprocess.run([*command, "--out", str(tmp_path / "out")], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: there is no file")
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_output_that_cannot_be_written_is_told_in_a_line():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "colligate", "methods", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.strip() == "error: the output cannot be written: No space left on device"


@pytest.mark.slow
def test_a_reader_that_stops_early_is_no_error():
    command = f"{sys.executable} -m colligate methods --json | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "{"
    assert done.stderr == ""
