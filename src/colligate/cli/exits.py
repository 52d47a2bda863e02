"""How a command ends: exit codes, and errors told in one readable message.

0    all went well
1    the input, the knowledge or a parameter cannot be used
2    wrong usage: an option or argument that is not there or not of its kind
3    a folder or file cannot be written, or is damaged
130  stopped by the user
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from colligate.cli.console import say
from colligate.cli.wording import as_options, options_of
from colligate.errors import CancelledError, ColligateError, StoreError

BAD_INPUT, STORAGE, STOPPED = 1, 3, 130


def exit_code(error: ColligateError) -> int:
    """The exit code that stands for an error."""
    if isinstance(error, StoreError):
        return STORAGE
    return STOPPED if isinstance(error, CancelledError) else BAD_INPUT


@contextmanager
def told(context: Any) -> Iterator[None]:
    """Turn what Colligate raises on purpose into a message on stderr and an exit code.

    `context` is that of the group of commands, which knows the command that was asked for.
    """
    try:
        yield
        sys.stdout.flush()
    except ColligateError as error:
        code = exit_code(error)
        say("stopped" if code == STOPPED else "error", as_options(str(error), _options(context)))
        raise typer.Exit(code) from error
    except KeyboardInterrupt as error:
        say("stopped", "nothing was written")
        raise typer.Exit(STOPPED) from error
    except BrokenPipeError as error:
        # whoever read our output has read enough
        _silence_output()
        raise typer.Exit(0) from error
    except OSError as error:
        _silence_output()
        say("error", f"the output cannot be written: {error.strerror or error}")
        raise typer.Exit(STORAGE) from error


def _silence_output() -> None:
    """Let what is left in the buffer go nowhere, so that the interpreter does not fail on it at its end."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _options(context: Any) -> frozenset[str]:
    name = context.invoked_subcommand
    return options_of(context.command.get_command(context, name) if name else None)
