from __future__ import annotations

import pytest

from colligate.cli.wording import as_options, visible


def test_control_characters_become_visible():
    assert visible("a\x1b[2Jb\x07\u202ec\n") == "a\\x1b[2Jb\\x07\\u202ec\n"
    assert visible("Füße × 日本") == "Füße × 日本"


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
    ],
)
def test_arguments_are_called_by_their_options(message, told):
    assert as_options(message) == told
