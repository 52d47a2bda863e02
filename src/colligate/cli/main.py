"""The command `colligate`: its commands, and where they begin and end."""

from __future__ import annotations

import io
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from colligate.cli.ask import ask
from colligate.cli.cluster import cluster
from colligate.cli.demo import demo
from colligate.cli.evaluate import evaluate
from colligate.cli.exits import told
from colligate.cli.kb import kb
from colligate.cli.link import link
from colligate.cli.methods import methods
from colligate.cli.predict import predict
from colligate.cli.studio import studio
from colligate.version import __version__

COMMANDS = (demo, cluster, studio, ask, link, predict, evaluate, methods)


class Commands(TyperGroup):
    """The group of all commands: every error that Colligate raises on purpose ends here as a message."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        with told(ctx):
            return super().invoke(ctx)


app = typer.Typer(
    name="colligate",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"colligate {__version__}")
        raise typer.Exit


@app.callback()
def colligate(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Groups documents with the help of what people already know.

    Exit codes: 0 all went well; 1 the input, the knowledge or a parameter cannot be used; 2 wrong usage;
    3 a folder or file cannot be written, or is damaged; 130 stopped by the user.
    """


for _command in COMMANDS:
    app.command()(_command)
app.add_typer(kb, name="kb")


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its escape, not an error.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app(prog_name="colligate")
