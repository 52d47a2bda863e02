"""The missed goals and their reasons: texts with stored figures set into them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from experiments.paper001_words import PROBLEMS
from experiments.runner.experiment import load_experiment
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


@dataclass(frozen=True)
class Mean:
    """The mean of a figure of a cell, or of its gain over another cell, seed by seed."""

    experiment: str
    key: str
    figure: str = "nmi"
    over: str = ""

    def value(self, stored: Callable[[str], StoredRuns]) -> float:
        """Compute the mean from the stored runs."""
        values = stored(self.experiment).values(self.key, self.figure)
        if self.over:
            below = stored(self.experiment).values(self.over, self.figure)
            values = {seed: value - below[seed] for seed, value in values.items() if seed in below}
        return float(np.mean(list(values.values()))) if values else np.nan


@dataclass(frozen=True)
class MeanOfMeans:
    """The mean over several cells, each with the same weight."""

    parts: tuple[Mean, ...]

    def value(self, stored: Callable[[str], StoredRuns]) -> float:
        """Compute the mean from the stored runs."""
        return float(np.mean([part.value(stored) for part in self.parts]))


@dataclass(frozen=True, eq=False)
class Reason:
    """A missed goal of a paper and what was measured to explain it; `text` names the figures in braces."""

    paper: str
    goal: str
    text: str
    figures: Mapping[str, Mean | MeanOfMeans]


def compose_sections(reasons: tuple[Reason, ...], results: Path) -> Iterator[str]:
    """Compose a section for every goal."""
    for reason in reasons:
        yield f"### {reason.goal}"
        yield reason.text.format(**compute_means(reason, results))


def compute_means(reason: Reason, results: Path) -> dict[str, float]:
    """Compute the figures of a text by name."""
    stored = cache(lambda name: StoredRuns.of(load_experiment(name), results))
    return {name: mean.value(stored) for name, mean in reason.figures.items()}


LINKS = "paper001_reasons"


def held_out_nmi(method: str, links: int) -> Mean:
    """The NMI of documents that no link can reach."""
    return Mean(LINKS, f"{method} | {links} links | held out")


def gain_over(rival: str, links: int) -> Mean:
    """The gain of `citcc` over another method with so many links."""
    ours, theirs = (f"{method} | {links} links | 0 word links" for method in ("citcc", rival))
    return Mean("paper001", ours, over=theirs)


def one_name(source: str, variant: str = "") -> Mean:
    """The NMI of `citcc` with links from a single shared name."""
    return Mean("paper001_names", f"citcc | {source} ≥ 1" + f" | {variant}" * bool(variant))


def nmi_with_names(about: str) -> Mean:
    """The NMI of `ckmeans` with links from names."""
    return Mean(LINKS, f"ckmeans | {about}")


def on_other_problems(name: str) -> MeanOfMeans:
    """The gain of `citcc` by knowledge about words, over the problems on which nothing was chosen."""
    titles = (" and ".join(pair) for pair in PROBLEMS)
    return MeanOfMeans(
        tuple(
            Mean("paper001_words", f"{title} | {name}", over=f"{title} | no word links") for title in titles
        )
    )


LINK_REASONS = (
    Reason(
        "001",
        "CITCC above CKmeans, CSNMF and CSTriNMF, at any number of links",
        """\
At 100, 500, 1,000 and 2,000 links CITCC is above CKmeans by {ckmeans_100:+.3f}, {ckmeans_500:+.3f},
{ckmeans_1000:+.3f} and {ckmeans_2000:+.3f}, above CSNMF by {csnmf_100:+.3f}, {csnmf_500:+.3f},
{csnmf_1000:+.3f} and {csnmf_2000:+.3f}, above CSTriNMF by {cstrinmf_100:+.3f}, {cstrinmf_500:+.3f},
{cstrinmf_1000:+.3f} and {cstrinmf_2000:+.3f}, over ten seeds (*Figure 2, in part* in the table above).

With 5,000 links and more, the methods are at or near 1, so pairs cannot hold there. With two groups, a link
and the group of one of its documents give the group of the other. 1,000 random links connect {few:.0%} of the
1,772 documents, 2,000 connect {some:.0%}, 5,000 connect {most:.1%} and 10,000 all: then links alone determine
the groups, without a single word.

