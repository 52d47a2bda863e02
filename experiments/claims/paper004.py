"""The paper on Universum (2011), with parameters that need no labels."""

from __future__ import annotations

from typing import Any

from experiments.paper004_porter import BEST
from experiments.paper004_porter import NAME as TUNED
from experiments.published.paper004 import CORPORA, METHODS, PUBLISHED
from experiments.runner.claims import Claim, Pair

TABLES = {"accuracy": "Table 3", "nmi": "Table 4", "rand": "Table 5"}
NAMES = {"accuracy": "accuracy", "nmi": "NMI", "rand": "Rand index"}
OTHERS = {
    "m2dcu-0": "itself without outsiders, M2DCU-0",
    "kmeans": "k-means",
    "gmm": "a mixture of Gaussians",
    "ncut": "normalised cuts",
    "clgr": "CLGR",
    "nmf": "NMF",
    "cpm3c": "CPM3C",
    "plsa": "PLSA",
}
BY_TARGETS = "20 newsgroups | m2dcu | n_init 1, scale 2.83, target_weight"
UNIT = "20 newsgroups | m2dcu-0 | n_init 1, scale 1.0, target_weight"
NUMBERS = {3: "three", 4: "four", 5: "five"}
GROUPS = "on the super-groups, where the objective does not prefer the better groups"
WHY = {
    ("gmm", "accuracy"): "GMM is above on RCV1, by .001",
    ("gmm", "nmi"): "GMM is above on RCV1, by .001",
    ("gmm", "rand"): "GMM is above on three sets, by .005 at most",
    (
        "m2dcu-0",
        "accuracy",
    ): f"M2DCU-0 is above {GROUPS}; on two others the gain is within the spread, as told "
    "below; the weight was settled after seeing labels",
    ("m2dcu-0", "nmi"): f"M2DCU-0 is above {GROUPS}; on two others documents and outsiders are apart without "
    "the weight",
    ("m2dcu-0", "rand"): f"M2DCU-0 is above {GROUPS}",
    **dict.fromkeys((("cpm3c", name) for name in TABLES), f"CPM3C is above {GROUPS}"),
    ("ncut", "nmi"): f"normalised cuts are above {GROUPS}",
    (
        "plsa",
        "rand",
    ): "PLSA is above on the super-groups and, by a hair, on the six largest topics",
}


# marked outsiders, drawn ones and midpoints, of which the tenth closest to the documents is taken
OUTSIDERS = "outsiders all, select 0.1"
BY_SUMS = f"20 newsgroups | m2dcu | {OUTSIDERS}, n_init 1, scale 1.0, l"
HOW = "the paper's outsiders and rows of unit length"
TUNED_HOW = (
    "Porter's stems, the paper's outsiders, and for M2DCU, M2DCU-0 and CPM3C the best parameters of its grid "
    "by labels, searched once with one seed; the other methods have our defaults on the same stems"
)


def pairs(method: str, other: str, figure: str) -> tuple[Pair, ...]:
    """A method above another on every set where that is published."""
    published_pairs = {
        corpus: tuple(PUBLISHED[figure][corpus][METHODS.index(name)] for name in (method, other))
        for corpus in CORPORA
    }
    return tuple(
        Pair(f"{corpus} | {method} | defaults", f"{corpus} | {other} | defaults", (above, below))
        for corpus, (above, below) in published_pairs.items()
        if above > below
    )


def tuned(pairs: tuple[Pair, ...]) -> dict[str, Any]:
    """Pairs of cells with our defaults, as the paper tuned them."""
    best = {f"{corpus} | {method} | defaults": one.key for (corpus, method), one in BEST.items()}
    printed = tuple(Pair(best[pair.above], best[pair.below], pair.published) for pair in pairs)
    return {"printed": printed, "printed_experiment": TUNED, "printed_how": TUNED_HOW}


