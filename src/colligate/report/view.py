"""What a report shows, as plain data: independent of methods and results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Nouns:
    """The singular and the plural of a type."""

    one: str
    many: str


DOCUMENT, WORD = Nouns("document", "documents"), Nouns("word", "words")


class GroupLike(Protocol):
    """What every view of a group has: its lasting number, its name and its size."""

    @property
    def number(self) -> int:
        """The lasting number."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def size(self) -> int:
        """The number of documents."""


@dataclass(frozen=True)
class DocumentView:
    """One example document of a group; `title` is empty if the input has no titles."""

    id: str
    excerpt: str
    confidence: float
    why: Sequence[tuple[str, float]] = ()
    title: str = ""


@dataclass(frozen=True)
class GroupView:
    """One group of documents. `x`, `y` (0 to 1) is the place of its name on the map.

    `objects` has for each further type the (name, score) of the most characteristic objects. `description` is
    what a language model wrote, `described_by` its name, and `word_name` the words beside the name.
    """

    number: int
    name: str
    size: int
    share: float
    confidence: float
    coherence: float | None
    words: Sequence[tuple[str, float]]
    documents: Sequence[DocumentView]
    x: float
    y: float
    objects: Sequence[tuple[str, Sequence[tuple[str, float]]]] = ()
    word_name: str = ""
    description: str = ""
    described_by: str = ""


@dataclass(frozen=True)
class MapView:
    """The documents as points in the unit square, each with the number of its group (-1 for none)."""

    x: Sequence[float]
    y: Sequence[float]
    group: Sequence[int]
    shown: int
    total: int


@dataclass(frozen=True)
class WordGroupView:
    """One group of words with its strongest words; a single word has no number."""

    number: int | None
    size: int
    words: Sequence[str]


@dataclass(frozen=True)
class AssociationView:
    """Document groups × word groups: log2 of observed over expected mass; rows follow `ReportView.groups`."""

    word_groups: Sequence[WordGroupView]
    lift: Sequence[Sequence[float]]
    mass: Sequence[Sequence[float]]


@dataclass(frozen=True)
class ObjectGroupView:
    """One group of a further type; `goes_with` has (position of a group of documents, share of this one).

    `relations` has (relation, its share in the group), if there are several.
    """

    number: int
    name: str
    size: int
    members: Sequence[str]
    goes_with: Sequence[tuple[int, float]]
    relations: Sequence[tuple[str, float]] = ()


@dataclass(frozen=True)
class TypeView:
    """A type beside documents and words, and its groups."""

    name: Nouns
    size: int
    groups: Sequence[ObjectGroupView]


@dataclass(frozen=True)
class RelationView:
    """One relation: mutual information of its objects and of their groups in nats, and its share of all.

    `by_group` is its share in each group of documents; None for a relation of other types.
    """

    name: str
    entries: int
    weight: float
    before: float
    after: float
    share: float
    by_group: Sequence[float] | None


@dataclass(frozen=True)
class TreeRowView:
    """A line of the tree of groups: a group with its `number`, or several that join (`number` is None).

    `lines` tells for each level above whether its line goes on below; the last one is that of the row.
    """

    lines: Sequence[bool]
    name: str
    size: int
    number: int | None


@dataclass(frozen=True)
class ColumnCountsView:
    """A column of the input: its bins, and how many documents each group has in each, and without a value.

    `unit` is the length of a bin of dates, such as month; empty for categories.
    """

    name: str
    unit: str
    bins: Sequence[str]
    counts: Sequence[Sequence[int]]
    missing: Sequence[int]


@dataclass(frozen=True)
class StatementView:
    """One statement of knowledge and its status: kept, broken, contradicted or unknown."""

    number: int
    text: str
    kind: str
    source: str
    status: str
    cost: float
    note: str
    doubtful: bool = False


@dataclass(frozen=True)
class TrustView:
    """The mean trust in the statements of one kind from one source, and how many are doubtful."""

    kind: str
    source: str
    statements: int
    trust: float
    doubtful: int


@dataclass(frozen=True)
class AuditView:
    """The audit of the knowledge: counts by kind and status, and the statements to read first.

    `total` counts statements that the user made, and `lines` their lines: one act can make several.
    `exemplars` counts by status what was added for the groups and stated by nobody, and `frozen` the
    documents of frozen groups; they are in no other count.
    """

    total: int
    by_kind: Mapping[str, Mapping[str, int]]
    statements: Sequence[StatementView]
    contradictions: Sequence[str]
    trusted: Sequence[TrustView] = ()
    exemplars: Mapping[str, int] = field(default_factory=dict)
    frozen: Mapping[str, int] = field(default_factory=dict)
    lines: int = 0


@dataclass(frozen=True)
class ChangeView:
    """Where documents moved because of the knowledge: `flow[i][j]` counts from group i to group j.

    `after_names` are those of `ReportView.groups`; a further one means no group. An example is (id, group
    before, group after, excerpt).
    """

    moved: int
    total: int
    agreement: float
    before_names: Sequence[str]
    after_names: Sequence[str]
    flow: Sequence[Sequence[int]]
    examples: Sequence[tuple[str, str, str, str]]


@dataclass(frozen=True)
class TraceView:
    """The objective of the chosen run, at its start and per iteration, and the final one of every restart."""

    history: Sequence[float]
    restarts: Sequence[float]
    chosen: int
    converged: bool


@dataclass(frozen=True)
class ReportView:
    """Everything on the page. `centre` is the type that is grouped, `terms` the one that describes it."""

    title: str
    summary: str
    facts: Sequence[tuple[str, str]]
    groups: Sequence[GroupView]
    map: MapView
    trace: TraceView
    association: AssociationView | None = None
    audit: AuditView | None = None
    changes: ChangeView | None = None
    warnings: Sequence[str] = field(default_factory=tuple)
    centre: Nouns = DOCUMENT
    terms: Nouns = WORD
    types: Sequence[TypeView] = ()
    relations: Sequence[RelationView] = ()
    columns: Sequence[ColumnCountsView] = ()
    tree: Sequence[TreeRowView] = ()


@dataclass(frozen=True)
class MapGroupView:
    """One group: its number and name, its size, the place of its name (0 to 1), and its first words."""

    number: int
    name: str
    size: int
    x: float = 0.5
    y: float = 0.5
    words: Sequence[str] = ()


@dataclass(frozen=True)
class GroupWordsView:
    """One group and its most characteristic words with their scores, best first."""

    number: int
    name: str
    size: int
    words: Sequence[tuple[str, float]] = ()


@dataclass(frozen=True)
class MapColumnView:
    """One column of the input: its distinct values, and the position of each document's value (-1: none)."""

    name: str
    values: Sequence[str]
    codes: Sequence[int]


@dataclass(frozen=True)
class DocumentMapView:
    """The documents on a map of its own; sequences have one entry for each document that is drawn.

    `group` has the position of each document's group in `groups`. `stated` tells for which documents
    the user named the group. Texts are cut to `text_length` characters, where it is not None.
    """

    title: str
    groups: Sequence[MapGroupView]
    x: Sequence[float]
    y: Sequence[float]
    group: Sequence[int]
    confidence: Sequence[float]
    ids: Sequence[str]
    titles: Sequence[str]
    texts: Sequence[str]
    stated: Sequence[bool]
    columns: Sequence[MapColumnView] = ()
    total: int = 0
    text_length: int | None = None
    centre: Nouns = DOCUMENT
    terms: Nouns = WORD
