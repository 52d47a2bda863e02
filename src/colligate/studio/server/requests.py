"""The shapes of what a page sends, as the OpenAPI document tells them."""

from typing import Any, Literal, NotRequired, TypedDict


class RunRequest(TypedDict):
    """What a run is asked to be; what is left out stays as in the run it goes on from."""

    method: NotRequired[str]
    n_clusters: NotRequired[int]
    knowledge: NotRequired[Literal["on", "off"]]
    fresh: NotRequired[bool]
    uneven: NotRequired[bool]
    # "from" is a word of Python
    from_run: NotRequired[int]


class StatementRequest(TypedDict):
    """A statement; `after` is the last act the page has seen, `id` makes a repeated request harmless."""

    kind: str
    body: dict[str, Any]
    after: NotRequired[int]
    who: NotRequired[str]
    why: NotRequired[str]
    id: NotRequired[str]
    run: NotRequired[int]


class UndoRequest(TypedDict):
    """Which statement to take back; the last one without an id."""

    id: NotRequired[str]


class RedoRequest(TypedDict):
    """Nothing: what was undone last is said again."""


class TextRequest(TypedDict):
    """A knowledge file, and the act after which the text it was made from was read."""

    text: str
    seq: int
    who: NotRequired[str]
    why: NotRequired[str]
