"""Run the pieces of code on a page of the documentation, from top to bottom, as a reader would.

Python is executed, lines of the shell that call `colligate` are run, and a code block with a caption is saved
as the file of that name. A block of text below a piece of code shows its output: `refresh_page` renews it,
and the tests compare it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^```(\S+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r"^:caption: (.+)\n+")
NOT_RUN = ("studio", "demo", "doctor")
"""Commands that wait for a person, or that show the machine."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the file that it is saved as, and the place of the text."""

    language: str
    text: str
    file: str | None
    span: tuple[int, int]


def read_blocks(page: str) -> list[Block]:
    """List the fenced blocks of a page."""
    blocks = []
    for match in FENCE.finditer(page):
        language, text = match[1], match[3]
        caption = CAPTION.match(text) if language == "{code-block}" else None
        if caption:
            text = text[caption.end() :]
        blocks.append(Block(match[2] or language, text, caption and caption[1].strip(), match.span(3)))
    return blocks


def run_page(page: str, folder: Path) -> list[tuple[Block, str | None]]:
    """Run a page in a folder; return each block with what it printed, None where nothing was run."""
    names: dict[str, Any] = {"__name__": "page"}
    done = []
    with contextlib.chdir(folder):
        for block in read_blocks(page):
            printed = None
            if block.file is not None:
                Path(block.file).write_text(block.text, encoding="utf-8")
            elif block.language == "python":
                with contextlib.redirect_stdout(io.StringIO()) as stream:
                    exec(compile(block.text, "page", "exec"), names)
                printed = stream.getvalue()
            elif block.language == "sh":
                printed = run_shell(block.text)
            done.append((block, printed))
    return done


def run_shell(text: str) -> str | None:
    """Run the calls of `colligate` in a block; return what they print, None if there is none to run."""
    printed = None
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["colligate"] and words[1] not in NOT_RUN:
            command = [sys.executable, "-m", "colligate", *words[1:]]
            environment = {**os.environ, "COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}
            done = subprocess.run(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                env=environment,
                check=False,
            )
            printed = (printed or "") + done.stdout
    return printed


def refresh_page(path: Path, folder: Path) -> None:
    """Put what the code of a page prints now into the blocks of text below it."""
    page = path.read_text(encoding="utf-8")
    done = run_page(page, folder)
    for (_, printed), (block, _) in reversed(list(pairwise(done))):
        if block.language == "text" and printed is not None:
            start, end = block.span
            page = f"{page[:start]}{printed.rstrip()}\n{page[end:]}"
    path.write_text(page, encoding="utf-8")
