"""The shapes of the other answers, as the OpenAPI document tells them.

The shapes of answers about groups, words and the network, as the OpenAPI document tells them.

The shapes of questions and their answers, as the OpenAPI document tells them.

The shapes of what a page sends, as the OpenAPI document tells them.
"""

from typing import Any, Literal, NotRequired, TypedDict


class JobAnswer(TypedDict):
    """A job and how it stands: waiting, running, done, failed or cancelled."""

    number: int
    at: str
    request: dict[str, Any]
    status: str
    message: str
    run: int | None


class RunAnswer(TypedDict):
    """A run, the command that makes the same groups, and whether something was said since."""

    number: int
    at: str
    method: str
    parameters: dict[str, Any]
    parent: int | None
    started: bool
    knowledge: bool
    seconds: float
    warnings: list[str]
    seq: int
    command: str
    stale: bool


class DamagedRun(TypedDict):
    """A run whose files cannot be read, and why."""

    run: int
    what: str


class ProjectAnswer(TypedDict):
    """The project: what it is made of, the methods that take what was said, and how it stands.

    `untold_methods` are those that may be used without it, `uneven_methods` those that can be told that
    subjects are of very different sizes; `current` is the last run that can be read, `who` the one whose
    statements are noted.
    """

    name: str
    counts: dict[str, int]
    centre: str
    terms: str
    method: str
    n_clusters: int
    seed: int
    methods: list[str]
    untold_methods: list[str]
    uneven_methods: list[str]
    current: int | None
    seq: int
    jobs: list[JobAnswer]
    damaged: list[DamagedRun]
    who: str


class DocumentRow(TypedDict):
    """A document in a list."""

    document: int
    id: str
    group: int
    confidence: float
    text: str


class DocumentsAnswer(TypedDict):
    """A part of a list of documents."""

    total: int
    documents: list[DocumentRow]


class LinkPull(TypedDict):
    """A statement that draws a document to its group (positive) or away."""

    statement: str
    pull: float


class EntityWeight(TypedDict):
    """An object of a further type and how much it tells."""

    type: str
    name: str
    weight: float


class WordWeight(TypedDict):
    """A word and how much it tells."""

    word: str
    weight: float


class WhyAnswer(TypedDict):
    """What put a document where it is, against the next best group."""

    words: list[WordWeight]
    links: list[LinkPull]
    entities: list[EntityWeight]


class EntryAnswer(TypedDict):
    """A statement: `status` is live, undone or replaced; the rest from `verdict` on is as of the last run.

    `overruled` is the number of the later statement that has the last word on all of it, 0 for none.
    `strength` and `trust` are null where it does not know them; `reason` is where the broken are now.
    """

    seq: int
    id: str
    at: str
    who: str
    why: str
    kind: str
    body: dict[str, Any]
    undone: int
    status: str
    overruled: int
    verdict: str
    strength: float | None
    trust: float | None
    reason: str


class Membership(TypedDict):
    """How much a document belongs to a group."""

    group: int
    membership: float


class DocumentAnswer(TypedDict):
    """A document: its text, where it is and why, and what was said of it."""

    document: int
    id: str
    text: str
    group: int
    memberships: list[Membership]
    why: WhyAnswer
    next: int
    statements: list[EntryAnswer]


class Flow(TypedDict):
    """How many documents went from one group to another; -1 is no group."""

    source: int
    target: int
    documents: int


class ChangesAnswer(TypedDict):
    """What moved between two runs; documents by position, the surest first, at most a few hundred.

    `kept` and `broken` count what was said, `standing` the documents that stand for groups.
    """

    moved: int
    total: int
    agreement: float
    flow: list[Flow]
    documents: list[int]
    kept: int
    broken: int
    standing: dict[str, int]
    newly_broken: list[str]


class CompareAnswer(TypedDict):
    """How far two runs agree; `metrics` hold each against the known labels, where there are any."""

    nmi: float
    ari: float
    flow: list[Flow]
    metrics: list[dict[str, float]] | None


class SearchAnswer(TypedDict):
    """Documents whose text or id holds what was looked for, and words that begin with it."""

    documents: DocumentsAnswer
    words: list[str]


class AuditRow(TypedDict):
    """What became of one line of the knowledge file; `stands_in` marks those that nobody said."""

    text: str
    kind: str
    type: str
    status: str
    cost: float
    strength: float
    trust: float | None
    note: str
    line: str
    reason: str
    stands_in: bool


class AuditAnswer(TypedDict):
    """What became of the knowledge of a run; `standing` counts documents that stand for groups apart."""

    counts: dict[str, int]
    standing: dict[str, int]
    by_kind: dict[str, dict[str, int]]
    total: int
    rows: list[AuditRow]


class TextAnswer(TypedDict):
    """The knowledge file of what stands, and the act it is as of."""

    text: str
    seq: int


class GroupAnswer(TypedDict):
    """A group; `moved_in` and `moved_out` count against the run it came from.

    `short` is its name without the words beside a label.
    """

    group: int
    name: str
    short: str
    size: int
    words: list[WordWeight]
    entities: list[EntityWeight]
    coherence: float | None
    confidence: float
    frozen: bool
    moved_in: int
    moved_out: int


class WordGroup(TypedDict):
    """A group of words, and the groups of documents it goes with."""

    group: int
    name: str
    size: int
    words: list[WordWeight]
    goes_with: list[Membership]


class AssociationAnswer(TypedDict):
    """The joint mass of word groups (rows) and document groups (columns)."""

    words: list[str]
    groups: list[int]
    mass: list[list[float]]


class NetworkType(TypedDict):
    """A type of the network."""

    name: str
    size: int
    groups: int


class NetworkRelation(TypedDict):
    """A relation of the network; `share` is its part of what the groups keep."""

    name: str
    rows: str
    columns: str
    entries: int
    weight: float
    share: float | None


class NetworkAnswer(TypedDict):
    """Types and relations."""

    types: list[NetworkType]
    relations: list[NetworkRelation]


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


class RunRequest(TypedDict):
    """What a run is asked to be; what is left out stays as in the run it goes on from."""

    method: NotRequired[str]
    n_clusters: NotRequired[int]
    knowledge: NotRequired[Literal["on", "off"]]
    fresh: NotRequired[bool]
    uneven_sizes: NotRequired[bool]
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
