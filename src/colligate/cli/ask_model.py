"""`colligate ask --answer-with`: a language model answers instead of the user, who agrees first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.cli.answers import CHOICES, TITLES, LineInput
from colligate.cli.console import confirm_sending, print_message, print_result
from colligate.errors import ModelServerError, ParameterError
from colligate.questions import LABEL, WORD
from colligate.questions.answers import label_groups
from colligate.questions.language_model import NO, YES, LanguageModel
from colligate.result.groups import name_object

if TYPE_CHECKING:
    from colligate._http import HttpPolicy
    from colligate.questions import Question
    from colligate.result import Result

MAX_MODEL_QUESTIONS = 50
# After so many failures in a row the server is at fault, not the text of a document.
MAX_FAILURES = 3
SKIP_KEY = "s"


def open_model(
    url: str | None, name: str | None, key_variable: str, policy: HttpPolicy
) -> LanguageModel | None:
    """Return the model that answers; None if the user does."""
    if url is None and name is None:
        return None
    if url is None or name is None:
        missing = "--answer-with URL" if url is None else "--model NAME"
        raise ParameterError(f"a model that answers has an address and a name; add {missing}")
    return LanguageModel(url, name, key_variable=key_variable, policy=policy)


def agree_to_send(model: LanguageModel, limit: int, *, yes: bool) -> None:
    """Say what is sent where, and go on only if the user agrees."""
    questions = "1 question" if limit == 1 else f"{limit:,} questions"
    print_message("note", f"a language model answers up to {questions}: {model.notice}")
    if not yes:
        confirm_sending("--yes")


class ModelInput(LineInput):
    """Answers from a language model, as the keys that a user would press."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._asked: tuple[Result, Question, int] | None = None
        self._failures_in_row = 0
        self.n_answered = self.n_skipped = self.n_refused = self.n_failed = 0

    def show(self, result: Result, question: Question, number: int) -> None:
        """Keep the question for the model; its answer shows it."""
        self._asked = (result, question, number)

    def read_line(self) -> str | None:
        """Return None: a model is not asked for names of groups."""
        return None

    def read_key(self) -> str | None:
        """Ask the model; an answer that was refused, such as a contradiction, is not asked for again."""
        if self._asked is None:
            self.n_answered, self.n_refused = self.n_answered - 1, self.n_refused + 1
            return SKIP_KEY
        (result, question, number), self._asked = self._asked, None
        try:
            choice = self._model.choose(question, result)
        except ModelServerError as error:
            self._failures_in_row += 1
            self.n_failed += 1
            if not error.is_about_question or self._failures_in_row == MAX_FAILURES:
                raise
            print_message("warning", f"question {number} is skipped: {error}")
            return SKIP_KEY
        self._failures_in_row = 0
        print_result(f"{number}. {_describe(result, question)} {_word_choice(result, question, choice)}")
        if choice is None:
            self.n_skipped += 1
            return SKIP_KEY
        self.n_answered += 1
        return {YES: "y", NO: "n"}.get(choice) or CHOICES[int(choice) - 1]

    def summarise(self) -> None:
        """Say how the questions ended."""
        parts = {
            "answered": self.n_answered,
            "skipped by the model": self.n_skipped,
            "refused as contradictions": self.n_refused,
            "failed": self.n_failed,
        }
        text = ", ".join(f"{count} {what}" for what, count in parts.items() if count)
        if text:
            print_message("note", f"{self._model.source}: {text}")


def _describe(result: Result, question: Question) -> str:
    """Write a question in one line, with the names of its objects."""
    kind = result.network.types[result.terms if question.kind == WORD else result.centre]
    items = question.items[:1] if question.kind == WORD else question.items
    names = " – ".join(name_object(kind.names, kind.name, item) for item in items)
    return f"{TITLES[question.kind]} {names}:"


def _word_choice(result: Result, question: Question, choice: str | None) -> str:
    if choice is None:
        return "skipped"
    if question.kind != LABEL:
        return choice
    group = question.groups[int(choice) - 1]
    return f"group {result.group_numbers[group]}, {label_groups(result)[group]}"
