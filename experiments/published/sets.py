"""How large the papers say that their data are: Table 1 of 000, Table 1 of 002, Tables 2 and 3 of 003."""

from __future__ import annotations

WORD_SPACE = {
    "DBLP": (552, 9, 1_000, 11),
    "CSTR": (550, 4, 1_000, 11),
    "Artist": (450, 15, 601, 20),
    "BBS": (1_309, 12, 1_200, 12),
}
"""Documents, their groups, words, and groups of words."""
TRIPLETS = {
    "HT1": (2, 5, 899),
    "HT2": (2, 5, 461),
    "HT3": (2, 5, 256),
    "HT4": (2, 5, 391),
    "HT5": (2, 5, 404),
    "HT6": (2, 5, 500),
    "HT7": (3, 6, 300),
}
"""Categories, groups of documents, and documents."""
RCV1 = {"MCAT": (9, 7, 44_033), "CCAT": (31, 26, 47_494), "ECAT": (23, 18, 19_813)}
"""Categories, those of them without others below, and documents."""
BASES = {
    "freebase": (1_500, 40_000_000, 35_000, 2_000_000_000),
    "yago": (350_000, 10_000_000, 100, 120_000_000),
}
"""Types of entities, entities, kinds of facts, and facts."""
