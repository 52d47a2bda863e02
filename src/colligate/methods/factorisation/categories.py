"""Labels as a third type: the categories that were told, and which objects of the centre belong to them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from colligate.knowledge.faces import one_hot
from colligate.network import ObjectType, Relation

if TYPE_CHECKING:
    from colligate.knowledge import Guidance
    from colligate.network import Network

CATEGORIES = "categories"


def with_categories(network: Network, known: Guidance) -> Network:
    """The network with a relation between the centre and the labels told of it.

    The network stays as it is where no label is told, and where it has categories of its own.
    """
    if known.labels is None or CATEGORIES in network.types:
        return network
    told = one_hot(known.labels, len(known.label_names))
    relation = Relation(network.centre, CATEGORIES, told)
    types = {**network.types, CATEGORIES: ObjectType(CATEGORIES, known.label_names)}
    return replace(network, types=types, relations=(*network.relations, relation))
