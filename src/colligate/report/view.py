"""What a report shows, as plain data. The report renders this and knows nothing of methods or results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Nouns:
    """What one object of a type is called, and what several are."""

    one: str
    many: str


DOCUMENT, WORD = Nouns("document", "documents"), Nouns("word", "words")


@dataclass(frozen=True)
class DocumentView:
    """One example document of a group."""

    id: str
    excerpt: str
    confidence: float
    why: Sequence[tuple[str, float]] = ()


@dataclass(frozen=True)
class GroupView:
    """One group of documents. `x`, `y` (0 to 1) is the place of its name on the map.

    `objects` holds for each further type the (name, score) of those that mark the group.
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
    """One group of words with its strongest words."""

    number: int
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
    """One group of a further type; `goes_with` holds (number of a group of documents, share of this one).

    `told_by` holds (relation, share of what tells the group apart), where several relations do.
    """

    number: int
    name: str
    size: int
    members: Sequence[str]
    goes_with: Sequence[tuple[int, float]]
    told_by: Sequence[tuple[str, float]] = ()


@dataclass(frozen=True)
class TypeView:
    """A type beside documents and words, and its groups."""

    name: Nouns
    size: int
    groups: Sequence[ObjectGroupView]


@dataclass(frozen=True)
class RelationView:
    """One relation: the information of its objects and of their groups in nats, its share of what all keep.

    `by_group` is its share of what marks each group of documents; None for a relation of other types.
    """

    name: str
    entries: int
    weight: float
    before: float
    after: float
    share: float
    by_group: Sequence[float] | None


@dataclass(frozen=True)
class StatementView:
    """One statement of knowledge and what became of it: kept, broken, contradicted, unknown."""

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
    """How far the statements of one kind from one source are trusted, and how many are doubtful."""

    kind: str
    source: str
    statements: int
    trust: float
    doubtful: int


@dataclass(frozen=True)
class AuditView:
    """The account of the knowledge: counts by kind and status, and the statements worth reading."""

    total: int
    by_kind: Mapping[str, Mapping[str, int]]
    statements: Sequence[StatementView]
    contradictions: Sequence[str]
    trusted: Sequence[TrustView] = ()


@dataclass(frozen=True)
class ChangeView:
    """Where documents went because of the knowledge: `flow[i][j]` counts before-group i to now-group j.

    `after_names` follow `ReportView.groups`, and what stands after them is no group.
    An example is (id, name before, name now, excerpt).
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
    """The objective per sweep of the chosen run, and the final objective of every restart.

    Where a method starts from what `runs` of its own agree on, `stability` is the mean share of them that put
    a document where it is, for each group by its number (NaN for empty ones), and for all.
    """

    history: Sequence[float]
    restarts: Sequence[float]
    chosen: int
    converged: bool
    runs: int = 0
    stability: tuple[Sequence[float], float] | None = None


@dataclass(frozen=True)
class ReportView:
    """Everything on the page. `centre` is what is grouped, `terms` what describes it."""

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
