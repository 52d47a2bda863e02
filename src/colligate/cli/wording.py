"""Texts as the terminal shows them: they cannot steer it, and advice names what the command has."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

# Messages name the arguments of the Python interface, such as encoding='cp1252'.
ARGUMENT = re.compile(
    r"""\b(encoding|text|id|unknown|contradictions)=(?:(['"])([\w.-]+)\2|(\.{3}))?(?=[\s,;.)]|$)"""
)
# `evaluate` reads its labels as texts are read.
STAND_INS = {"--text": "--label"}
ADVICE = (
    (re.compile(r"\braise max_iter or tol\b"), "raise --max-iter or --param tol=…"),
    (re.compile(r"\bremove it and start anew\b"), "start anew with --overwrite in place of --resume"),
    (re.compile(r"\bloosen min_df=(\S+) of the analyser\b"), r"loosen --min-df \1"),
    (re.compile(r"\bloosen max_df=(\S+) of the analyser\b"), r"loosen --max-df \1"),
    (re.compile(r"\bloosen stop_words, min_length or pattern of the analyser\b"), "try --stop-words none"),
)
OPTION = re.compile(r"--[a-z][a-z-]*")


def visible(text: str) -> str:
    """Show what is not printable by its escape: hostile text must not send control codes to a terminal."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)


def options_of(command: Any) -> frozenset[str]:
    """The options of a command, as they are typed; none of no command."""
    return frozenset(option for parameter in getattr(command, "params", ()) for option in parameter.opts)


def as_options(message: str, options: Collection[str]) -> str:
    """Call the arguments that a message names by the options of the command, where it has them."""
    for pattern, told in ADVICE:
        if set(OPTION.findall(told)) <= set(options):
            message = pattern.sub(told, message)
    return ARGUMENT.sub(lambda found: _as_option(found, options), message)


def _as_option(found: re.Match[str], options: Collection[str]) -> str:
    option = f"--{found[1]}"
    if option not in options:
        option = STAND_INS.get(option, option)
    return f"{option} {found[3] or found[4] or ''}".rstrip() if option in options else found[0]
