"""The start file: which group every object begins in, so that a run that went on can be made again.

JSON: {"format": "colligate-start", "format_version": 1, "groups": {"documents": {"a12": 0, …}, "words": …}}.
An object that is not in it begins in no group. There is no digest, so that a user can write one by hand.
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
    """Write the groups of some types by the names of their objects."""
    groups = {kind: _by_name(network, kind, own) for kind, own in labels.items()}
    with write_file(path) as temporary:
        temporary.write_text(json.dumps({**FORMAT, "groups": groups}, ensure_ascii=False), encoding="utf-8")


def read_start(path: Path, network: Network) -> dict[str, NDArray[np.int64]]:
    """Read the groups in the order of the network's objects; what it names that is not there is refused."""
    return {
        kind: _in_order(path, network, kind, own) for kind, own in _groups(path).items() if own is not None
    }


def start_parameters(start: Mapping[str, Labels], network: Network, method: type[Any]) -> dict[str, Any]:
    """The parameters by which a method begins from given groups; a method that cannot is refused."""
    if not supports_start(method):
        raise InputError(f"{method.name} cannot begin from given groups; leave out the start")
    found: dict[str, Any] = {"init": start[network.centre]} if network.centre in start else {}
    if network.terms is not None and network.terms in start and "word_init" in method.domains:
        found["word_init"] = start[network.terms]
    return found


def supports_start(method: type[Any]) -> bool:
    """Whether a method can begin from given groups of documents."""
    return bool(getattr(method.domains.get("init"), "array", False))


def _by_name(network: Network, kind: str, labels: Labels) -> dict[str, int]:
    names = network.types[kind].names
    return {str(name): label for name, label in zip(names, labels.tolist(), strict=True) if label >= 0}


def _groups(path: Path) -> dict[str, Any]:
    found = read_object(path, ADVICE)
    if {name: found.get(name) for name in FORMAT} != FORMAT:
        raise InputError(f"{path} is not a start file; the studio writes such files")
    groups = found.get("groups")
    if not isinstance(groups, dict) or not all(isinstance(own, dict) for own in groups.values()):
        raise InputError(f"{path} holds no groups by type; export it again")
    return groups


def _in_order(path: Path, network: Network, kind: str, own: dict[str, Any]) -> NDArray[np.int64]:
    if kind not in network.types:
        raise InputError(f"{path} speaks of {kind!r:.60}; the types here are {', '.join(network.types)}")
    labels = [own.pop(str(name), -1) for name in network.types[kind].names]
    if own:
        raise InputError(f"{path} names {next(iter(own))!r:.60}, which is not among the {kind} here")
    if not all(type(label) is int and -1 <= label < 2**31 for label in labels):
        raise InputError(f"{path}: the groups of {kind} must be whole numbers from 0 on")
    return np.array(labels, dtype=np.int64)
