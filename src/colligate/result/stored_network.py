"""The network of a stored result: in a folder of its own, or nowhere if the corpus says it all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.network import Network, ObjectType, Relation

if TYPE_CHECKING:
    from pathlib import Path

    from colligate.corpus import Corpus

FOLDER = "network"


def save_network(network: Network, corpus: Corpus | None, folder: Path) -> dict[str, Any]:
    """Write the network; what comes back goes into the manifest."""
    if corpus is not None and _same(network, Network.from_corpus(corpus)):
        return {"same_as": "corpus", "weight": network.relations[0].weight}
    network.save(folder / FOLDER)
    return {"same_as": None}


def load_network(stored: dict[str, Any], corpus: Corpus | None, folder: Path) -> Network:
    """Read what `save_network` wrote."""
    if corpus is None or stored["same_as"] != "corpus":
        return Network.load(folder / FOLDER)
    network = Network.from_corpus(corpus)
    weighted = (replace(relation, weight=stored.get("weight")) for relation in network.relations)
    return Network(network.types, tuple(weighted))


def _same(one: Network, other: Network) -> bool:
    """Whether two networks are the same but for the weights of their relations."""
    if list(one.types) != list(other.types) or len(one.relations) != len(other.relations):
        return False
    if any(_listed(one.types[name]) != _listed(other.types[name]) for name in one.types):
        return False
    return all(_same_relation(a, b) for a, b in zip(one.relations, other.relations, strict=True))


def _listed(kind: ObjectType) -> list[str] | range:
    return kind.names if isinstance(kind.names, range) else list(kind.names)


def _same_relation(one: Relation, other: Relation) -> bool:
    if (one.name, one.matrix.shape) != (other.name, other.matrix.shape):
        return False
    return all(
        getattr(one.matrix, part).dtype == getattr(other.matrix, part).dtype
        and np.array_equal(getattr(one.matrix, part), getattr(other.matrix, part))
        for part in ("data", "indices", "indptr")
    )
