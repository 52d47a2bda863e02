"""`colligate ask`: the questions about a run whose answers would help most, answered in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from colligate.cli import options as o
from colligate.cli.console import say, show
from colligate.cli.watch import watching

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.cli.sitting import Sitting

AnswersFile = Annotated[
    Path | None,
    typer.Option(
        "--answers",
        "-a",
        help="The knowledge file that answers are added to; RUN.answers.yaml without it.",
        rich_help_panel=o.KNOWLEDGE,
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        help="Ask this kind alone: label, pair or word; give it again for more.",
        rich_help_panel=o.RUN,
    ),
]
Most = Annotated[
    int | None, typer.Option("--most", "-n", min=1, help="Ask so many at most.", rich_help_panel=o.RUN)
]
NewModel = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="A new folder for the result after clustering again, which can be asked about in turn.",
        rich_help_panel=o.OUTPUT,
    ),
]


def ask(
    context: typer.Context,
    run: o.RunFolder,
    answers: AnswersFile = None,
    kind: Kinds = None,
    most: Most = None,
    out: NewModel = None,
) -> None:
    """Ask the questions about RUN that would help most.

    Answer by the single keys that stand below each question: y and n, a letter for a group, m for another one
    by number or name, s to skip, u to undo, c to cluster again from the groups as they are, q to quit. Groups
    keep their numbers. Every answer is in the knowledge file before the next question comes. From a pipe, one
    answer is read on a line.
    """
    from colligate.cli.answers import Answers, answers_path
    from colligate.cli.keys import answering
    from colligate.cli.sitting import Sitting
    from colligate.cli.stored import load_run
    from colligate.errors import CancelledError, StoreError
    from colligate.files import located

    if out is not None and located(out).exists():
        raise StoreError(f"{out} exists already; choose another --out")
    with watching(context):
        result = load_run(run)
        sitting = Sitting(result, Answers(answers_path(run, answers), result), kind or None)
    try:
        with answering() as hands:
            sitting.go_on(hands, most)
        _tell(sitting, out)
    except KeyboardInterrupt:
        kept = f"the answers are kept in {sitting.answers.path}"
        raise CancelledError(kept if sitting.answers.path.exists() else "nothing was written") from None


def _tell(sitting: Sitting, out: Path | None) -> None:
    given = len(sitting.answers)
    if not given and not sitting.answers.resumed:
        say("done", "nothing was answered, and nothing was written")
        return
    answers = "1 answer is" if given == 1 else f"{given} answers are"
    earlier = ", with the earlier ones" if sitting.answers.resumed else ""
    others = sitting.answers.n_stand_ins
    standing = (
        f"; so are the labels of {others} {sitting.result.centre} that stand for groups" if others else ""
    )
    say("done", f"{answers} in {sitting.answers.path}{earlier}{standing}")
    if out is not None:
        sitting.cluster()
        sitting.result.save(out)
        say("written", f"the result with them to {out}{_renumbered(sitting.numbers)}")
    else:
        show(f"Cluster with them: colligate cluster … --knowledge {sitting.answers.path}")


def _renumbered(numbers: Sequence[int]) -> str:
    """How a stored result, which numbers its groups by itself, calls those that were asked about."""
    other = [f"{here} is {there}" for there, here in enumerate(numbers) if here != there]
    return f"; of the groups, {', '.join(sorted(other))} there" if other else ""
