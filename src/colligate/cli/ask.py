"""`colligate ask`: the questions about a run whose answers would help most, answered in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from colligate.cli import options as o
from colligate.cli.console import say, show
from colligate.cli.watch import watching

if TYPE_CHECKING:
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

    Answer by single keys: y and n, a letter for a group, m to name another one, s to skip, u to undo, c to
    cluster again from the groups as they are, q to quit. Every answer is in the knowledge file before the
    next question comes. From a pipe, one answer is read on a line.
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
    say(
        "done",
        f"{answers} in {sitting.answers.path}"
        + (", with the earlier ones" if sitting.answers.resumed else ""),
    )
    if out is not None:
        sitting.cluster()
        sitting.result.save(out)
        say("written", f"the result with them to {out}")
    else:
        show(f"Cluster with them: colligate cluster … --knowledge {sitting.answers.path}")
