"""Texts as the terminal shows them: they cannot steer it, and arguments are called by their options."""

from __future__ import annotations

import re

# Messages name the arguments of the Python interface, such as encoding='cp1252'.
ARGUMENT = re.compile(
    r"""\b(encoding|text|id|unknown|contradictions)=(?:(['"])([\w.-]+)\2|(\.{3}))?(?=[\s,;.)]|$)"""
)
PARAMETERS = {"max_iter": "--max-iter", "tol": "--param tol=…"}
ADVICE = re.compile(r"\braise (max_iter) or (tol)\b")


def visible(text: str) -> str:
    """Show what is not printable by its escape: hostile text must not send control codes to a terminal."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)


def as_options(message: str) -> str:
    """Call the arguments that a message names by the options of the command line."""
    message = ADVICE.sub(lambda found: f"raise {' or '.join(map(_option, found.groups()))}", message)
    return ARGUMENT.sub(lambda found: f"--{found[1]} {found[3] or found[4] or ''}".rstrip(), message)


def _option(name: str) -> str:
    return PARAMETERS[name]
