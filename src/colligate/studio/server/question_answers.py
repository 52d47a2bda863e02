"""The shapes of questions and their answers, as the OpenAPI document tells them."""

from typing import Literal, NotRequired, TypedDict

from colligate.studio.server.answers import EntryAnswer


class QuestionItem(TypedDict):
    """A document or a word that is asked about; `document` is null for a word."""

    document: int | None
    id: str
    text: str


class QuestionGroup(TypedDict):
    """A group in question; `short` is its name without the words beside a label."""

    group: int
    name: str
    short: str
    words: list[str]


class QuestionAnswer(TypedDict):
    """A question: which group (label), together or not (pair), or whether a word is about a group (word).

    `effect` is what the answer is expected to settle, in documents.
    """

    id: int
    kind: str
    text: str
    items: list[QuestionItem]
    groups: list[QuestionGroup]
    effect: float


class AnswerRequest(TypedDict):
    """An answer; `group` is the one chosen for a document, the first in question without it."""

    answer: Literal["yes", "no", "skip"]
    group: NotRequired[int]
    who: NotRequired[str]
    why: NotRequired[str]


class AnswerAnswer(TypedDict):
    """What was said by the answer; null where it was skipped."""

    statement: EntryAnswer | None
