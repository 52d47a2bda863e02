"""What memberships G of one type are asked beside the relations, with the two parts of its gradient.

    ρ·Σ_{k≠l} ⟨g_k, g_l⟩ + α·‖G_known − G0‖² + β·½Σ A_ij·‖g_i − g_j‖² + β·Σ B_ij·⟨g_i, g_j⟩

g_k are the columns of G, of unit length, and g_i its rows; A and B hold the links together and apart. Half
the gradient is loss − gain, both never negative, which is all that a multiplicative update needs. No term can
fall below 0, so that no knowledge, however strong, drives the memberships to infinity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


class Terms(NamedTuple):
    """A part of the objective at some memberships: its value, and half its gradient as loss − gain."""

    value: float
    gain: Floats
    loss: Floats


@dataclass(frozen=True, eq=False)
class Anchor:
    """α·‖G − G0‖² over the objects of which something is known; the others are free.

    Statement `statement[e]` told something of the known object number `owner[e]`.
    """

    known: Ints
    target: Floats
    weight: float
    owner: Ints
    statement: Ints

    def add_to(self, terms: Terms, G: Floats) -> Terms:
        """Add the pull of the known rows."""
        terms.gain[self.known] += self.weight * self.target
        terms.loss[self.known] += self.weight * G[self.known]
        apart = float(np.square(G[self.known] - self.target).sum())
        return terms._replace(value=terms.value + self.weight * apart)


@dataclass(frozen=True, eq=False)
class LinkPenalty:
    """Links through the `split` face of guidance, so that implied pairs are never listed.

    The links of an object share its weight: A_ij is the strength times scale_i·scale_j, with scale 1/√(sum of
    the object's strengths) where that is above 1, and `degree` holds the row sums of A.
    """

    guidance: Guidance
    scale: Floats
    degree: Floats
    weight: float

    @classmethod
    def of(cls, guidance: Guidance, weight: float) -> LinkPenalty:
        """Find the scales and degrees."""
        together, apart = guidance.split(np.ones((guidance.size, 1)))
        scale = 1.0 / np.sqrt(np.maximum(together + apart, 1.0))
        return cls(guidance, scale, scale * guidance.split(scale)[0], weight)

    def add_to(self, terms: Terms, G: Floats) -> Terms:
        """Charge tied objects for memberships that differ, and separate ones for those they share."""
        together, apart = self.guidance.split(self.scale * G)
        gain = self.weight * self.scale * together
        loss = self.weight * (self.degree * G + self.scale * apart)
        value = terms.value + float(np.vdot(G, loss - gain))
        return Terms(value, terms.gain + gain, terms.loss + loss)


@dataclass(frozen=True, eq=False)
class Partial:
    """tr(G·Q·Gᵀ) over the objects that a relation speaks of: what it charges for explaining too much."""

    there: Bools
    Q: Floats

    def add_to(self, terms: Terms, G: Floats) -> Terms:
        """Charge the rows that are there."""
        own = G[self.there]
        terms.gain[self.there] += own @ np.maximum(-self.Q, 0.0)
        terms.loss[self.there] += own @ np.maximum(self.Q, 0.0)
        return terms._replace(value=terms.value + float(np.vdot(own.T @ own, self.Q)))


@dataclass(frozen=True, eq=False)
class Penalty:
    """All that is asked of the memberships of one type."""

    orthogonality: float
    asked: tuple[Anchor | LinkPenalty | Partial, ...] = ()

    def and_for(self, parts: Iterable[Partial]) -> Penalty:
        """The same with what relations that speak of some objects alone ask of them."""
        return Penalty(self.orthogonality, (*self.asked, *parts))

    def charges(self, n_clusters: int) -> Floats:
        """What each overlap of two columns costs: ρ for those of different ones."""
        return self.orthogonality * (1.0 - np.eye(n_clusters))

    def charge(self, gram: Floats) -> float:
        """What the overlaps of all columns cost."""
        return float(np.vdot(self.charges(len(gram)), gram))

    def terms(self, G: Floats) -> Terms | None:
        """Value, gain and loss at G of all that is asked but orthogonality; None where nothing is."""
        if not self.asked:
            return None
        terms = Terms(0.0, np.zeros_like(G), np.zeros_like(G))
        for part in self.asked:
            terms = part.add_to(terms, G)
        return terms

    def value(self, G: Floats, gram: Floats) -> float:
        """All that is asked, at memberships with these overlaps of columns."""
        told = self.terms(G)
        return self.charge(gram) + (0.0 if told is None else told.value)
