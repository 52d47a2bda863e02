"""The shapes of the other answers, as the OpenAPI document tells them."""

from typing import Any, TypedDict

from colligate.studio.server.group_answers import EntityWeight, Membership, WordWeight


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
