"""The types of the answers, as the OpenAPI document describes them."""

from typing import Any

from typing_extensions import TypedDict


class JobAnswer(TypedDict):
    """A job; `status` is waiting, running, done, failed or cancelled."""

    number: int
    at: str
    request: dict[str, Any]
    status: str
    message: str
    run: int | None


class RunAnswer(TypedDict):
    """A run; `command` makes the same groups, `stale` is true if statements changed since."""

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


class ColumnSummary(TypedDict):
    """A column of the input that is kept; `kind` is category, number, date or text."""

    name: str
    kind: str


class ColumnsSummary(TypedDict):
    """Which columns of the input were read as text, id and title, which are kept, and all that in a sentence.

    `left_out` are the first columns that were not kept. Everything is empty if the input has no columns.
    """

    text: list[str]
    id: str | None
    title: str | None
    kept: list[ColumnSummary]
    left_out: list[str]
    sentence: str


class ColumnBin(TypedDict):
    """A bin of a column (a category, a span of numbers or of time), and how many documents are in it."""

    label: str
    documents: int


class ColumnAnswer(TypedDict):
    """The values of a column, in the order of the documents.

    `codes` are positions in `bins`, -1 without a value. Bins of categories are the 12 most frequent, then
    `other`. Numbers and dates also have `values` and their `range`; dates are milliseconds since 1970, their
    bins are a `unit` (year, month or day) long, and `format` says how they were read from text.
    """

    name: str
    kind: str
    format: str
    missing: int
    codes: list[int]
    bins: list[ColumnBin]
    values: list[float | None]
    range: list[float] | None
    unit: str


class GroupCounts(TypedDict):
    """The documents of a group in each bin, and those without a value; group -1 is no group.

    `low` and `high` are the 95% interval of its share in the documents of the bin that are in groups, for no
    group in all documents of the bin; none for a bin without documents.
    """

    group: int
    counts: list[int]
    low: list[float | None]
    high: list[float | None]
    missing: int


class ColumnGroupsAnswer(TypedDict):
    """The groups by a column; `bins` are the labels of its bins, as in the values of the column.

    `totals` are the documents in groups in each bin.
    """

    name: str
    kind: str
    unit: str
    bins: list[str]
    totals: list[int]
    groups: list[GroupCounts]


class FirstGroup(TypedDict):
    """A rough group of the first look, shown while the first run is in progress."""

    size: int
    words: list[str]


class ProgressAnswer(TypedDict, total=False):
    """What the present job has reported: its stage, the share of its work, the seconds left."""

    job: int
    stage: str
    note: str
    share: float
    left: float | None
    restart: int
    restarts: int
    sweep: int
    objective: float
    groups: list[FirstGroup]


class ProjectAnswer(TypedDict):
    """The project: its documents, the methods that accept all live statements, and its state.

    `methods_without_knowledge` accept the documents without statements; `uneven_methods` have a setting for
    groups of very different sizes. `suggestion` says why the number of groups was suggested, and is empty if
    the user chose it. `current` is the last run that can be read; `who` is noted with statements.
    """

    name: str
    counts: dict[str, int]
    centre: str
    terms: str
    method: str
    n_clusters: int
    suggestion: str
    seed: int
    methods: list[str]
    methods_without_knowledge: list[str]
    uneven_methods: list[str]
    current: int | None
    seq: int
    jobs: list[JobAnswer]
    damaged: list[DamagedRun]
    progress: ProgressAnswer | None
    who: str
    columns: ColumnsSummary


class DocumentRow(TypedDict):
    """A document in a list; `title` is its title, empty if the input has none for it.

    `next` is its second-best group, `stated` whether a statement names it. `text` is the beginning of what
    follows the title, or a part with words of the query; every second one of `pieces` and of `title_pieces`
    is such a word.
    """

    document: int
    id: str
    title: str
    title_pieces: list[str]
    group: int
    next: int
    confidence: float
    stated: bool
    text: str
    pieces: list[str]


class SimilarRow(DocumentRow):
    """A document that is similar to another; `similarity` is the cosine of their words."""

    similarity: float


class DocumentsAnswer(TypedDict):
    """A part of a list of documents."""

    total: int
    documents: list[DocumentRow]


class LinkPull(TypedDict):
    """A statement that pulls a document towards its group (positive) or away."""

    statement: str
    pull: float


class EntityWeight(TypedDict):
    """An object of another type, and its weight."""

    type: str
    name: str
    weight: float


class WordWeight(TypedDict):
    """A word and its weight."""

    word: str
    weight: float


class WhyAnswer(TypedDict):
    """The evidence for the group of a document against the second-best group."""

    words: list[WordWeight]
    links: list[LinkPull]
    entities: list[EntityWeight]


class PreviewMove(TypedDict):
    """Documents, by position, that would go from one group to another; `alike` if they only follow others."""

    source: int
    target: int
    documents: list[int]
    alike: bool


class PreviewAnswer(TypedDict):
    """What a statement would do: the statement as a sentence, the groups it makes, and what it moves.

    `warning` says what else it may do, in sentences; empty if there is nothing to say.
    """

    sentence: str
    new_groups: list[int]
    warning: str
    moves: list[PreviewMove]


class EntryAnswer(TypedDict):
    """A statement; `status` is live, undone or replaced; `verdict` and all after it come from the last run.

    `overruled` is the number of the later statement that counts instead, 0 for none. `strength` and `trust`
    are null if unknown. `reason` names the groups of the objects of a broken statement are.
    """

    seq: int
    id: str
    at: str
    who: str
    why: str
    kind: str
    body: dict[str, Any]
    undone: int
    sentence: str
    status: str
    overruled: int
    verdict: str
    strength: float | None
    trust: float | None
    reason: str


