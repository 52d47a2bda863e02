"""What the relations count in the information methods: their share of all occurrences, given, or learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.methods import weights
from colligate.methods.information.learned import learned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.kernels import Kernels
    from colligate.network import Network


def with_weights(
    network: Network, asked: str | Mapping[str, float], sizes: Mapping[str, int], kernels: Kernels
) -> Network:
    """The same network, every relation with its weight.

    `asked` is a rule, `share` or `learned`, or a mapping; the rule is the share where that leaves some out.
    """
    ruled = weights.shares(network)
    if asked == "learned" and len(network.relations) > 1:
        ruled = learned(weights.weighted(network, ruled), sizes, kernels)
    return weights.with_weights(network, asked, ruled)