So we also compare the documents that no link can reach. With 5,000 links among nine
tenths of the documents, the NMI of the other tenth is {citcc:.3f} for CITCC, {ckmeans:.3f} for CKmeans,
{csnmf:.3f} for CSNMF and {cstrinmf:.3f} for CSTriNMF, over ten seeds; without links CITCC has {itcc:.3f}.
There CITCC is above the others at each of four numbers of links, and each is significant by itself
(*Figure 2, held out*).""",
        {
            **{
                f"{rival}_{links}": gain_over(rival, links)
                for rival in ("ckmeans", "csnmf", "cstrinmf")
                for links in (100, 500, 1_000, 2_000)
            },
            "few": Mean(LINKS, "links alone | 1000 links", "joined"),
            "some": Mean(LINKS, "links alone | 2000 links", "joined"),
            "most": Mean(LINKS, "links alone | 5000 links", "joined"),
            "itcc": Mean(LINKS, "itcc | 0 links | held out"),
            **{name: held_out_nmi(name, 5_000) for name in ("citcc", "ckmeans", "csnmf", "cstrinmf")},
        },
    ),
    Reason(
        "001",
        "Links on words must not cost CITCC anything",
        """\
With ten times the paper's weight, which was the default, 10,000 links on words change the NMI by
{ten_500:+.3f} with 500 links on documents, {ten_1000:+.3f} with 1,000 and {ten_2000:+.3f} with 2,000, where
the paper reports a gain. With the paper's weight they change it by {one_500:+.3f}, {one_1000:+.3f} and
{one_2000:+.3f}. All links on words are together, between words that are frequent in the same group. Other
tries at 500, 1,000 and 2,000 links: a tenth of the paper's weight ({tenth_500:+.3f}, {tenth_1000:+.3f},
{tenth_2000:+.3f}), and with ten times the paper's a start that they do not shape ({start_500:+.3f},
{start_1000:+.3f}, {start_2000:+.3f}), or 32 word clusters instead of 16 ({many_500:+.3f}, {many_1000:+.3f},
{many_2000:+.3f}).

The weight was chosen on these two groups. On five other problems, with 500 links on documents, the links on
words change the NMI by {others_ten:+.3f} on average with ten times the paper's weight, and with the paper's
by {others_one:+.3f}; a tenth of the words in categories by {listed_ten:+.3f} and {listed_one:+.3f}. So the
paper's weight is the default for listed links on words now; categories keep ten times as much, which holds
their words. The goal is reached on the two groups of the paper; on others the links add nothing.""",
        {
            **{
                f"{short}_{links}": Mean(
                    "paper001_words", f"{links} links | {name}", over=f"{links} links | no word links"
                )
                for short, name in (
                    ("ten", "weight 10"),
                    ("one", "weight 1, the default"),
                    ("tenth", "weight 0.1"),
                    ("start", "weight 10, start without word links"),
                    ("many", "weight 10, 32 word clusters"),
                )
                for links in (500, 1_000, 2_000)
            },
            "others_ten": on_other_problems("links, weight 10"),
            "others_one": on_other_problems("links, weight 1"),
            "listed_ten": on_other_problems("categories, weight 10"),
            "listed_one": on_other_problems("categories, weight 1"),
        },
    ),
    Reason(
        "001",
        "CITCC with links from a single shared name must not collapse",
        """\
