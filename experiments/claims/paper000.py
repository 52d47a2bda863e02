"""The word-space paper (2008). Its figures have no digits, so no claim can be exceeded."""

from __future__ import annotations

from experiments.runner.claims import Claim, Pair

SOURCE = {"CSTR": "labels of a tenth", "DBLP authors": "ACM areas", "DBLP titles": "ACM areas"}
OTHER = {
    "CSTR": "475 of the paper's 550 documents, without words, so categories come from the labels of a tenth, "
    "not from the ACM's classification",
    "DBLP authors": "another DBLP than the paper's: four areas instead of nine, words chosen by frequency "
    "instead of labels",
}
BOTH = "; ".join(OTHER.values())
WHY = {("CSTR", "nmi"): "ITCC is a little above CP here; "}
MANY = (
    "pairs help on CSTR; on DBLP with 16 word clusters, 2,000 pairs join nearly all words of a category "
    f"and help less than 500; {BOTH}"
)
UNGUIDED, SIMPLE = ("kmeans", "tnmf", "itcc", "ecc"), ("fe", "fc")
HOW = "the paper's start and updates of CP, from one start; the other methods are ours"
# one word cluster for each category, as in the paper
FOUR = " | 4 word clusters"
PRINTED = " | as printed"


def key(corpus: str, method: str, *, words: int = 1_000, pairs: int = 0) -> str:
    """The key of a cell; methods without knowledge have no source of categories."""
    source = "–" if method in UNGUIDED else SOURCE[corpus]
    return f"{corpus} | {method} | {source} | {words} words | {pairs} pairs"


def above(corpus: str, others: tuple[str, ...], words: int = 1_000, variant: str = "") -> tuple[Pair, ...]:
    """`cp` above some other methods."""
    ours = key(corpus, "cp", words=words) + variant
    return tuple(Pair(ours, key(corpus, other, words=words)) for other in others)


def with_pairs(corpora: tuple[str, ...], variant: str = "") -> tuple[Pair, ...]:
    """Most pairs of words above the fewest."""
    most, fewest = (
        [key(corpus, "cp-links", pairs=count) + variant for corpus in corpora] for count in (2_000, 250)
    )
    return tuple(map(Pair, most, fewest))


CLAIMS = (
    *(
        Claim(
            "000",
            figure,
            f"categories of words make CP better than every method without knowledge on {corpus}",
            "paper000",
            above(corpus, UNGUIDED),
            measure,
            WHY.get((corpus, measure), "") + OTHER[corpus],
            printed=above(corpus, UNGUIDED, variant=PRINTED),
            printed_how=HOW,
        )
        for figure, measure in (("Figure 2", "accuracy"), ("Figure 3", "nmi"))
        for corpus in ("CSTR", "DBLP authors")
    ),
    Claim(
        "000",
        "Figure 2",
        "CP uses the same categories better than the two simple methods FE and FC",
        "paper000",
        above("CSTR", SIMPLE) + above("DBLP authors", SIMPLE),
        "accuracy",
        BOTH,
        printed=above("CSTR", SIMPLE, variant=PRINTED) + above("DBLP authors", SIMPLE, variant=PRINTED),
        printed_how=HOW,
    ),
    Claim(
        "000",
        "Figure 4",
        "CP is also above all other methods at 250 words, on CSTR",
        "paper000",
        above("CSTR", (*UNGUIDED, *SIMPLE), 250),
        "accuracy",
        OTHER["CSTR"],
        printed=above("CSTR", (*UNGUIDED, *SIMPLE), 250, PRINTED),
        printed_how=HOW,
    ),
    Claim(
        "000",
        "Figure 5",
        "CP is above all other methods at 250 and 500 words, on DBLP",
        "paper000",
        above("DBLP authors", (*UNGUIDED, *SIMPLE), 250) + above("DBLP authors", (*UNGUIDED, *SIMPLE), 500),
        "accuracy",
        OTHER["DBLP authors"],
        printed=above("DBLP authors", (*UNGUIDED, *SIMPLE), 250, PRINTED)
        + above("DBLP authors", (*UNGUIDED, *SIMPLE), 500, PRINTED),
        printed_how=HOW,
    ),
    *(
        Claim(
            "000",
            figure,
            f"{title} rises with the number of pairs of words{about}",
            "paper000",
            with_pairs(("CSTR", "DBLP authors"), variant),
            measure,
            why,
            printed=with_pairs(("CSTR", "DBLP authors"), FOUR + PRINTED),
            printed_how="the paper's update for pairs, without the term that turns negative, and one word "
            "cluster for each category",
        )
        for figure, title, measure in (("Figure 6", "accuracy", "accuracy"), ("Figure 7", "NMI", "nmi"))
        for about, variant, why in (
            ("", "", MANY),
            (", one word cluster for each category", FOUR, BOTH),
        )
    ),
    Claim(
        "000",
        "Figures 2, 3",
        "FC is best on Artist, CP on BBS",
        why="neither set is public",
    ),
)
