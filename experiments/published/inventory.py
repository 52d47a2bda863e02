"""Every table and figure of the five papers that holds results: what it shows, and what it is here.

`experiment` names the results that remake it; without one, `why` says what is missing.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """One table or figure."""

    paper: str
    name: str
    shows: str
    experiment: str = ""
    why: str = ""


NO_TEXT = "the sets Artist and BBS are not public, and CSTR comes without its words"
SAMPLE = "of RCV1 only a sample of 2,316 stories is free, without its text, so that no names are found in it"
FREEBASE = "the whole of Freebase and of YAGO2 is not at hand; parts of both are"
NO_NAMES = "HT1 to HT5 come without words, so that only accuracy is told of them"
JUDGED = "the judgements are one language model's, not people's, and of single mentions, not of sentences"
TEXTS = "Reuters-21578 stands for RCV1, of which only a sample without its text is free"
NEWS = f"20 Newsgroups alone, as {SAMPLE}"

INVENTORY = (
    Item("000", "Figure 2", "accuracy of seven methods on four sets", "paper000", NO_TEXT),
    Item("000", "Figure 3", "NMI of seven methods on four sets", "paper000", NO_TEXT),
    Item("000", "Figure 4", "accuracy by the number of words, CSTR", "paper000"),
    Item("000", "Figure 5", "accuracy by the number of words, DBLP", "paper000"),
    Item("000", "Figure 6", "accuracy by the number of pairs of words", "paper000"),
    Item("000", "Figure 7", "NMI by the number of pairs of words", "paper000"),
    Item("001", "Table 1", "links from shared names: how many, how right", "paper001_names"),
    Item("001", "Table 2", "NMI with links from shared names", "paper001_names"),
    Item("001", "Figure 2", "NMI by the number of links on documents", "paper001"),
    Item("001", "Figure 3", "NMI by the number of links on documents and words", "paper001"),
    Item("001", "Figure 4", "190 problems of two newsgroups, with links from names", "paper001_pairs"),
    Item("002", "Figure 2", "positions of objects in two dimensions", "paper002_figure2"),
    Item("002", "Table 2", "accuracy of documents, seven sets", "paper002"),
    Item("002", "Table 3", "accuracy of categories, and their words", "paper002", NO_NAMES),
    Item("002", "Table 4", "importance of words and of categories", "paper002"),
    Item("002", "Figure 3", "accuracy by the share of links", "paper002"),
    Item("002", "Figure 4", "seconds by the number of documents and words", "paper002_figure4"),
    Item("003", "Table 4", "precision of three filters, judged by people", "paper003_filters", JUDGED),
    Item("003", "Table 5", "kinds of errors of three filters", "paper003_filters", JUDGED),
    Item("003", "Table 6", "NMI of five methods with and without a knowledge base", "paper003", SAMPLE),
    Item("003", "Figure 4", "entities found by corpus and knowledge base", "paper003_entities", FREEBASE),
    Item("003", "Figure 5", "NMI by the number of clusters of entities", "paper003_figures", NEWS),
    Item("003", "Figure 6", "NMI and seconds by the number of rounds", "paper003_figures", NEWS),
    Item("003", "Figure 7", "NMI and seconds by the links of entities", "paper003_figures", NEWS),
    Item("003", "Figure 8", "seconds by corpus and knowledge base", "paper003_figures", TEXTS),
    Item("004", "Table 2", "the five sets: words, documents, outsiders", "paper004_sets"),
    Item("004", "Table 3", "accuracy of nine methods on five sets", "paper004"),
    Item("004", "Table 4", "NMI of nine methods on five sets", "paper004"),
    Item("004", "Table 5", "Rand index of nine methods on five sets", "paper004"),
    Item("004", "Table 6", "seconds of nine methods on five sets", "paper004"),
    Item("004", "Figure 2", "accuracy and NMI by the weight of outsiders", "paper004"),
    Item("004", "Figure 3", "accuracy and NMI by the weight of documents", "paper004"),
    Item("004", "Figure 4", "accuracy and NMI by the bound of balance", "paper004"),
)
