"""Every command and every piece of Python on the pages about knowledge bases runs as it is printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("docs/entities/knowledge_bases.md", "docs/entities/linking.md")
BLOCKS = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def environment(tmp_path):
    """The command `colligate` is this one, and answers of endpoints are kept here."""
    command = tmp_path / "bin" / "colligate"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m colligate "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    own = {"PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path)}
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), **own}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs_from_top_to_bottom(page, tmp_path, environment):
    blocks = BLOCKS.findall((ROOT / page).read_text(encoding="utf-8"))
    assert {kind for kind, _ in blocks} == {"sh", "python"}
    commands = "".join(text for kind, text in blocks if kind == "sh")
    code = "".join(text for kind, text in blocks if kind == "python")
    for command in (["sh", "-e", "-c", commands], [sys.executable, "-W", "error", "-c", code]):
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stdout + done.stderr
