"""What the methods for networks of any schema add: parameters for further types and for relations."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from colligate.methods import domains
from colligate.methods.information.coclustering import CoClustering
from colligate.methods.schema import check_centre
from colligate.methods.weights import MOST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.methods.domains import Domain
    from colligate.network import Network

FURTHER: dict[str, Domain] = {
    "n_entity_clusters": domains.ByName(domains.Integer(1, none=True), "types", domains.Integer(1)),
    "relation_weights": domains.ByName(
        domains.Choice(("share", "learned")), "names of relations", domains.Real(0.0, MOST)
    ),
}


class Networked(CoClustering):
    """Takes any network whose centre takes part in a relation."""

    domains: ClassVar[Mapping[str, Domain]] = {**CoClustering.domains, **FURTHER}

    def check_network(self, network: Network) -> None:
        """Refuse a network whose centre stands alone."""
        check_centre(self.name, network)
