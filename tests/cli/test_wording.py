from __future__ import annotations

import re

import pytest
import typer

from colligate.cli.console import as_options, escape_control, options_of
from colligate.cli.main import app

CLUSTER = {
    *("--encoding", "--text", "--id", "--unknown", "--contradictions", "--max-iter", "--param"),
    *("--overwrite", "--resume", "--min-df", "--max-df", "--stop-words"),
}


def test_control_characters_become_visible():
    assert escape_control("a\x1b[2Jb\x07\u202ec\n") == "a\\x1b[2Jb\\x07\\u202ec\n"
    assert escape_control("Füße × 日本") == "Füße × 日本"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("for example encoding='cp1252'", "for example --encoding cp1252"),
        (
            'go on with all of them by contradictions="report".',
            "go on with all of them by --contradictions report.",
        ),
        ("name one with text=...; it has 'a'", "name one with --text ...; it has 'a'"),
        ("leave out text= and id=", "leave out --text and --id"),
        ("raise max_iter or tol", "raise --max-iter or --param tol=…"),
        ("the grid=5 and video='x'", "the grid=5 and video='x'"),
        ("or remove it and start anew", "or start anew with --overwrite in place of --resume"),
        ("loosen min_df=0.5 of the analyser", "loosen --min-df 0.5"),
        ("loosen stop_words, min_length or pattern of the analyser", "try --stop-words none"),
    ],
)
def test_arguments_are_called_by_their_options(message, told):
    assert as_options(message, CLUSTER) == told
    assert as_options(message, ()) == message


def test_evaluate_has_a_column_of_labels_and_none_of_text():
    assert as_options("name one with text=...", {"--label", "--id"}) == "name one with --label ..."


def test_no_command_advises_what_it_lacks():
    group = typer.main.get_command(app)
    told = "text=... id=... encoding='x' unknown='x' contradictions='x' raise max_iter or tol "
    told += "remove it and start anew"
    for command in group.commands.values():
        options = options_of(command)
        assert set(re.findall(r"--[a-z-]+", as_options(told, options))) <= options
    assert "--label" in as_options(told, options_of(group.commands["evaluate"]))
