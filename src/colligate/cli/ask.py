"""`colligate ask`: answer the most useful questions about a run in the terminal, and cluster again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from colligate._chat import KEY_VARIABLE, POLICY
from colligate.cli import options as o
from colligate.cli.console import watch_run

AnswersFile = Annotated[
    Path | None,
    typer.Option(
        "--answers",
        "-a",
        help="The knowledge file that receives the answers; by default RUN.answers.yaml.",
        rich_help_panel=o.KNOWLEDGE,
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        help="Ask only this kind: label, pair or word; repeat for more.",
        rich_help_panel=o.RUN,
    ),
]
Limit = Annotated[
    int | None,
    typer.Option("--most", "-n", min=1, help="Ask at most this many questions.", rich_help_panel=o.RUN),
]
NewModel = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="Cluster again at the end, and write the result to this new folder.",
        rich_help_panel=o.OUTPUT,
    ),
]


ModelServer = Annotated[
    str | None,
    typer.Option(
        "--answer-with",
        metavar="URL",
        help="Let a language model behind this OpenAI-compatible URL answer. Texts of documents go there.",
        rich_help_panel=o.MODEL,
    ),
]
Agreed = Annotated[
    bool,
    typer.Option("--yes", help="Agree to send the texts, without a question.", rich_help_panel=o.MODEL),
]


def ask(
    context: typer.Context,
    run: o.RunFolder,
    answers: AnswersFile = None,
    kind: Kinds = None,
    limit: Limit = None,
    out: NewModel = None,
    answer_with: ModelServer = None,
    model: o.ModelName = None,
    key_variable: o.KeyVariable = KEY_VARIABLE,
    yes: Agreed = False,
    timeout: o.Timeout = o.TIMEOUT,
    retries: o.Retries = o.RETRIES,
) -> None:
    """Ask the most useful questions about RUN.

    Answer with single keys, listed below each question: y and n, a letter for a group, m for another group by
    number or name, s to skip, u to undo, c to cluster again starting from the current groups, q to quit.
    Groups keep their numbers. Every answer is written to the knowledge file before the next question. From a
    pipe, each line is one answer.

    With --answer-with, a language model answers instead of you. Texts of documents are sent to its server.
    """
    from colligate._storage.atomic import expand_path
    from colligate.cli.answers import Answers, choose_answers_path, open_keys
    from colligate.cli.ask_loop import AskLoop, report_answers, run_with_model
    from colligate.cli.ask_model import MAX_MODEL_QUESTIONS, ModelInput, agree_to_send, open_model
    from colligate.cli.inputs import load_run
    from colligate.errors import CancelledError, StoreError

    if out is not None and expand_path(out).exists():
        raise StoreError(f"{out} already exists; choose another --out")
    policy = replace(POLICY, timeout=timeout, retries=retries)
    language_model = open_model(answer_with, model, key_variable, policy)
    with watch_run(context):
        result = load_run(run)
        source = None if language_model is None else language_model.source
        loop = AskLoop(result, Answers(choose_answers_path(run, answers), result), kind or None, source)
    try:
        if language_model is None:
            with open_keys() as keys:
                loop.run(keys, limit)
        else:
            limit = limit or MAX_MODEL_QUESTIONS
            agree_to_send(language_model, limit, yes=yes)
            run_with_model(loop, ModelInput(language_model), limit)
        report_answers(loop, run, out)
    except KeyboardInterrupt:
        message = f"the answers are in {loop.answers.path}"
        raise CancelledError(message if loop.answers.path.exists() else "nothing was written") from None
