"""What the factorisations of a whole network add: which networks they take, and what each relation counts.

A weight is the share of a relation in all that is to be explained: Σ_r weight_r·‖R_r − …‖²/‖R_r‖², times a
constant that makes it ‖R − …‖² for one relation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from colligate.errors import InputError
from colligate.methods import domains
from colligate.methods.factorisation.pieces import make_pieces
from colligate.methods.factorisation.profiles import Profiled
from colligate.methods.schema import check_centre
from colligate.methods.weights import MOST, shares, with_weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.methods.domains import Domain
    from colligate.methods.factorisation.pieces import Piece
    from colligate.network import Network

PLAIN = "plain"


class NetworkFactorisation(Profiled):
    """Takes any network whose centre takes part in a relation, and in which no type is related to itself."""

    domains: ClassVar[Mapping[str, Domain]] = {
        **Profiled.domains,
        "relation_weights": domains.ByName(
            domains.Choice(("share", PLAIN)), "names of relations", domains.Real(0.0, MOST)
        ),
    }

    relation_weights: str | Mapping[str, float]

    def check_network(self, network: Network) -> None:
        """Refuse a network whose centre stands alone, and relations of a type with itself."""
        for relation in network.relations:
            if relation.rows == relation.columns:
                raise InputError(
                    f"{self.name} cannot take {relation.name}, a relation of a type with itself; leave it "
                    "out, or choose hinc or chinc"
                )
        check_centre(self.name, network)

    def weighed(self, network: Network) -> tuple[Network, tuple[Piece, ...]]:
        """The network with the weights of its relations, and the relations with what follows from them."""
        pieces = make_pieces(network, self.weighting)
        norms = [piece.squared_norm for piece in pieces]
        whole = sum(norms)
        plain = [norm / max(whole, 1e-300) for norm in norms]
        found = with_weights(
            network, self.relation_weights, plain if self.relation_weights == PLAIN else shares(network)
        )
        weights = [float(relation.weight or 0.0) for relation in found.relations]
        return found, tuple(
            replace(piece, weight=weight * whole / max(norm, 1e-300))
            for piece, weight, norm in zip(pieces, weights, norms, strict=True)
        )
