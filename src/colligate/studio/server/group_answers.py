"""The shapes of answers about groups, words and the network, as the OpenAPI document tells them."""

from typing import TypedDict


class WordWeight(TypedDict):
    """A word and how much it tells."""

    word: str
    weight: float


class EntityWeight(TypedDict):
    """An object of a further type and how much it tells."""

    type: str
    name: str
    weight: float


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


class Membership(TypedDict):
    """How much a document belongs to a group."""

    group: int
    membership: float


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