56,824 links join posts that share at least one name of the recogniser, a tenth of them wrong. If all of them
count the same, CITCC has {free:.3f}, which is nothing, {light:.3f} with the paper's weight, and with its step
and word clusters as well {printed:.3f} (published .582): half of the posts have 56 links or more, whose cost
outweighs all words, and must-links alone are all satisfied by one group. With a hundredth of our weight it
has {lighter:.3f}. A weight for all links would weaken the few good ones from five names as well, so the links
of a document are bounded instead: together they count about as much as ten. That gives {bounded:.3f}, against
{bare:.3f} without links: no collapse, but a loss, as the paper reports of such links. With the 20,638 links
of Freebase's gazetteer it is {gazetteer:.3f} instead of {gazetteer_free:.3f}.""",
        {
            "free": one_name("recogniser", "not bounded"),
            "light": one_name("recogniser", "not bounded, weight 1"),
            "printed": one_name("recogniser", "as printed"),
            "lighter": one_name("recogniser", "not bounded, weight 0.1"),
            "bounded": one_name("recogniser"),
            "bare": Mean("paper001_names", "itcc | no links"),
            "gazetteer": one_name("freebase"),
            "gazetteer_free": one_name("freebase", "not bounded"),
        },
    ),
    Reason(
        "001",
        "Links from names help CKmeans",
        """\
They cost instead. Over the 190 problems `ckmeans` has {pairs_bare:.3f} without links and
{pairs_linked:.3f} with them (k-means, which does not compare directions, has {pairs_kmeans:.3f}). On
alt.atheism and comp.graphics it has {bare:.3f} without links, and k-means {kmeans:.3f}. With the 42 links
from five names of Freebase's gazetteer it has {five:.3f}, and {fixed_five:.3f} with a fixed metric: the links
do no harm, but the metric learned with them does. The 2,071 links from two names, of which more are wrong,
give {two:.3f}, and {fixed:.3f} with a fixed metric. With the published weight of a link, 1/√M, it is
{light:.3f} and {light_fixed:.3f}. So the weight is the reason where many links are wrong. It was not varied
on the 1,091 links from five names of the recogniser, of which about 21 are wrong.""",
        {
            "kmeans": Mean("paper001", "kmeans | 0 links | 0 word links"),
            "pairs_bare": Mean("paper001_pairs", "ckmeans | no links"),
            "pairs_linked": Mean("paper001_pairs", "ckmeans | recogniser ≥ 5"),
            "pairs_kmeans": Mean("paper001_pairs", "kmeans | no links"),
            "bare": nmi_with_names("no links"),
            "five": nmi_with_names("freebase ≥ 5 | hmrf | weight 1"),
            "two": nmi_with_names("freebase ≥ 2 | hmrf | weight 1"),
            "light": nmi_with_names("freebase ≥ 2 | hmrf | weight 0.024"),
            "light_fixed": nmi_with_names("freebase ≥ 2 | pck | weight 0.024"),
            "fixed": nmi_with_names("freebase ≥ 2 | pck | weight 1"),
            "fixed_five": nmi_with_names("freebase ≥ 5 | pck | weight 1"),
        },
    ),
)


NETWORK, MARGIN = "paper003_reasons", "paper004_reasons"
NEWS = "20 newsgroups"
FREEBASE = f"{NEWS} | freebase"
SETS = {
    "web": "WebKB",
    "largest": "Reuters, 6 largest",
    "news": NEWS,
    "rcv1": "RCV1",
    "next": "Reuters, next 10",
}


def gain_of_variant(about: str) -> Mean:
    """The gain of a variant over words alone."""
    return Mean(NETWORK, about, over="words | alone | itcc")


def gain_in_table6(method: str, base: str) -> Mean:
    """The gain over words alone in Table 6 of paper 003."""
    return Mean("paper003", f"{method} | words + {base}", over="itcc | words")


def nmi_with_labels(variant: str = "", over: str | None = None) -> Mean:
    """The NMI of `citcc` with 250,000 links from labels on all newsgroups, or its gain over a variant."""
    key = f"{NEWS} | citcc | 250000 links"
    return Mean("foundation", key + variant, over="" if over is None else key + over)


def filter_precision(rule: str, figure: str = "precision") -> Mean:
    """A figure of a filter or a stricter rule on the third sample."""
    return Mean("paper003_filters", f"third | {rule}", figure)


def gain_of_outsiders(outside: str, figure: str = "accuracy") -> Mean:
    """What the weight of outsiders adds on the branches of the newsgroups."""
    key = f"{NEWS} | outside: {outside} | weight"
    return Mean(MARGIN, f"{key} default", figure, f"{key} 0")


def m2dcu_accuracy(parameters: str, corpus: str = NEWS) -> Mean:
    """The accuracy of `m2dcu` on a set."""
    return Mean("paper004", f"{corpus} | m2dcu | {parameters}", "accuracy")


def gain_of_pairs(corpus: str, clusters: str = "") -> Mean:
    """What most pairs of words add to the accuracy with the fewest."""
    most, fewest = (f"{corpus} | cp-links | ACM areas | 1000 words | {n} pairs" for n in (2_000, 250))
    return Mean("paper000", most + clusters, "accuracy", fewest + clusters)


