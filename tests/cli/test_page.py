"""The page of the command line has every option of every command, and no other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from colligate.cli.main import app

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"^## (.*?)$\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
OF_ALL_COMMANDS = {"--help"}


def list_commands(command: Any, name: str) -> list[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        return [(name, command)]
    return [
        found for sub, inner in command.commands.items() for found in list_commands(inner, f"{name} {sub}")
    ]


COMMANDS = dict(list_commands(typer.main.get_command(app), "colligate"))


def list_options(command: Any) -> set[str]:
    names = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    return {name for name in names if name.startswith("--")} - OF_ALL_COMMANDS


def find_section(name: str) -> str:
    """The heading and the text of the section about a command; those of `kb` share one."""
    short = name.removeprefix("colligate ")
    return "\n".join(
        f"{head}\n{text}"
        for head, text in SECTIONS
        if f"{name} " in f"{head} ".replace("`", " ") or f"`{short} " in head
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_in_the_section_of_its_command(name):
    section = find_section(name)
    assert section, f"docs/cli.md has no section about {name}"
    assert list_options(COMMANDS[name]) - set(OPTION.findall(section)) == set()


def test_every_option_on_the_page_exists():
    existing = set().union(*map(list_options, COMMANDS.values())) | {
        "--install-completion",
        "--show-completion",
    }
    assert set(OPTION.findall(PAGE)) - existing - OF_ALL_COMMANDS == set()
