from __future__ import annotations

import re

import pytest
import typer

from colligate.cli.console import escape_control, format_message, options_of
from colligate.cli.main import app
from colligate.errors import InputError, Parameter, ParameterError

CLUSTER = {
    *("--encoding", "--text", "--id", "--unknown", "--contradictions", "--max-iter", "--param"),
    *("--overwrite", "--resume", "--min-df", "--max-df", "--stop-words"),
}


def test_control_characters_become_visible():
    assert escape_control("a\x1b[2Jb\x07\u202ec\n") == "a\\x1b[2Jb\\x07\\u202ec\n"
    assert escape_control("Füße × 日本") == "Füße × 日本"


@pytest.mark.parametrize(
    ("parameter", "python", "option"),
    [
        (Parameter("encoding", "cp1252"), "encoding='cp1252'", "--encoding cp1252"),
        (Parameter("text", ...), "text=...", "--text …"),
        (Parameter("id"), "id", "--id"),
        (Parameter("stop_words", None), "stop_words=None", "--stop-words none"),
        (Parameter("min_df", 0.5), "min_df=0.5", "--min-df 0.5"),
        (Parameter("max_iter", owner="method"), "max_iter", "--max-iter"),
        (Parameter("tol", owner="method"), "tol", "--param tol=…"),
        (Parameter("pattern", "a+"), "pattern='a+'", "pattern='a+'"),
    ],
)
def test_parameters_are_shown_as_options(parameter, python, option):
    error = InputError("pass ", parameter, " and the text='x' of a user")
    assert str(error) == f"pass {python} and the text='x' of a user"
    assert format_message(error, CLUSTER) == f"pass {option} and the text='x' of a user"
    assert format_message(error, ()) == str(error)


def test_the_parameter_at_fault_is_named_once():
    assert format_message(ParameterError("too many", parameter="n_clusters"), {"--clusters"}) == (
        "too many (--clusters)"
    )
    error = ParameterError(Parameter("n_clusters", owner="method"), " must be 1", parameter="n_clusters")
    assert format_message(error, {"--clusters"}) == "--clusters must be 1"
    assert format_message(error, ()) == "n_clusters must be 1"
    assert format_message("any text=...", CLUSTER) == "any text=..."


def test_evaluate_has_a_column_of_labels_and_none_of_text():
    error = InputError("name one with ", Parameter("text", ...))
    assert format_message(error, {"--label", "--id"}) == "name one with --label …"


def test_no_command_advises_what_it_lacks():
    group = typer.main.get_command(app)
    names = ("text", "id", "encoding", "unknown", "contradictions", "max_iter", "n_clusters")
    error = InputError(*(part for name in names for part in (Parameter(name, ...), " ")))
    for command in group.commands.values():
        options = options_of(command)
        assert set(re.findall(r"--[a-z-]+", format_message(error, options))) <= options
    assert "--label" in format_message(error, options_of(group.commands["evaluate"]))
