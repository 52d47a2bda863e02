"""The start file: the group in which every object starts, so that a run from present groups can be repeated.

JSON: {"format": "colligate-start", "format_version": 1, "groups": {"documents": {"a12": 0, …}, "words": …}}.
An object that is not in the file starts in no group. There is no hash, so that users can write one by hand.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.atomic import write_file
from colligate._storage.manifest import read_object
from colligate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.network import Network

    Labels = NDArray[np.integer[Any]]

FORMAT = {"format": "colligate-start", "format_version": 1}
ADVICE = "export it again"


def write_start(path: Path, network: Network, labels: Mapping[str, Labels]) -> None:
    """Write the groups of types by the names of their objects."""
    groups = {kind: _groups_by_name(network, kind, of_kind) for kind, of_kind in labels.items()}
    with write_file(path) as temporary:
        temporary.write_text(json.dumps({**FORMAT, "groups": groups}, ensure_ascii=False), encoding="utf-8")


def _groups_by_name(network: Network, kind: str, labels: Labels) -> dict[str, int]:
    names = network.types[kind].names
    return {str(name): label for name, label in zip(names, labels.tolist(), strict=True) if label >= 0}


def read_start(path: Path, network: Network) -> dict[str, NDArray[np.int64]]:
    """Read the groups in the order of the network's objects; refuse names the network does not have."""
    content = read_object(path, ADVICE)
    if {name: content.get(name) for name in FORMAT} != FORMAT:
        raise InputError(f"{path} is not a start file; the studio writes such files")
    groups = content.get("groups")
    if not isinstance(groups, dict) or not all(isinstance(of_kind, dict) for of_kind in groups.values()):
        raise InputError(f"{path} is damaged: its 'groups' do not map each type to its groups; {ADVICE}")
    return {kind: _labels_in_order(path, network, kind, of_kind) for kind, of_kind in groups.items()}


def _labels_in_order(path: Path, network: Network, kind: str, groups: dict[str, Any]) -> NDArray[np.int64]:
    if kind not in network.types:
        raise InputError(f"{path} has groups of {kind!r:.60}; this run has {', '.join(network.types)}")
    labels = [groups.pop(str(name), -1) for name in network.types[kind].names]
    if groups:
        raise InputError(f"{path} has {next(iter(groups))!r:.60}, which is not among the {kind} of this run")
    if not all(type(label) is int and -1 <= label < 2**31 for label in labels):
        raise InputError(f"{path}: the groups of {kind} must be whole numbers of at least 0")
    return np.array(labels, dtype=np.int64)


def start_parameters(start: Mapping[str, Labels], network: Network, method: type[Any]) -> dict[str, Any]:
    """Return the parameters that make a method start from these groups; refuse a method that cannot."""
    if not supports_start(method):
        raise InputError(f"{method.name} cannot start from given groups; leave out the start")
    parameters: dict[str, Any] = {"init": start[network.centre]} if network.centre in start else {}
    if network.terms is not None and network.terms in start and "word_init" in method.domains:
        parameters["word_init"] = start[network.terms]
    return parameters


def supports_start(method: type[Any]) -> bool:
    """Return whether a method can start from given groups of documents."""
    return bool(getattr(method.domains.get("init"), "array", False))
