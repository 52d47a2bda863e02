"""The claims of all five papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from experiments.claims import paper000, paper001, paper002, paper003, paper004

if TYPE_CHECKING:
    from experiments.runner.claims import Claim


def all_claims() -> tuple[Claim, ...]:
    """List them in the order of the papers."""
    papers = (paper000, paper001, paper002, paper003, paper004)
    return tuple(claim for paper in papers for claim in paper.CLAIMS)