def compared(other: str, figure: str) -> Claim:
    """`m2dcu` above another method, by one of the three figures."""
    tested = pairs("m2dcu", other, figure)
    sets = (
        "all five sets"
        if len(tested) == len(CORPORA)
        else f"the {NUMBERS[len(tested)]} sets where it is so published"
    )
    says = f"M2DCU is above {OTHERS[other]} on {sets}, {NAMES[figure]}"
    return Claim(
        "004",
        TABLES[figure],
        says,
        "paper004",
        tested,
        figure,
        WHY.get((other, figure), ""),
        **tuned(tested),
    )


def faster(other: str) -> Claim:
    """`m2dcu` in less time than another method, on every set where that is published."""
    times = PUBLISHED["processor_seconds"]
    place, ours = METHODS.index(other), METHODS.index("m2dcu")
    sets = [corpus for corpus in CORPORA if times[corpus][ours] < times[corpus][place]]
    tested = tuple(Pair(f"{corpus} | {other} | defaults", f"{corpus} | m2dcu | defaults") for corpus in sets)
    says = f"M2DCU takes less time than {OTHERS[other]} on {', '.join(sets)}"
    why = "seconds of the processor; m2dcu has twenty starts, and is not below all with one, as in the paper"
    return Claim("004", "Table 6", says, "paper004", tested, "processor_seconds", why, **tuned(tested))


CLAIMS = (
    *(compared(other, figure) for figure in TABLES for other in OTHERS),
    *map(faster, ("nmf", "ncut", "cpm3c", "clgr", "plsa")),
    Claim(
        "004",
        "Table 3",
        "CCCP solves the margin problem better than CPM3C: M2DCU-0 is above it",
        "paper004",
        pairs("m2dcu-0", "cpm3c", "accuracy"),
        "accuracy",
        "CPM3C is above on two sets, by .006 at most; that is not looked into",
        **tuned(pairs("m2dcu-0", "cpm3c", "accuracy")),
    ),
    Claim(
        "004",
        "Figure 2",
        "a positive weight of outsiders is better than none, on the newsgroups",
        "paper004",
        (
            Pair(
                "20 newsgroups | m2dcu | n_init 1, outsider_weight 10.0",
                "20 newsgroups | m2dcu | n_init 1, outsider_weight 0.0",
            ),
        ),
        "accuracy",
        "the weight changes nothing below 1 here; with one start, where Table 3 has twenty",
        printed=(
            Pair(
                f"20 newsgroups | m2dcu | {OUTSIDERS}, n_init 1, scale 1.0, outsider_weight 10.0",
                "20 newsgroups | m2dcu-0 | n_init 1, scale 1.0, target_weight 64.0",
            ),
        ),
        printed_how=HOW,
    ),
    Claim(
        "004",
        "Figure 3",
        "C_l hardly matters in a wide range: at 2 to 32 the accuracy is at most .05 below that at 64",
        "paper004",
        tuple(Pair(f"{BY_TARGETS} {weight}", f"{BY_TARGETS} 64.0") for weight in (2.0, 4.0, 8.0, 16.0, 32.0)),
        "accuracy",
        within=0.05,
        printed=tuple(Pair(f"{UNIT} {weight}", f"{UNIT} 64.0") for weight in (2.0, 4.0, 8.0, 16.0, 32.0)),
        printed_how="rows of unit length, without outsiders",
    ),
    Claim(
        "004",
        "Figure 4",
        "if the bound of balance is too large, the accuracy falls: .001 is above 10",
        "paper004",
        (
            Pair(
                "20 newsgroups | m2dcu | n_init 1, balance 0.001",
                "20 newsgroups | m2dcu | n_init 1, balance 10.0",
            ),
        ),
        "accuracy",
        "our bound is on the mean scores; the paper's is on their sum over all documents, so that its whole "
        "grid means almost equal mean scores",
        printed=(Pair(f"{BY_SUMS} 0.001 for sums", f"{BY_SUMS} 10 for sums"),),
        printed_how=HOW,
    ),
)
