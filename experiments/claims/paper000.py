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


def key(corpus: str, method: str, *, words: int = 1_000, pairs: int = 0) -> str:
    """The key of a cell; methods without knowledge have no source of categories."""
    source = "–" if method in UNGUIDED else SOURCE[corpus]
    return f"{corpus} | {method} | {source} | {words} words | {pairs} pairs"


def above(corpus: str, others: tuple[str, ...], words: int = 1_000) -> tuple[Pair, ...]:
    """`cp` above some other methods."""
    return tuple(Pair(key(corpus, "cp", words=words), key(corpus, other, words=words)) for other in others)


def with_pairs(corpora: tuple[str, ...]) -> tuple[Pair, ...]:
    """Most pairs of words above the fewest."""
    return tuple(
        Pair(key(corpus, "cp-links", pairs=2_000), key(corpus, "cp-links", pairs=250)) for corpus in corpora
    )


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
    ),
    Claim(
        "000",
        "Figure 4",
        "CP is also above all other methods at 250 words, on CSTR",
        "paper000",
        above("CSTR", (*UNGUIDED, *SIMPLE), 250),
        "accuracy",
        OTHER["CSTR"],
    ),
    Claim(
        "000",
        "Figure 5",
        "CP is above all other methods at 250 and 500 words, on DBLP",
        "paper000",
        above("DBLP authors", (*UNGUIDED, *SIMPLE), 250) + above("DBLP authors", (*UNGUIDED, *SIMPLE), 500),
        "accuracy",
        OTHER["DBLP authors"],
    ),
    Claim(
        "000",
        "Figure 6",
        "accuracy rises with the number of pairs of words",
        "paper000",
        with_pairs(("CSTR", "DBLP authors")),
        "accuracy",
        MANY,
    ),
    Claim(
        "000",
        "Figure 7",
        "NMI rises with the number of pairs of words",
        "paper000",
        with_pairs(("CSTR", "DBLP authors")),
        why=MANY,
    ),
    Claim(
        "000",
        "Figures 2, 3",
        "FC is best on Artist, CP on BBS",
        why="neither set is public",
    ),
)
