"""The examples in docstrings run and print what they show."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import colligate

FOLDER = Path(colligate.__path__[0])
MODULES = [
    ".".join(("colligate", *path.relative_to(FOLDER).with_suffix("").parts))
    for path in sorted(FOLDER.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


def test_there_are_examples():
    assert len(MODULES) >= 2


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_they_show(name):
    # without the names of the module, as a reader begins
    outcome = doctest.testmod(importlib.import_module(name), globs={})
    assert outcome.attempted > 0
    assert outcome.failed == 0
