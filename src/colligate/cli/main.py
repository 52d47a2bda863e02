"""The command line: its commands, exit codes, and error messages.

0    success
1    the input, the knowledge or a parameter cannot be used
2    wrong usage: an unknown option, a missing argument, or a value of the wrong type
3    a folder or file cannot be written, or is damaged
130  stopped by the user
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from colligate.cli.ask import ask
from colligate.cli.change import change
from colligate.cli.cluster import cluster
from colligate.cli.console import format_message, options_of, print_message
from colligate.cli.demo import demo
from colligate.cli.doctor import doctor
from colligate.cli.evaluate import evaluate
from colligate.cli.export import export
from colligate.cli.hierarchy import hierarchy
from colligate.cli.import_labels import import_labels
from colligate.cli.kb import kb
from colligate.cli.link import link
from colligate.cli.methods import methods
from colligate.cli.predict import predict
from colligate.cli.similar import similar
from colligate.cli.studio import studio
from colligate.cli.update import update
from colligate.errors import CancelledError, ColligateError, StoreError
from colligate.version import __version__

COMMANDS = (
    *(demo, cluster, studio, ask, change, update, hierarchy, link, predict, similar, export),
    *(import_labels, evaluate, methods, doctor),
)
BAD_INPUT, STORAGE, STOPPED = 1, 3, 130
BAD_VALUES = {
    "int_parsing": "this must be a whole number",
    "float_parsing": "this must be a number",
    "greater_than_equal": "this must be at least {ge}",
    "less_than_equal": "this must be at most {le}",
    "value_error": "{error}",
}
"""What an option must be, by the type of pydantic's error."""


class Commands(TyperGroup):
    """All commands; errors of Colligate become messages here."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with report_errors(ctx):
            return super().invoke(ctx)


app = typer.Typer(
    name="colligate",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"colligate {__version__}")
        raise typer.Exit


@app.callback()
def colligate(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Group documents with the help of what people already know.

    Exit codes: 0 success; 1 the input, the knowledge or a parameter cannot be used; 2 wrong usage;
    3 a folder or file cannot be written, or is damaged; 130 stopped by the user.
    """


for _command in COMMANDS:
    app.command()(_command)


app.add_typer(kb, name="kb")


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character shows its escape instead.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app(prog_name="colligate")


def describe_bad_value(error: Any) -> str:
    """Return what an option must be; newer versions of Typer give the words of pydantic instead."""
    problems: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)()
    if not problems:
        return str(error.message)
    problem = problems[0]
    text = BAD_VALUES.get(problem["type"], problem["msg"])
    return str(text.format(**{"error": "", **problem.get("ctx", {})}))


def choose_exit_code(error: ColligateError) -> int:
    """Return the exit code of an error."""
    if isinstance(error, StoreError):
        return STORAGE
    return STOPPED if isinstance(error, CancelledError) else BAD_INPUT


@contextmanager
def report_errors(context: Any) -> Iterator[None]:
    """Turn errors of Colligate into a message on stderr and an exit code."""
    try:
        yield
        sys.stdout.flush()
    except typer.BadParameter as error:
        error.message = describe_bad_value(error)
        raise
    except ColligateError as error:
        code = choose_exit_code(error)
        print_message(
            "stopped" if code == STOPPED else "error", format_message(error, _options_of_subcommand(context))
        )
        raise typer.Exit(code) from error
    except MemoryError as error:
        print_message(
            "error", "there is not enough memory for this input; use fewer documents, or a larger machine"
        )
        raise typer.Exit(BAD_INPUT) from error
    except KeyboardInterrupt as error:
        print_message("stopped", "nothing was written")
        raise typer.Exit(STOPPED) from error
    except BrokenPipeError as error:
        # The reader of our output has closed it.
        _silence_output()
        raise typer.Exit(0) from error
    except OSError as error:
        _silence_output()
        print_message("error", f"the output cannot be written: {error.strerror or error}")
        raise typer.Exit(STORAGE) from error


def _silence_output() -> None:
    """Discard buffered output, so that the interpreter does not fail on it at exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _options_of_subcommand(context: Any) -> frozenset[str]:
    name = context.invoked_subcommand
    return options_of(context.command.get_command(context, name) if name else None)
