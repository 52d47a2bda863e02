"""All constants of the method, with how each was chosen.

"Tuned" values were compared with those in brackets on oh0, oh15, tr41, k1a, la2, fbis and hitech; the table
is in docs/evaluation.md, made by `experiments/evaluation/tuning.py`. "Not tuned" means that no comparison
is stored. To try another value, set `constants = dataclasses.replace(Constants(), name=value)` on a
`Colligate` before its fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Constants:
    """The constants of `colligate`; they are the same for all corpora."""

    # --- priors: what knowledge adds to the objective ---

    # λ_max, the documents that a labelled or linked document counts for: tuned (1, 3, 10)
    lambda_max: float = 3.0
    # the least λ of a labelled document, however unreliable its label, and of a document at a bound on
    # sizes: not tuned
    lambda_min: float = 0.05
    # nats of an e-fold number of seed words where y_d sums to 1: tuned (.1, .2, .4), with CSTR seen beside
    seed_scale: float = 0.2
    # nats of a link between documents, or of a category of a document: tuned (1, 2, 4, 8 × log 100)
    link_nats: float = 4.0 * float(np.log(100.0))
    # nats of a link between features, odds of a hundred to one: not tuned
    feature_link_nats: float = float(np.log(100.0))
    # a member of an implied group of links counts if its reliability is above this: not tuned
    member_cutoff: float = 0.5
    # labels and categories count by reliability to this power: tuned (.05, .2, .5, 1), also with wrong labels
    reliability_power: float = 0.2
    # C, the inverse ridge of the logistic regression on unit directions: tuned (3, 10, 30)
    classifier_c: float = 10.0
    # its steps; the solution need not have converged: not tuned
    classifier_max_iter: int = 100
    # rounds of eq. 13 (at first 5), and the parts of the features that are updated in turn: not tuned
    feature_link_rounds: int = 3
    feature_link_turns: int = 4

    # --- names alone ---

    # the share of its expected group that a name labels, and the least and the largest number: chosen on
    # FB15k, WordNet and oh0 to oh15, of few values
    nearest_share: float = 0.1
    nearest_bounds: tuple[int, int] = (5, 100)
    # small groups per group, in which documents far from all names are labelled: of 2 and 4, chosen on oh0 to
    # oh15 and RCV1
    small_groups_factor: int = 4
    # short runs that find small groups: not tuned
    n_name_runs: int = 2
    # a small group whose share of labelled documents is below this part of the usual share gets labels: not
    # tuned
    least_coverage: float = 1 / 3
    # by how much a name must stand out from the next one in the mean of a small group, and for which share of
    # its documents it must be the nearest: of 0, .3, .4, .5 and of 0, .5, chosen on these, FB15k, WordNet
    # and captions
    least_group_gap: float = 0.4
    least_nearest_share: float = 0.5

    # --- weights of features ---

    # short runs with K and with 2K groups that tell how much a feature says about the group: not tuned; 0
    # leaves out the weights
    n_gain_runs: int = 2
    # documents without the feature that speak for the mean gain: not tuned
    gain_prior: float = 20.0

    # --- EM ---

    # how often a step that raises F is halved: not tuned
    max_halvings: int = 12
    # EM iterations of a run of the ensemble, and the relative fall of F at which it stops: not tuned
    ensemble_max_iter: int = 15
    ensemble_tol: float = 1e-3
    # EM iterations that find the groups for η and κ′: not tuned
    first_max_iter: int = 5

    # --- ensemble: the start ---

    # the share of a document that starts outside its group: not tuned
    label_smoothing: float = 0.1
    # restarts of spherical k-means that read the consensus off: not tuned
    consensus_n_init: int = 5
    # groups of a run per wanted group, chosen on k1b and the descriptions of FB15k
    overcluster_factor: int = 2
    # those below this share of the mean size join the nearest, chosen on k1b and the descriptions of FB15k
    small_group_share: float = 0.25
    # how much the merging of the others avoids large groups, a start for each value: 0 is average linkage,
    # the only one with `uneven_sizes=True`. .25 was chosen on sixteen tuning sets
    size_exponents: tuple[float, ...] = (0.25, 0.0)
    # the share of F by which merged groups must be lower than others: runs stop where F falls by less than
    # `ensemble_tol`, so that smaller differences tell little. 0 to .005 are the same on eighteen tuning sets;
    # 20 newsgroups was looked at, too
    merge_margin: float = 0.003
    # the same for uneven groups by average linkage, unless all groups have seed words; below 0, they may be
    # higher. Groups are uneven if the entropy of their sizes is at most this share of the largest one. Both
    # were chosen on 34 tuning sets; R8 and 20 newsgroups were looked at, too (decisions 82 and 87)
    uneven_margin: float = -0.03
    uneven_entropy: float = 0.9

    # --- reliability of statements (ε) ---

    # each statement is held out of one run in so many: not tuned
    hold_out_every: int = 3
    # fewer statements of a kind are not judged: not tuned
    min_statements: int = 10
    # the grid of ε, and its beta prior as log(1 − ε) and log ε terms: not tuned
    error_rates: tuple[float, ...] = tuple(np.geomspace(1e-3, 0.9, 60).tolist())
    error_prior: tuple[float, float] = (9.0, 0.5)
    # powers of the odds against overconfident runs, and the nats (at first 1) against each halving: not tuned
    odds_powers: tuple[float, ...] = (1.0, 0.7, 0.5, 0.35, 0.25, 0.12, 0.06, 0.03)
    nats_per_halving: float = 2.0
    # log odds beyond this are cut off: not tuned
    max_log_odds: float = 50.0
    # the occurrences by which the group of a feature is judged: not tuned
    feature_occurrences: float = 5.0

    # seed words whose documents are in their groups by less than this above chance are not used: chosen on
    # oh0, oh5, k1b, hitech, la2 and short_biomedical, of few values
    min_seed_precision: float = 0.1

    # --- trust: the reliability as a calibrated probability ---

    # a and b of eq. 20 for seed words (and other features), labels, must-links and cannot-links, and the
    # log odds of a feature that is most typical of the group of its name: fitted on re0, wap, oh15, tr41 and
    # CSTR by experiments/evaluation/trust.py
    trust_of_features: tuple[float, float] = (1.4, 0.53)
    trust_of_labels: tuple[float, float] = (2.1, 0.49)
    trust_of_together: tuple[float, float] = (2.9, 0.35)
    trust_of_apart: tuple[float, float] = (-0.25, 0.47)
    trust_of_typical: float = 2.2
    # log odds of the reliability beyond this are cut off: chosen with the above
    trust_max_log_odds: float = 9.2

    # --- weight of the classifier (β) ---

    # the grid of β, tuned against one weight everywhere; that 20 newsgroups wants a low one was known
    betas: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0)
    # β without held-out labels, and the centre of its prior: chosen with the grid
    default_beta: float = 0.5
    # EM iterations with each β: not tuned
    beta_max_iter: int = 5

    # --- confidence ---

    # the doubt without an ensemble, a usual value of fits with one: not tuned
    default_doubt: float = 0.15

    # --- length exponent (η) and concentration of embeddings (κ′) ---

    # η before it is estimated, half-way between the extremes: not tuned
    first_eta: float = 0.5
    # the grid of η and of κ′: not tuned
    etas: tuple[float, ...] = tuple(np.arange(0.1, 1.001, 0.05).tolist())
    kappas: tuple[float, ...] = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 14.0, 20.0, 30.0, 40.0)
    # the grid of the weight of entities that are mentioned in the texts, whose names are words too; 0 is the
    # first. The weight before it is estimated, and without enough pairs: chosen on parts of 20 newsgroups,
    # Reuters and WebKB (0, .25, .5, 1)
    mention_weights: tuple[float, ...] = (0.0, 0.125, 0.25, 0.5, 1.0)
    first_mention_weight: float = 0.25
    # κ′ without an estimate; at it, embeddings count as much as words in k-means: not tuned
    default_kappa: float = 5.0
    # nats by which neighbours by embeddings must agree by words, and by which embeddings must raise the
    # agreement: not tuned
    min_agreement_gain: float = 0.002
    # pairs drawn, neighbours to draw from, and pairs that a relation needs: not tuned
    n_pairs: int = 2000
    n_neighbours: int = 15
    min_pairs: int = 15
    # directions with this cosine, or equal to so many decimals, are copies: not tuned
    copy_cosine: float = 0.9999
    copy_decimals: int = 3
    # the smoothing of the cross-fitted tables, as the default of `smoothing`
    pair_smoothing: float = 1.0