REASONS = (
    *LINK_REASONS,
    Reason(
        "003",
        "CHINC above HINC above ITCC with a knowledge base",
        """\
Over ITCC on words alone, HINC gains {hinc_fb:+.3f} with Freebase and {hinc_yago:+.3f} with YAGO,
CHINC {chinc_fb:+.3f} and {chinc_yago:+.3f}; published are +.070, +.040, +.130 and +.099.
Our ITCC on words alone has {itcc:.3f}, the published one .501, so there is less to gain. As printed, with
weight 1 for every relation, HINC has {printed_hinc:.3f} with Freebase and CHINC {printed_chinc:.3f}: names
then weigh more than words, though there are {of_words:.3f} names for a word.

*The goal of +.03 is not reached.* Tried, with the gain over words alone on every fourth post: entities as
they are {true:+.3f}; certain decisions (confidence of .9) {sure:+.3f}; sub-types together only
{together:+.3f}; all types as one with facts of the base {facts:+.3f}, but {facts_1:+.3f}, {facts_2:+.3f} and
{facts_3:+.3f} on the three other quarters of the posts; learned weights {learned:+.3f}; 128 clusters of each
type {many_clusters:+.3f}; links of posts that share five names {shared:+.3f}. On all posts with all bases as
one (Freebase with aliases, FIGER, FB13, YAGO and DBpedia), HINC gains {union_hinc:+.3f} and CHINC
{union_chinc:+.3f}. On the sample of RCV1 CHINC with Freebase gains nothing ({mcat:+.3f} on MCAT,
{ccat:+.3f} on CCAT, {ecat:+.3f} on ECAT).

*The words already have the information.* A classifier with all labels is right for {nb_words:.3f} of the
documents with an entity by their words, and for {nb_both:.3f} by words and entities. If that is the reason,
entities should help where words are few, and they do. On every fourth post with a tenth of its words, drawn
at random, ITCC has {tenth:.3f}, HINC {tenth_hinc:.3f} and CHINC {tenth_chinc:.3f}; with 3% of them
{few:.3f}, {few_hinc:.3f} and {few_chinc:.3f}.

*Sub-types hardly affect the documents.* The clusters of entities follow the given sub-types (NMI
{kept:.3f}, networks of Table 6). But from no sub-type to all of them, the NMI of documents only goes from
{none_told:.3f} to {all_told:.3f} with Freebase (Figure 7), and 128 clusters of people instead of 2 change it
by {many:+.3f} (Figure 5). Random sub-types are as good as the true ones ({random:+.3f} and
{true:+.3f} over words alone, every fourth post); without links apart the gain is {together:+.3f}.""",
        {
            "hinc_fb": gain_in_table6("hinc", "freebase"),
            "hinc_yago": gain_in_table6("hinc", "yago"),
            "chinc_fb": gain_in_table6("chinc", "freebase"),
            "chinc_yago": gain_in_table6("chinc", "yago"),
            "union_hinc": gain_in_table6("hinc", "union"),
            "union_chinc": gain_in_table6("chinc", "union"),
            "itcc": Mean("paper003", "itcc | words"),
            "nb_words": Mean("paper003_entities", "freebase", "told_by_words"),
            "nb_both": Mean("paper003_entities", "freebase", "told_by_both"),
            "tenth": Mean(NETWORK, "few words | 10% of the words | itcc"),
            "tenth_hinc": Mean(NETWORK, "few words | 10% of the words, entities | hinc"),
            "tenth_chinc": Mean(NETWORK, "few words | 10% of the words, entities | chinc"),
            "few": Mean(NETWORK, "few words | 3% of the words | itcc"),
            "few_hinc": Mean(NETWORK, "few words | 3% of the words, entities | hinc"),
            "few_chinc": Mean(NETWORK, "few words | 3% of the words, entities | chinc"),
            "kept": Mean("networks", f"{NEWS} | chinc | words + figer | share", "entities"),
            "none_told": Mean("paper003_figures", f"{FREEBASE} | told 0 + 0 + 0 | 40 + 40 + 40 clusters"),
            "all_told": Mean("paper003_figures", f"{FREEBASE} | told 1 + 1 + 1 | 40 + 40 + 40 clusters"),
            "many": Mean(
                "paper003_figures",
                f"{FREEBASE} | told 1 + 1 + 1 | 128 + 40 + 40 clusters",
                over=f"{FREEBASE} | told 1 + 1 + 1 | 2 + 40 + 40 clusters",
            ),
            "random": gain_of_variant("sub-types | drawn at random | chinc"),
            "printed_hinc": Mean("paper003", "hinc | words + freebase | as printed"),
            "printed_chinc": Mean("paper003", "chinc | words + freebase | as printed"),
            "of_words": Mean("paper003_entities", "freebase", "of_words"),
            "sure": gain_of_variant("linking | confidence of at least 0.9 | chinc"),
            **{
                f"facts_{part}": Mean(
                    NETWORK,
                    f"other posts | facts, as above | hinc | part {part}",
                    over=f"other posts | words alone | itcc | part {part}",
                )
                for part in (1, 2, 3)
            },
            **{
                branch.lower(): Mean(
                    "paper003_rcv1", f"{branch} | chinc | words + freebase", over=f"{branch} | itcc | words"
                )
                for branch in ("MCAT", "CCAT", "ECAT")
            },
            "facts": gain_of_variant("tries | all types as one, facts between entities | hinc"),
            "learned": gain_of_variant("weights | learned | chinc"),
            "many_clusters": gain_of_variant("tries | 128 clusters a type | chinc"),
            "shared": gain_of_variant("tries | documents that share five names linked | chinc"),
            "true": gain_of_variant("entities | as in Table 6 | chinc"),
            "together": gain_of_variant("sub-types | together only | chinc"),
        },
    ),
    Reason(
        "003",
        "CHINC with Freebase above CITCC with 250,000 links from labels",
        """\
With ten times the published weight of a link CITCC has {ours:.3f}, with the published weight {weight:.3f}:
the weight is not the reason. With the published weight and a start that links do not shape it has
{unshaped:.3f}, and with the step as printed {printed:.3f}. That is {gain:+.3f} over ITCC without links;
published is +.068. Of what our CITCC has beyond that, the start, in which linked documents are placed
together, gives {by_start:+.3f}, the weight {by_weight:+.3f} and the step {by_step:+.3f}, seed by seed, with
two seeds where the weight or the start is the paper's. The claim fails on the other side: CHINC gains
{chinc:+.3f} over ITCC on words alone, where +.130 is published.""",
        {
            "ours": nmi_with_labels(),
            "weight": nmi_with_labels(" | weight 1"),
            "unshaped": nmi_with_labels(" | weight 1, start without links"),
            "printed": nmi_with_labels(" | as printed"),
            "gain": Mean(
                "foundation",
                f"{NEWS} | citcc | 250000 links | as printed",
                over=f"{NEWS} | itcc | 0 links",
            ),
            "by_start": nmi_with_labels(" | weight 1", " | weight 1, start without links"),
            "by_weight": nmi_with_labels("", " | weight 1"),
            "by_step": nmi_with_labels(" | weight 1, start without links", " | as printed"),
            "chinc": gain_in_table6("chinc", "freebase"),
        },
    ),
    Reason(
        "003",
        "Precision of the filters of .92 and more",
        """\
On the third sample, on which nothing was tuned, CBSF has {cbsf:.3f} (published .916). Stricter rules were
tried. Confidence does not tell errors: decisions of at least .7 have {seven:.3f} ({seven_kept:.0%} are kept),
of at least .9 {nine:.3f} ({nine_kept:.0%}). Nor do the other filters: where all three agree it is {agree:.3f}
({agree_kept:.0%}), with a confidence of .9 {both:.3f} ({both_kept:.0%}). Only names of several words are
above the goal, with {long:.3f}, but these are {long_kept:.0%} of the decisions. Of the errors of CBSF,
{recognition:.0f} are no whole names, and {disambiguation:.0f} are names of something else; {teams:.0f} of all
are places that stand for teams. If these are accepted, it has {team:.3f}.""",
        {
            "cbsf": filter_precision("cbsf"),
            **{name: filter_precision("cbsf", name) for name in ("recognition", "disambiguation", "teams")},
            "team": filter_precision("cbsf", "team"),
            **{
                f"{short}{suffix}": filter_precision(rule, figure)
                for short, rule in (
                    ("seven", "cbsf, confidence ≥ 0.7"),
                    ("nine", "cbsf, confidence ≥ 0.9"),
                    ("agree", "all three filters agree"),
                    ("both", "all three agree, confidence ≥ 0.9"),
                    ("long", "cbsf, names of several words"),
                )
                for suffix, figure in (("", "precision"), ("_kept", "kept"))
            },
        },
    ),
    Reason(
        "004",
        "M2DCU of .78 on the super-groups, and above M2DCU-0 on four of five sets",
        """\
Over ten seeds M2DCU is above M2DCU-0 on four of five sets on average: {over_web:+.3f} on WebKB,
{over_largest:+.3f} on the six largest topics of Reuters, {over_rcv1:+.3f} on RCV1 and {over_next:+.3f} on
the next ten topics, but {over_news:+.3f} on the super-groups; only the first two gains exceed the spread. On
the super-groups it has {table:.3f}, below the goal of .78. Tried there: a weight of 6.4 {weight:.3f}; the
paper's outsiders {paper:.3f}; the groups of `gmm` as the only start {gmm:.3f}, and on WebKB {gmm_web:.3f}
instead of {table_web:.3f}. One seed of ten reaches .79: better groups can be had, but the objective does
not prefer them, as the page of the method shows.

Outsiders can change the groups if a run without them confuses outsiders with documents. The margins show how
far it does: the area under their ROC curve, documents against outsiders, with outsiders of weight 0, is
{apart_web:.3f} on WebKB and {apart_largest:.3f} on the six largest topics of Reuters, where they help;
and {apart_rcv1:.3f} on RCV1 and {apart_next:.3f} on the next ten topics, where they do not.
There documents and outsiders are already separated, and the groups with and without outsiders are nearly the
same (NMI {same_rcv1:.3f} and {same_next:.3f}, against {same_web:.3f} on WebKB), so there is nothing to gain.

The super-groups of the newsgroups are different. Outsiders are not separated there ({apart_news:.3f}), the
weight changes the groups ({same_news:.3f}), and it costs: {over_news:+.3f} of accuracy and
{over_news_nmi:+.3f} of NMI over the ten seeds of Tables 3 and 4. The subject of the outsiders may also
matter, though by less than the spread: those about religion, which is also a part of one branch, add
{gain_religion:+.3f}, and {nmi_religion:+.3f} to the NMI; sales offers add {gain_sale:+.3f} and
{nmi_sale:+.3f}.""",
        {
            **{f"apart_{name}": Mean(MARGIN, corpus, "bare_area") for name, corpus in SETS.items()},
            **{f"same_{name}": Mean(MARGIN, corpus, "same") for name, corpus in SETS.items()},
            "over_news_nmi": Mean(
                "paper004", f"{NEWS} | m2dcu | defaults", "nmi", f"{NEWS} | m2dcu-0 | defaults"
            ),
            **{
                f"over_{name}": Mean(
                    "paper004", f"{corpus} | m2dcu | defaults", "accuracy", f"{corpus} | m2dcu-0 | defaults"
                )
                for name, corpus in SETS.items()
            },
            "table": m2dcu_accuracy("defaults"),
            "table_web": m2dcu_accuracy("defaults", "WebKB"),
            "weight": m2dcu_accuracy("outsider_weight 6.4"),
            "paper": m2dcu_accuracy("outsiders all, select 0.1"),
            "gmm": m2dcu_accuracy("init gmm, n_init 1"),
            "gmm_web": m2dcu_accuracy("init gmm, n_init 1", "WebKB"),
            "gain_religion": gain_of_outsiders("religion"),
            "nmi_religion": gain_of_outsiders("religion", "nmi"),
            "gain_sale": gain_of_outsiders("sale"),
            "nmi_sale": gain_of_outsiders("sale", "nmi"),
        },
    ),
    Reason(
        "002",
        "SS-NMF above SRC on all sets, from words and links alone: not on HT5",
        """\
With links among 15% of all pairs the accuracy on HT5 is {every:.3f}, against {src:.3f} for SRC, but
{free:.3f} over the documents in no link: these are grouped better than with fewer links ({fewer:.3f} at 1%),
and the loss is on the linked documents. Labels are a separate type there, and the labelled documents of the
largest class, Film, form a separate group. In the form *linked*, where labels also make the matrix of
categories, this does not happen ({linked:.3f}).""",
        {
            "every": Mean("paper002", "HT5 | ssnmf | words | 15% of pairs", "accuracy"),
            "free": Mean("paper002", "HT5 | ssnmf | words | 15% of pairs", "free_accuracy"),
            "fewer": Mean("paper002", "HT5 | ssnmf | words | 1% of pairs", "free_accuracy"),
            "src": Mean("paper002", "HT5 | src | words | 0% of pairs", "accuracy"),
            "linked": Mean("paper002", "HT5 | ssnmf | linked | 15% of pairs", "accuracy"),
        },
    ),
    Reason(
        "000",
        "Rising curves with pairs of words: not on DBLP authors with 16 word clusters",
        """\
From 250 to 2,000 pairs the accuracy of `cp-links` changes by {many:+.3f} with the default of 16 word
clusters. The likely reason is that pairs put the words of a category into one cluster, while there are 16
clusters for four categories. With four word clusters, as in the paper, it changes by {four:+.3f}, and on
single titles by {titles:+.3f}.""",
        {
            "many": gain_of_pairs("DBLP authors"),
            "four": gain_of_pairs("DBLP authors", " | 4 word clusters"),
            "titles": gain_of_pairs("DBLP titles", " | 4 word clusters"),
        },
    ),
)
