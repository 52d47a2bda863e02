"""A brief part of the fuzzer: some inputs through every door, and none may crash, raise or wait."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tools.fuzz import __main__ as fuzz
from tools.fuzz import mutation
from tools.fuzz.doors import DOORS


def test_the_doors_of_the_command_are_all_doors():
    assert set(fuzz.SHARES) == set(DOORS)


@pytest.mark.slow
@pytest.mark.parametrize("door", list(DOORS))
def test_no_input_gets_through_as_a_crash(door):
    record = fuzz.run([door], 60, seed=0)
    assert record["findings"] == []
    assert record["inputs"] == 60


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
    monkeypatch.setattr("tools.fuzz.doors.make_texts", lambda number=24: ["a b"])
    record = fuzz.run(["knowledge"], 3, seed=0)
    assert [finding["input"] for finding in record["findings"]] == [1]
    assert "ended with -6" in record["findings"][0]["finding"]
    assert record["inputs"] == 3


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
