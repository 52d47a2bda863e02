"""The constrained co-clustering paper (2010), with links of documents that share names."""

from __future__ import annotations

from typing import Any

from experiments.published.paper001 import LEAST_NAMES, WITH_NAMES, WITHOUT_LINKS
from experiments.runner.claims import Claim, Pair

LINKS = (100, 500, 1_000, 2_000, 5_000, 10_000)
STRONG = "our k-means uses tf-idf and is above ITCC; the published one uses counts"
RIVALS = {"CKmeans": "ckmeans", "CSNMF": "csnmf", "CSTriNMF": "cstrinmf"}
ALL_AT_ONE = (
    "from 5,000 links on, links alone decide all documents and most methods are at 1, so not every pair can "
    "hold; below that all do"
)
COST = "where links on documents decide nearly all groups, those on words cannot add anything (see below)"
FULL = "with 10,000 links on documents all are at 1; below that every pair holds"
MORE = "5,000 links already join nearly all words of a list; 10,000 change little"


def key(method: str, links: int = 0, word_links: int = 0) -> str:
    """The key of a cell of Figures 2 and 3."""
    return f"{method} | {links} links | {word_links} word links"


PRINTED = " | as printed"
HOW = (
    "the paper's step and weight of a link, its four word clusters, term frequencies, and one start from "
    "k-means; CSNMF and CSTriNMF are ours"
)


def at_each(other: str, links: tuple[int, ...] = LINKS, variant: str = "") -> tuple[Pair, ...]:
    """`citcc` above another method at every number of links; of the rivals only CKmeans has variants."""
    of_rival = variant * (other == "ckmeans")
    return tuple(Pair(key("citcc", n) + variant, key(other, n) + of_rival) for n in links)


def on_words(
    method: str, fewer: tuple[int, int], links: tuple[int, ...] = LINKS, variant: str = ""
) -> tuple[Pair, ...]:
    """5,000 and 10,000 links on words above fewer of them, at every number of links on documents."""
    return tuple(
        Pair(key(method, n, most) + variant, key(method, n, few) + variant)
        for most, few in zip((5_000, 10_000), fewer, strict=True)
        for n in links
        if most > few
    )


def printed_words(name: str, fewer: tuple[int, int], links: tuple[int, ...] = LINKS) -> dict[str, Any]:
    """The same as printed; only CITCC has such cells."""
    printed = on_words("citcc", fewer, links, PRINTED)
    return {"printed": printed, "printed_how": HOW} if name == "CITCC" else {}


def held_out(method: str, links: int) -> str:
    """The key of a cell that is judged on documents that are in no link."""
    return f"{method} | {links} links | held out"


