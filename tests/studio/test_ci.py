"""The checks before a change lands do not go on without a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

CI = Path(__file__).parents[2] / ".ci" / "run"


@pytest.mark.skipif(not CI.is_file(), reason="needs the repository")
def test_checks_fail_where_no_browser_can_be_installed(tmp_path):
    for name in ("bash", "dirname"):
        (tmp_path / name).symlink_to(shutil.which(name) or pytest.fail(f"there is no {name}"))
    done = subprocess.run(
        ["bash", str(CI)],
        env={**os.environ, "PATH": str(tmp_path)},
        executable=str(tmp_path / "bash"),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "there is no chromium, and it could not be installed" in done.stderr
