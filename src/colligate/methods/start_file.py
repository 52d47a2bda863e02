"""The start of a run from present groups: where every object starts, and what each group is called.

The start file is JSON: {"format": "colligate-start", "format_version": 2, "groups": {"documents": {"a12": 0,
…}, "words": …}}. An object that is not in the file starts in no group. The other keys may be missing:
`numbers` and `names` of the groups, `labels` (the group of each name in the knowledge), `words` (the names
among them that are only words of a group), `word_names` (the words that each group is called by and keeps if
it changes little), `descriptions` (what a language model wrote about each), `temperature`, `doubt`,
`calibration_clusters`, and `weight` (of staying). There is no hash, so that users can write one by hand.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from colligate._storage.atomic import write_file
from colligate._storage.manifest import (
    INTEGER,
    INTEGER_MAP,
    INTEGERS,
    NUMBER,
    STRINGS,
    check_schema,
    nullable,
    read_object,
)
from colligate.errors import InputError
from colligate.result.descriptions import Description, pack_descriptions, unpack_descriptions
from colligate.result.groups import keep_names

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.network import Network
    from colligate.result import Result

    Labels = NDArray[np.integer[Any]]

Name = TypeVar("Name")
FORMAT = {"format": "colligate-start", "format_version": 2}
ADVICE = "export it again"
OPTIONAL = {
    "numbers": INTEGERS,
    "names": STRINGS,
    "labels": INTEGER_MAP,
    "words": STRINGS,
    "word_names": STRINGS,
    "temperature": nullable(NUMBER),
    "doubt": nullable(NUMBER),
    "calibration_clusters": nullable(INTEGER),
    "weight": NUMBER,
}
TUPLES = ("numbers", "names", "words", "word_names")


@dataclass(frozen=True, eq=False)
class StartGroups:
    """Groups to start from.

    `groups` has the group of every object, by type. `numbers` are the lasting numbers of the groups of the
    centre and `names` those that the user gave, empty where there are none. `labels` has the group of each
    name in the knowledge; those in `words` are only the words of a group before the run, so they do not name
    it after the run. `word_names` are the words that each group was called by, empty where it gets new ones,
    and `descriptions` what a language model wrote about it.
    `temperature`, `doubt`, `calibration_clusters` and `weight` are those of `Colligate`: runs of one project
    keep them, so that the confidence of two runs can be compared.
    """

    groups: Mapping[str, Labels]
    numbers: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    labels: Mapping[str, int] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    word_names: tuple[str, ...] = ()
    descriptions: tuple[Description, ...] = ()
    temperature: float | None = None
    doubt: float | None = None
    calibration_clusters: int | None = None
    weight: float = 0.0

    def count(self, centre: str) -> int:
        """Return the number of groups of the centre."""
        return len(self.numbers) or int(self.groups[centre].max(initial=-1)) + 1

    def parameters(self, network: Network, method: type[Any]) -> dict[str, Any]:
        """Return the parameters that make a method start from these groups; refuse a method that cannot."""
        if self.groups and not supports_start(method):
            raise InputError(
                f"{method.name} cannot start from existing groups; leave out the start file, or choose "
                "another method, such as colligate"
            )
        parameters: dict[str, Any] = {}
        if network.centre in self.groups:
            parameters = {"init": self.groups[network.centre], "n_clusters": self.count(network.centre)}
            parameters |= {
                "n_init": 1,
                "init_names": dict(self.labels),
                "init_weight": self.weight,
            }
            if self.temperature is not None:
                # runs of earlier versions had a temperature and no doubt
                parameters |= {"temperature": self.temperature, "doubt": self.doubt or 0.0}
            if self.calibration_clusters is not None:
                parameters["calibration_clusters"] = self.calibration_clusters
        if network.terms is not None and network.terms in self.groups:
            parameters["word_init"] = self.groups[network.terms]
            parameters["n_word_clusters"] = int(self.groups[network.terms].max(initial=-1)) + 1
        accepted = method().get_params(deep=False)
        return {name: value for name, value in parameters.items() if name in accepted}

    def number_groups(self, result: Result) -> Result:
        """Give the groups of a run from here their numbers and names.

        Groups of a run keep the order of its start. Where their documents went says nothing: a group may
        lose most of them to a new one.
        """
        if not self.numbers:
            return result
        return replace(
            result,
            group_numbers=self.numbers,
            given_names=self.names,
            word_names=self._keep(result, self.word_names, ""),
            descriptions=self._keep(result, self.descriptions, Description()),
            provisional_names=self.words,
        )

    def _keep(self, result: Result, names: tuple[Name, ...], empty: Name) -> tuple[Name, ...]:
        """Return what groups are called still, since the run changed them little."""
        start = self.groups.get(result.centre)
        if not names or start is None:
            return names
        by_position = dict(enumerate(names))
        return keep_names(by_position, start, result.labels[result.centre], range(len(self.numbers)), empty)


def write_start(path: Path, network: Network, start: StartGroups) -> None:
    """Write a start file; objects go by their names."""
    groups = {kind: _groups_by_name(network, kind, of_kind) for kind, of_kind in start.groups.items()}
    content = {name: getattr(start, name) for name in OPTIONAL}
    if start.descriptions:
        content["descriptions"] = pack_descriptions(start.descriptions)
    with write_file(path) as temporary:
        text = json.dumps({**FORMAT, **content, "groups": groups}, ensure_ascii=False)
        temporary.write_text(text, encoding="utf-8")


def _groups_by_name(network: Network, kind: str, labels: Labels) -> dict[str, int]:
    names = network.types[kind].names
    return {str(name): label for name, label in zip(names, labels.tolist(), strict=True) if label >= 0}


def read_start(path: Path, network: Network) -> StartGroups:
    """Read a start file; refuse names the network does not have, and numbers or names that do not fit."""
    content = read_object(path, ADVICE)
    if {name: content.get(name) for name in FORMAT} != FORMAT:
        raise InputError(
            f"{path} is not a start file of this version of Colligate; export a start file from the studio"
        )
    groups = content.get("groups")
    if not isinstance(groups, dict) or not all(isinstance(of_kind, dict) for of_kind in groups.values()):
        raise InputError(f"{path} is damaged: its 'groups' do not have the right form; {ADVICE}")
    more = {name: content[name] for name in OPTIONAL if name in content}
    check_schema(more, {name: OPTIONAL[name] for name in more}, path, ADVICE)
    labels = {kind: _labels_in_order(path, network, kind, of_kind) for kind, of_kind in groups.items()}
    descriptions = unpack_descriptions(content.get("descriptions", []), path, ADVICE)
    tuples: dict[str, Any] = {name: tuple(more.get(name, ())) for name in TUPLES}
    start = StartGroups(labels, **{**more, **tuples, "descriptions": descriptions})
    _check_start(path, start, network)
    return start


def _check_start(path: Path, start: StartGroups, network: Network) -> None:
    """Refuse numbers, names and labels that do not fit the groups."""
    largest = int(start.groups.get(network.centre, np.zeros(0)).max(initial=-1))
    count = len(start.numbers) or largest + 1
    if start.numbers and (largest >= count or len(set(start.numbers)) < count or min(start.numbers) < 0):
        raise InputError(
            f"{path} is damaged: 'numbers' must contain a different number of at least 0 for each group; "
            f"{ADVICE}"
        )
    lengths = {len(start.names), len(start.word_names), len(start.descriptions)}
    if lengths - {0, count} or any(not 0 <= group < count for group in start.labels.values()):
        raise InputError(
            f"{path} is damaged: it has {count} groups, but its 'names' or 'labels' are for another number "
            f"of groups; {ADVICE}"
        )


def _labels_in_order(path: Path, network: Network, kind: str, groups: dict[str, Any]) -> NDArray[np.int64]:
    if kind not in network.types:
        raise InputError(
            f"{path} has groups of {kind!r:.60}, but the types of this run are {', '.join(network.types)}; "
            "use the documents for which the file was written"
        )
    labels = [groups.pop(str(name), -1) for name in network.types[kind].names]
    if groups:
        raise InputError(
            f"{path} has {next(iter(groups))!r:.60}, which is not among the {kind} of this run; use the "
            "documents for which the file was written"
        )
    if not all(type(label) is int and -1 <= label < 2**31 for label in labels):
        raise InputError(
            f"{path} is damaged: the groups of {kind} must be whole numbers of at least 0; {ADVICE}"
        )
    return np.array(labels, dtype=np.int64)


def binds_names(method: type[Any]) -> bool:
    """Return whether a method can be told which group of the start a name of the knowledge means."""
    return "init_names" in method.domains


def supports_start(method: type[Any]) -> bool:
    """Return whether a method can start from given groups of documents."""
    return bool(getattr(method.domains.get("init"), "array", False))
