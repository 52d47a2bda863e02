"""A brief part of the fuzzer: some inputs through every door, and none may crash, raise or wait."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tools.fuzz import __main__ as fuzz
from tools.fuzz import mutation
from tools.fuzz.batch import Lane
from tools.fuzz.doors import DOORS
from tools.fuzz.log import Log


def test_the_doors_of_the_command_are_all_doors():
    assert set(fuzz.SHARES) == set(DOORS)


@pytest.mark.slow
@pytest.mark.parametrize("door", list(DOORS))
def test_no_input_gets_through_as_a_crash(door):
    log = Log()
    fuzz.run(log, [door], 60, seed=0)
    assert log.findings == []
    assert log.summary["inputs"] == 60


@pytest.mark.slow
def test_a_crash_of_the_process_is_a_finding(monkeypatch, tmp_path):
    """The parent notices a child that dies, and goes on with the next input."""
    hook = tmp_path / "sitecustomize.py"
    hook.write_text(
        "import os, sys\n"
        "if 'tools.fuzz.child' in ' '.join(sys.orig_argv):\n"
        "    import random\n"
        "    class Deadly(random.Random):\n"
        "        def __init__(self, seed=None):\n"
        "            if str(seed).endswith(' 1'):\n"
        "                os.abort()\n"
        "            super().__init__(seed)\n"
        "    random.Random = Deadly\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    log = Log()
    fuzz.run(log, ["knowledge"], 3, seed=0)
    assert [finding["input"] for finding in log.findings] == [1]
    assert "ended with -6" in log.findings[0]["finding"]
    assert log.summary["inputs"] == 3


@pytest.mark.slow
def test_a_run_goes_on_where_its_log_ends(tmp_path):
    path = tmp_path / "log.json"
    fuzz.run(Log(path), ["knowledge"], 10, seed=0)
    log = Log(path)
    fuzz.run(log, ["knowledge"], 25, seed=0)
    assert log.count(0, Lane("knowledge")) == 25
    fuzz.run(log, ["knowledge"], 5, seed=1)
    assert Log(path).summary["inputs"] == 30
    # what does not happen again is corrected
    log.run(1)["findings"].append({"door": "knowledge", "input": 3, "finding": "Traceback\nValueError: x"})
    fuzz.recheck(log)
    assert Log(path).findings == []
    assert Log(path).run(1)["corrected"] == [{"door": "knowledge", "input": 3, "finding": "ValueError: x"}]


def test_changes_depend_on_the_seed_alone():
    for change, value in (
        (mutation.mutate_bytes, b"some bytes"),
        (mutation.mutate_text, "some words of text"),
        (mutation.mutate_value, {"a": [1, "b"], "c": {"d": None}}),
    ):
        made = [repr(change(random.Random(seed), value)) for seed in (1, 1, 2, 3, 4)]
        assert made[0] == made[1]
        assert len(set(made)) > 2
    arrays = [mutation.mutate_array(random.Random(seed), np.arange(6.0).reshape(2, 3)) for seed in (5, 5)]
    assert np.array_equal(*arrays, equal_nan=True)
