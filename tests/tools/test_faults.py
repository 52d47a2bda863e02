"""A brief part of the harness of faults."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("scenario", ["cluster", "overwrite", "link", "kb", "studio"])
def test_nothing_is_lost_by_a_fault(scenario):
    # in a process of its own: the one that forks must not have used compiled libraries
    command = [sys.executable, "-m", "tools.faults", "--faults", "5", "--seed", "1", "--scenario", scenario]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert '"faults": 5' in done.stdout