class Membership(TypedDict):
    """The membership of a document in a group."""

    group: int
    membership: float


class ColumnValue(TypedDict):
    """The value of a document in a column of the input, as text; empty if it has none."""

    name: str
    value: str


class DocumentAnswer(TypedDict):
    """A document: its heading, its text and columns, its group and the reasons, the statements about it.

    `frozen` says that it stays in its group because the group is frozen.
    """

    document: int
    id: str
    title: str
    columns: list[ColumnValue]
    text: str
    group: int
    memberships: list[Membership]
    why: WhyAnswer
    next: int
    frozen: bool
    statements: list[EntryAnswer]


class Flow(TypedDict):
    """How many documents went from one group to another; -1 is no group."""

    source: int
    target: int
    documents: int


class GroupName(TypedDict):
    """The name of a group; `short` leaves out the words that follow a name of the knowledge file."""

    group: int
    name: str
    short: str


class FlowDocumentsAnswer(TypedDict):
    """The documents that went from one group to another, by position; at most a few hundred are listed."""

    total: int
    documents: list[int]


class ChangesAnswer(TypedDict):
    """What moved between two runs; documents by position, the most confident first, at most a few hundred.

    `before` names the groups of the earlier run, of which some may be gone. `sources` has the group that each
    of the documents left, -1 for none. `kept` and `broken` count statements, `group_changes` changes to
    groups in the same way, `exemplars` those that the studio added, `frozen` the documents of frozen groups.
    """

    moved: int
    total: int
    agreement: float
    flow: list[Flow]
    before: list[GroupName]
    documents: list[int]
    sources: list[int]
    kept: int
    broken: int
    group_changes: dict[str, int]
    exemplars: dict[str, int]
    frozen: dict[str, int]
    newly_broken: list[str]


class PendingAnswer(TypedDict):
    """What the statements since a run are about: documents by position, and pairs of merged groups.

    `targets` has the group that each of the documents was moved to, -1 for none.
    """

    documents: list[int]
    targets: list[int]
    merges: list[list[int]]


class CompareAnswer(TypedDict):
    """The agreement of two runs; `metrics` compare each with the known labels, if there are any."""

    nmi: float
    ari: float
    flow: list[Flow]
    metrics: list[dict[str, float]] | None


class SearchAnswer(TypedDict):
    """The positions of all documents that match the query, the best first, and words that begin with its end.

    `notes` say what in the query has no effect.
    """

    positions: list[int]
    words: list[str]
    notes: list[str]


class AuditRow(TypedDict):
    """The outcome of one line of the knowledge file.

    `stands_in` marks exemplars that the studio added, `frozen` the documents of frozen groups.
    """

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
    frozen: bool


class AuditAnswer(TypedDict):
    """The outcomes of the knowledge of a run; exemplars and documents of frozen groups count apart.

    `exemplars` counts labels that the studio added, `frozen` the documents of frozen groups, `counts` all
    other lines.
    """

    counts: dict[str, int]
    exemplars: dict[str, int]
    frozen: dict[str, int]
    by_kind: dict[str, dict[str, int]]
    total: int
    rows: list[AuditRow]


class TextAnswer(TypedDict):
    """The knowledge file of the live statements, and the number of the last event.

    `statements` counts what the user stated, exemplars left out, and `changes` the changes to groups, which
    have no line in the file.
    """

    text: str
    seq: int
    statements: int
    changes: int


class ModelText(TypedDict):
    """The sentence of the language model `described_by` about a group, and its words; empty without one."""

    word_name: str
    description: str
    described_by: str


class GroupAnswer(ModelText):
    """A group; `moved_in` and `moved_out` count documents since the parent run.

    `short` is its name without the words that follow a label.
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
    """A group of words, and the groups of documents associated with it."""

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


class TreeRow(TypedDict):
    """A line of the tree of groups: a group, or several that join (`group` is null), named by shared words.

    `lines` tells for each level above whether its line goes on below; the last one is that of the row.
    """

    lines: list[bool]
    name: str
    size: int
    group: int | None


class NetworkType(TypedDict):
    """A type of the network."""

    name: str
    size: int
    groups: int


class NetworkRelation(TypedDict):
    """A relation of the network; `share` is its share of the information that the groups keep."""

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
    """A document or a word in question; `document` is null for a word."""

    document: int | None
    id: str
    text: str


class QuestionGroup(TypedDict):
    """A group in question; `short` is its name without the words that follow a label."""

    group: int
    name: str
    short: str
    words: list[str]


class QuestionAnswer(TypedDict):
    """A question: which group (label), together or not (pair), or whether a word is about a group (word).

    Questions are ranked by `effect`: how much uncertainty the answer should resolve, in documents. What an
    answer moves is its preview.
    """

    id: int
    kind: str
    text: str
    items: list[QuestionItem]
    groups: list[QuestionGroup]
    effect: float


class AnswerPreview(TypedDict):
    """What an answer would move; `group` is the chosen group of a document, or null.

    `refusal` says why the answer would be rejected; it is empty if it would not.
    """

    answer: str
    group: int | None
    moves: list[PreviewMove]
    refusal: str


class AnswerAnswer(TypedDict):
    """The statement that the answer made; null if the question was skipped."""

    statement: EntryAnswer | None
