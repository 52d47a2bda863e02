"""What knowledge adds to the scores of documents, given how far each statement is trusted.

Names that knowledge gives to groups: a label, or a category of words, is the name of one group.

A classifier taught by the labels alone.

It sees what separates the groups, where the mixture sees what they hold.

Links between words, or between other objects that documents have: they share what is learned of them.

A linked object o gets three further occurrences for each, divided among the groups as links want it:
ψ_ok ∝ r_ok·exp(Σ_j A_oj·ψ_jk), with r_ok the share of o's evidence in group k and A the links in nats.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate._array import one_hot
from colligate.network import list_parts, orient_matrix

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.mixture.em import Position
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.network import Network, Part

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

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
# the inverse of the ridge, for directions of unit length
FREEDOM = 10.0
STEPS = 100
# nats for a link: odds of a hundred to one
FEATURE_LINK_NATS = float(np.log(100.0))
ROUNDS = 3
TURNS = 4
TINY = 1e-300


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


@dataclass(frozen=True, eq=False)
class Leaning:
    """What is known of the objects of a type: entry e says that `member[e]` leans to the name `name[e]`.

    `firm` entries are labels; the others lean with a `strength`.
    """

    kind: str
    member: Ints
    name: Ints
    strength: Floats
    statement: Ints
    firm: bool


@dataclass(frozen=True, eq=False)
class Names:
    """The names in the order in which they are told, and all that leans to them."""

    names: tuple[str, ...]
    leanings: tuple[Leaning, ...]

    @classmethod
    def of(cls, network: Network, guidance: Mapping[str, Guidance]) -> Names:
        """Those of the centre first, then of the other types in the order of the network."""
        numbers: dict[str, int] = {}
        kinds = sorted(guidance, key=lambda kind: (kind != network.centre, list(network.types).index(kind)))
        found = [leaning for kind in kinds for leaning in _told(kind, guidance[kind], numbers)]
        return cls(tuple(numbers), tuple(found))

    def votes(self, network: Network, leaning: Leaning, weight: Floats) -> sparse.csr_array:
        """How many objects that lean to each name the documents have, however often they have them.

        Entries of a leaning have a `weight`.
        """
        shape = (len(network.types[leaning.kind]), len(self.names))
        entries = (leaning.strength * weight, (leaning.member, leaning.name))
        matrix = sparse.csr_array(sparse.coo_array(entries, shape=shape))
        if leaning.kind == network.centre:
            return matrix
        around = [part for part in list_parts(network, network.centre) if part.other == leaning.kind]
        found = sparse.csr_array((len(network.types[network.centre]), len(self.names)))
        for part in around:
            found = found + present(orient_matrix(network, part)) @ matrix
        return sparse.csr_array(found)


def present(counts: sparse.csr_array) -> sparse.csr_array:
    """1 for all that a document has."""
    return sparse.csr_array((counts > 0).astype(np.float64))


def _told(kind: str, known: Guidance, numbers: dict[str, int]) -> Iterator[Leaning]:
    if known.labels is not None:
        told = one_hot(known.labels, len(known.label_names)).tocoo()
        statements = known.label_statements
        own = np.full(len(told.data), -1) if statements is None else statements[told.coords[0]]
        yield _leaning(kind, told, known.label_names, own, numbers, firm=True)
    if known.seeds is not None:
        told = sparse.coo_array(known.seeds.matrix)
        yield _leaning(kind, told, known.seeds.categories, known.seeds.statement, numbers, firm=False)


def _leaning(
    kind: str,
    told: sparse.coo_array,
    names: tuple[str, ...],
    statement: Ints,
    numbers: dict[str, int],
    *,
    firm: bool,
) -> Leaning:
    common = np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)
    member, name = (np.asarray(side, dtype=np.int64) for side in told.coords)
    return Leaning(kind, member, common[name], np.asarray(told.data, dtype=np.float64), statement, firm)


@dataclass(frozen=True, eq=False)
class Expert:
    """Weights of the directions and an offset for every group with labels, of those inside.

    `faith` is what its nats count.
    """

    groups: Labels
    slope: Floats
    offset: Floats
    faith: float
    n_inside: int

    def nats(self, unit: NDArray[Any], n_groups: int) -> Floats:
        """The log-probability of groups over a guess, by what it counts.

        Between groups with labels and those without it has no say: these have the most of those. Groups of
        outsiders have a guess's.
        """
        scores = np.asarray(unit @ self.slope) + self.offset
        scores -= scores.max(axis=1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
        scores = self.faith * (scores + np.log(scores.shape[1]))
        found = np.zeros((len(scores), n_groups))
        found[:, : self.n_inside] = scores.max(axis=1, keepdims=True)
        found[:, self.groups] = scores
        return found


def taught(problem: MixtureProblem, firm: Labels, sure: Floats, faith: float) -> Expert | None:
    """Logistic regression on directions; None unless two groups have labels to learn from."""
    told = np.flatnonzero((firm >= 0) & problem.filled)
    groups = np.unique(firm[told])
    if len(groups) < 2:
        return None
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=FREEDOM, max_iter=STEPS)
    with warnings.catch_warnings():
        # where it stands after so many steps is good enough
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", UserWarning)
        model.fit(np.asarray(problem.views[0].directions.unit)[told], firm[told], sure[told])
    slope, offset = model.coef_.T, model.intercept_
    if len(groups) == 2:
        slope, offset = np.column_stack([-slope / 2, slope / 2]), np.append(-offset / 2, offset / 2)
    slope, offset = np.asarray(slope, np.float64), np.asarray(offset, np.float64)
    return Expert(groups, slope, offset, faith, problem.n_inside)


@dataclass(frozen=True, eq=False)
class Ties:
    """Further occurrences for some columns: `counts` is columns × groups."""

    columns: Ints
    counts: Floats


def linked_parts(problem: MixtureProblem) -> Iterator[tuple[Part, Guidance]]:
    """The relations of the documents whose other side has links, and these."""
    centre = problem.network.centre
    for part in list_parts(problem.network, centre):
        known = problem.guidance.get(part.other)
        if part.other != centre and known is not None and "links" in known.kinds:
            yield part, known


def make_ties(problem: MixtureProblem, at: Position) -> Ties:
    """What the links of other types than documents add, as things stand."""
    columns, counts = [np.zeros(0, dtype=np.int64)], [np.zeros((0, problem.n_groups))]
    evidence = np.bincount(problem.evidence.indices, problem.evidence.data, problem.evidence.n_columns)
    for part, known in linked_parts(problem):
        own = evidence[part.start : part.stop]
        where = np.flatnonzero(_linked(known) & (own > 0))
        shares = np.exp(at.lifts[part.start : part.stop] + at.log_share)
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), TINY)
        columns.append(part.start + where)
        counts.append(KNOWN * own[where, None] * _wanted(known, shares)[where])
    return Ties(np.concatenate(columns), np.concatenate(counts))


def _wanted(known: Guidance, shares: Floats) -> Floats:
    """The shares as links would have them."""
    strong = replace(
        known,
        pairs=replace(known.pairs, strength=FEATURE_LINK_NATS * known.pairs.strength),
        groups=tuple(
            replace(links, together=FEATURE_LINK_NATS * links.together, apart=FEATURE_LINK_NATS * links.apart)
            for links in known.groups
        ),
    )
    logarithm, found = np.log(np.maximum(shares, TINY)), shares.copy()
    turn = np.zeros(known.size, dtype=np.int64)
    where = np.flatnonzero(_linked(known))
    turn[where] = np.arange(len(where)) % TURNS
    for number in range(ROUNDS * TURNS):
        # not all at once, or two objects apart would both leave, and both come back
        own = where[turn[where] == number % TURNS]
        gain, loss = strong.gain_and_loss(found)
        wanted = logarithm[own] + gain[own] - loss[own]
        wanted -= wanted.max(axis=1, keepdims=True)
        np.exp(wanted, out=wanted)
        found[own] = wanted / wanted.sum(axis=1, keepdims=True)
    return found


def _linked(known: Guidance) -> NDArray[np.bool_]:
    found = np.zeros(known.size, dtype=bool)
    for side in (known.pairs.left, known.pairs.right, *(links.member for links in known.groups)):
        found[side] = True
    return found