LINK_CLAIMS = (
    Claim(
        "001",
        "Table 2",
        "information-theoretic co-clustering is above the other methods without links",
        "paper001",
        tuple(
            Pair(key("itcc"), key(other), (WITHOUT_LINKS["itcc"][0], WITHOUT_LINKS[other][0]))
            for other in ("kmeans", "snmf", "strinmf")
        ),
        why=STRONG,
        printed=tuple(
            Pair(key("itcc") + PRINTED, other)
            for other in (key("ckmeans") + PRINTED, key("snmf"), key("strinmf"))
        ),
        printed_how="k-means and ITCC on counts, from one start, with four word clusters; SNMF and STriNMF "
        "are ours",
    ),
    Claim(
        "001",
        "Figure 2",
        "with links on documents CITCC is above ITCC, at any number of links",
        "paper001",
        tuple(Pair(key("citcc", n), key("itcc")) for n in LINKS),
        printed=tuple(Pair(key("citcc", n) + PRINTED, key("itcc") + PRINTED) for n in LINKS),
        printed_how=HOW,
    ),
    *(
        Claim(
            "001",
            "Figure 2",
            f"CITCC is above {name} at any number of links",
            "paper001",
            at_each(other),
            why=ALL_AT_ONE,
            printed=at_each(other, variant=PRINTED),
            printed_how=HOW,
        )
        for name, other in RIVALS.items()
    ),
    *(
        Claim(
            "001",
            "Figure 2, in part",
            f"CITCC is above {name} at 100 to 2,000 links, where links alone do not decide the groups",
            "paper001",
            at_each(other, LINKS[:4]),
            printed=at_each(other, LINKS[:4], PRINTED),
            printed_how=HOW,
        )
        for name, other in RIVALS.items()
    ),
    *(
        Claim(
            "001",
            "Figure 2, held out",
            f"CITCC is above {name} on documents that no link can reach",
            "paper001_reasons",
            tuple(Pair(held_out("citcc", n), held_out(other, n)) for n in LINKS[2:]),
        )
        for name, other in RIVALS.items()
    ),
    Claim(
        "001",
        "Figure 2",
        "the more links on documents, the better CITCC",
        "paper001",
        (Pair(key("citcc", 1_000), key("citcc", 100)), Pair(key("citcc", 5_000), key("citcc", 1_000))),
        printed=(
            Pair(key("citcc", 1_000) + PRINTED, key("citcc", 100) + PRINTED),
            Pair(key("citcc", 5_000) + PRINTED, key("citcc", 1_000) + PRINTED),
        ),
        printed_how=HOW,
    ),
    *(
        Claim(
            "001",
            "Figure 3",
            says.format(name),
            "paper001",
            on_words(name.lower(), fewer),
            why=why,
            **printed_words(name, fewer),
        )
        for says, fewer, reasons in (
            ("links on words help {}, at any number of links on documents", (0, 0), (COST, FULL)),
            ("the more links on words, the better {}: 10,000 above 5,000", (5_000, 5_000), (MORE, MORE)),
        )
        for name, why in zip(("CITCC", "CSTriNMF"), reasons, strict=True)
    ),
    *(
        Claim(
            "001",
            "Figure 3, in part",
            f"links on words help {name} at 100 to 2,000 links on documents",
            "paper001",
            on_words(name.lower(), (0, 0), LINKS[:4]),
            **printed_words(name, (0, 0), LINKS[:4]),
        )
        for name in ("CITCC", "CSTriNMF")
    ),
    Claim(
        "001",
        "Figure 3",
        "links on documents help CITCC more than links on words",
        "paper001",
        (Pair(key("citcc", 5_000), key("citcc", 0, 5_000)),),
        printed=(Pair(key("citcc", 5_000) + PRINTED, key("citcc", 0, 5_000) + PRINTED),),
        printed_how=HOW,
    ),
)


FALLS = "our links have weight 1; the published ones 1/√M, which was not tried on these links"
HEAVY = f"holds, but these links harm the rivals more than in the paper. For ckmeans: {FALLS}"
COSTS = "the links cost: ckmeans is higher without them"
CITCC_ONLY = (
    "CITCC with the paper's step and weight of a link and four word clusters; the other methods are ours"
)
# ckmeans compares directions, which kmeans does not, so links are measured against itself without links
BARE = {"ckmeans": "ckmeans", "csnmf": "snmf", "cstrinmf": "strinmf", "citcc": "itcc"}


def names_key(method: str, names: int) -> str:
    """The key of a cell of Table 2; no names are no links."""
    return f"{method} | recogniser ≥ {names}" if names else f"{BARE[method]} | no links"


def with_names(method: str, other: str, names: int, variant: str = "") -> Pair:
    """A method above another with links of documents that share so many names."""
    column = LEAST_NAMES.index(names)
    return Pair(
        names_key(method, names) + variant,
        names_key(other, names),
        (WITH_NAMES[method][column], WITH_NAMES[other][column]),
    )


BARE_AS_PRINTED = f"itcc | 0 links | 0 word links{PRINTED}"


def printed_names(method: str, count: int) -> dict[str, Any]:
    """A method with links from names as printed above itself without links; only CITCC has such cells."""
    if method != "citcc":
        return {}
    printed = (Pair(names_key(method, count) + PRINTED, BARE_AS_PRINTED, other="paper001"),)
    return {"printed": printed, "printed_how": CITCC_ONLY}


NAMED_HOW = (
    "the paper's step and weight of a link, its four word clusters, term frequencies, and one start from "
    "k-means; all links count the same; CSNMF and CSTriNMF are ours"
)


def less_consistent(best: str, other: str, variant: str = "") -> Pair:
    """How often links help the first method more often than they hurt it, above the same of the second."""
    return Pair(
        f"{best} | recogniser ≥ 5{variant}",
        f"{other} | recogniser ≥ 5",
        over=(f"{BARE[best]} | no links{variant}", f"{BARE[other]} | no links"),
    )


