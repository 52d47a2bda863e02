"""What knowledge adds to the scores of documents, given how far each statement is trusted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.mixture.expert import Expert, taught

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.mixture.named import Leaning
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

# how many documents a document counts for that a statement names (EM-λ of Nigam et al., 2000, turned round)
KNOWN = 3.0
LEAST = 0.05
# nats for e-fold as many objects of a category, where the evidence of a document sums to 1
VOTE = 0.2
# nats for a document said to be of a category, and for a link: four times the odds of a hundred to one, since
# scores in nats are too sure (see `calm`)
SAID = 4.0 * float(np.log(100.0))
HALF = 0.5
# names count by this power of the trust in them: what runs doubt is often right and only hard
LENIENCY = 0.2


@dataclass(frozen=True, eq=False)
class Terms:
    """Knowledge as terms of the objective.

    `firm` holds the group of documents with a label, -1 for others; `pull` what documents lean to, in nats;
    `weight` how many documents each counts for; `votes` and `said` what words, and categories of documents,
    say of the group of each; `links` are those between documents, their strengths in nats.
    """

    firm: Labels
    weight: Floats
    pull: Floats | None = None
    votes: Floats | None = None
    links: Guidance | None = None
    expert: Expert | None = None
    said: Floats | None = None


def make_terms(problem: MixtureProblem, trust: Floats, faith: float) -> Terms:
    """The terms of all statements whose trust is above 0; `faith` is what the classifier's nats count."""
    firm, sure = _firm(problem, trust)
    links = _links(problem, trust)
    weight = _weights(problem, firm, sure, links)
    votes = _votes(problem, trust)
    expert = taught(problem, firm, sure, faith)
    said = _said(problem, trust)
    pull = _pull(problem, votes, said)
    if expert is not None:
        pull += expert.nats(np.asarray(problem.views[0].directions.unit), problem.n_groups)
    return Terms(firm, weight, pull if pull.any() else None, votes, links, expert, said)


def with_faith(problem: MixtureProblem, terms: Terms, faith: float) -> Terms:
    """The same terms where the classifier's nats count for more or less."""
    if terms.expert is None or terms.pull is None:
        return terms
    unit, expert = np.asarray(problem.views[0].directions.unit), replace(terms.expert, faith=faith)
    further = expert.nats(unit, problem.n_groups) - terms.expert.nats(unit, problem.n_groups)
    return replace(terms, pull=terms.pull + further, expert=expert)


def _weights(problem: MixtureProblem, firm: Labels, sure: Floats, links: Guidance | None) -> Floats:
    """How many documents each counts for; those with a label, together, for no more than the others."""
    weight: Floats = problem.filled.astype(np.float64)
    if links is not None:
        weight = np.maximum(weight, KNOWN * np.minimum(_tied(links) / SAID, 1.0))
    told = firm >= 0
    free, n_told = int(np.count_nonzero(problem.filled & ~told)), int(np.count_nonzero(told))
    most = float(np.clip(free / max(n_told, 1), 1.0, KNOWN))
    weight[told] = np.maximum(most * sure[told], LEAST)
    return weight


def _firm(problem: MixtureProblem, trust: Floats) -> tuple[Labels, Floats]:
    """The group of every document with a label, and how much the label counts."""
    firm = np.full(problem.n_documents, -1, dtype=np.int32)
    sure = np.zeros(problem.n_documents)
    for leaning in problem.names.leanings:
        if leaning.firm and leaning.kind == problem.network.centre:
            own = counted(leaning, trust)
            used = own > 0
            firm[leaning.member[used]] = problem.group_of_name[leaning.name[used]]
            sure[leaning.member[used]] = own[used]
    return firm, sure


def counted(leaning: Leaning, trust: Floats) -> Floats:
    """How much every entry of a leaning counts, by how far it is trusted."""
    return _trust_in(leaning.statement, trust) ** LENIENCY


def _trust_in(statement: NDArray[np.int64], trust: Floats) -> Floats:
    """The trust in statements by their numbers; what follows from none is trusted."""
    return np.where(statement >= 0, trust[statement], 1.0)


def _votes(problem: MixtureProblem, trust: Floats) -> Floats | None:
    """How much of what leans to each group the documents have; None if nothing but documents leans."""
    centre = problem.network.centre
    return _leant(problem, trust, [own for own in problem.names.leanings if own.kind != centre])


def _said(problem: MixtureProblem, trust: Floats) -> Floats | None:
    """How strongly documents are said to be of each group; None if none is."""
    centre = problem.network.centre
    own = [own for own in problem.names.leanings if own.kind == centre and not own.firm]
    return _leant(problem, trust, own)


def _leant(problem: MixtureProblem, trust: Floats, leanings: Sequence[Leaning]) -> Floats | None:
    """What some leanings say of the documents, by group; None if there are none."""
    found = None
    for leaning in leanings:
        own = problem.names.votes(problem.network, leaning, counted(leaning, trust))
        found = own if found is None else found + own
    return None if found is None else _by_group(problem, np.asarray(found.todense()))


def _pull(problem: MixtureProblem, votes: Floats | None, said: Floats | None) -> Floats:
    found = np.zeros((problem.n_documents, problem.n_groups))
    if votes is not None:
        found += VOTE * problem.mass[:, None] * np.log1p(votes)
    if said is not None:
        found += SAID * said
    return found


def _by_group(problem: MixtureProblem, by_name: Floats) -> Floats:
    """Columns of names as columns of their groups."""
    found = np.zeros((len(by_name), problem.n_groups))
    for name, group in enumerate(problem.group_of_name.tolist()):
        found[:, group] += by_name[:, name]
    return found


def _links(problem: MixtureProblem, trust: Floats) -> Guidance | None:
    """The links between documents with strengths in nats; members of groups count if they are trusted."""
    known = problem.known
    if known is None or "links" not in known.kinds:
        return None
    own = _trust_in(known.pairs.statement, trust)
    pairs = replace(known.pairs, strength=SAID * known.pairs.strength * own)
    groups = []
    for links in known.groups:
        keep = _trust_in(links.statement, trust) > HALF
        groups.append(
            replace(
                links,
                member=links.member[keep],
                group=links.group[keep],
                statement=links.statement[keep],
                together=SAID * links.together,
                apart=SAID * links.apart,
            )
        )
    return replace(known, pairs=pairs, groups=tuple(groups))


def _tied(links: Guidance) -> Floats:
    """The strongest link of every document."""
    found = np.zeros(links.size)
    for side in (links.pairs.left, links.pairs.right):
        np.maximum.at(found, side, links.pairs.strength)
    for groups in links.groups:
        found[groups.member] = np.maximum(found[groups.member], max(groups.together, groups.apart))
    return found