NAME_CLAIMS = (
    Claim(
        "001",
        "Table 2",
        "with links of documents that share two names, CITCC is above the other constrained methods",
        "paper001_names",
        tuple(with_names("citcc", other, 2) for other in ("ckmeans", "csnmf", "cstrinmf")),
        why=HEAVY,
        printed=tuple(with_names("citcc", other, 2, PRINTED) for other in ("ckmeans", "csnmf", "cstrinmf")),
        printed_how=CITCC_ONLY,
    ),
    Claim(
        "001",
        "Table 2",
        "links of documents that share five names help CKmeans",
        "paper001_names",
        (
            Pair(
                names_key("ckmeans", 5),
                names_key("ckmeans", 0),
                (WITH_NAMES["ckmeans"][LEAST_NAMES.index(5)], WITHOUT_LINKS["kmeans"][0]),
                "paper001_reasons",
            ),
        ),
        why=f"wrong links among the 1,091 cost more than the right ones gain: {FALLS}",
        printed=(Pair("ckmeans | freebase ≥ 5 | hmrf | weight 0.024", names_key("ckmeans", 0)),),
        printed_experiment="paper001_reasons",
        printed_how="the paper's weight of a link; names from Freebase's gazetteer",
    ),
    *(
        Claim(
            "001",
            "Table 2",
            f"links of documents that share {count} names, the best number in the paper, help {name}",
            "paper001_names",
            (
                Pair(
                    names_key(method, count),
                    names_key(method, 0),
                    (WITH_NAMES[method][LEAST_NAMES.index(count)], WITHOUT_LINKS[BARE[method]][0]),
                ),
            ),
            why=why,
            **printed_names(method, count),
        )
        for name, method, count, why in (
            ("CITCC", "citcc", 3, "it falls a little, within the spread over seeds"),
            ("CSNMF", "csnmf", 5, "it falls with these links, of which some are wrong"),
            ("CSTriNMF", "cstrinmf", 6, "a gain within the spread over seeds"),
        )
    ),
    Claim(
        "001",
        "Table 2",
        "links from labels are more effective than as many links from names (1,000, and 1,091 of five names)",
        "paper001",
        tuple(
            Pair(key(method, 1_000), names_key(method, 5), other="paper001_names")
            for method in ("ckmeans", "csnmf", "cstrinmf", "citcc")
        ),
    ),
    Claim(
        "001",
        "Table 2",
        "links of documents that share a single name are too noisy: ITCC is above CITCC with them",
        "paper001_names",
        (Pair(names_key("citcc", 0), names_key("citcc", 1), (0.842, 0.582)),),
        why="the links of a document are bounded, so that CITCC falls less than the published one; as "
        "printed it finds no groups",
        printed=(Pair(BARE_AS_PRINTED, names_key("citcc", 1) + PRINTED, (0.842, 0.582), "paper001_names"),),
        printed_experiment="paper001",
        printed_how=CITCC_ONLY,
    ),
    *(
        Claim(
            "001",
            "Figure 4",
            f"links of documents that share five names help {name}, over problems of two groups",
            "paper001_pairs",
            (Pair(f"{guided} | recogniser ≥ 5", f"{BARE[guided]} | no links"),),
            why=why,
            printed=(Pair(f"{guided} | recogniser ≥ 5{PRINTED}", f"{BARE[guided]} | no links{PRINTED}"),),
            printed_how=NAMED_HOW,
        )
        for name, guided, why in (("CKmeans", "ckmeans", COSTS), ("CITCC", "citcc", ""))
    ),
    *(
        Claim(
            "001",
            "Figure 4",
            f"links of documents that share five names help {name} less consistently than {beside}: "
            "problems improved, minus those made worse",
            "paper001_pairs",
            (less_consistent(best, other),),
            printed=(less_consistent(best, other, PRINTED),),
            printed_how=NAMED_HOW,
        )
        for name, other in (("CSNMF", "csnmf"), ("CSTriNMF", "cstrinmf"))
        for beside, best in (("CITCC", "citcc"), ("CKmeans", "ckmeans"))
    ),
)

CLAIMS = (*LINK_CLAIMS, *NAME_CLAIMS)
