"""The page `docs/papers.md`: the result of it all on half a screen, and where to read on."""

from __future__ import annotations

import re
from functools import cache
from textwrap import fill, indent
from typing import TYPE_CHECKING

import numpy as np

from experiments.page.explanations import Mean
from experiments.page.verdicts import (
    NONE,
    count_verdicts,
    holds,
    letter_protocols,
    make_markdown,
)
from experiments.published.inventory import INVENTORY
from experiments.published.paper002 import ACCURACY
from experiments.runner.experiment import load_experiment, select_experiments
from experiments.runner.store import StoredRuns
from experiments.runner.tables import published_figure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from experiments.page.verdicts import Verdict
    from experiments.published.inventory import Item
    from experiments.runner.experiment import Experiment, TableSpec

# cells that run the paper's algorithm, its words, weights, outsiders or scale
PRINTED = re.compile(r"as printed|Porter|outsiders all|k-means start|links \| weight 1$|scale 1\.0")
PAPERS = {
    "000": "Knowledge transformation from word space to document space (2008)",
    "001": "Constrained co-clustering for textual documents (2010)",
    "002": "Semi-supervised document clustering with simultaneous text representation and categorization "
    "(2009)",
    "003": "Incorporating world knowledge to document clustering via heterogeneous information networks "
    "(2015)",
    "004": "Document clustering with Universum (2011)",
}
HEADINGS = ("paper", "claims", "as the paper had it", "our defaults", "ours after Holm (per paper)")
TEXT = """\
# Results of the papers

{n_claims} claims, judged by stored runs: *as the paper had it* (its updates, starts, weights, outsiders) and
with *our defaults*. Cells count the claims that hold, of those tested.

{table}

{bullets}

Further pages: [every table and figure](papers/tables.md), [how claims are judged, and which verdicts
changed](papers/verdicts.md), [every pair of each claim](papers/parts.md). All are made by
`python -m experiments page`.

```{{toctree}}
:hidden:

{pages}
papers/tables
papers/verdicts
papers/parts
```
"""
# the result of each paper, with stored figures by name
RESULTS = {
    "000": """\
*Groups of words help, but not by the printed update.* On CSTR the accuracy of CP is {cp_ours:.3f}, as printed
{cp_printed:.3f}. From k-means, where the paper starts, CP cannot solve the paper's own example.""",
    "001": """\
*Links from labels help; those from shared names not with every method.* Over 190 problems, names
lift CITCC from {itcc:.3f} to {citcc:.3f} and lower `ckmeans` from {bare:.3f} to {linked:.3f} (NMI); as
printed, they lift both. Links on words help with the paper's weight, and cost with tenfold
({words_one:+.3f}, {words_ten:+.3f}).""",
    "002": """\
*The printed update does worse than published, ours better.* SS-NMF has a mean accuracy of {ssnmf_ours:.3f}
over seven sets, with categories made from all labels; published is {ssnmf_published:.3f}, as printed
{ssnmf_printed:.3f}. From words and links alone it is not above NMF on every set.""",
    "003": """\
*A knowledge base adds little to the words of 20 Newsgroups.* Our ITCC on words has {words:.3f}
(published .501), CHINC with Freebase {chinc:.3f} (.631), HINC {hinc:.3f} (.571). Entities help where words
are few.""",
    "004": """\
*Outsiders help on four of five sets.* Of {universum} claims that M2DCU is above another method,
{universum_ours} hold with our outsiders, {universum_printed} tuned as in the paper.""",
}


def compose_summary(verdicts: Sequence[Verdict], short: Mapping[str, str]) -> str:
    """Compose the text of the page; `short` is the result of each paper."""
    bullets = ("- " + indent(text, "  ").lstrip() for text in short.values())
    return TEXT.format(
        n_claims=len(verdicts),
        table=make_markdown(HEADINGS, [_count_row(paper, verdicts) for paper in PAPERS]),
        bullets="\n".join(bullets),
        pages="\n".join(f"papers/{paper}" for paper in PAPERS),
    )


def compose_results(verdicts: Sequence[Verdict], results: Path) -> dict[str, str]:
    """Compose the result of each paper in a few sentences."""
    stored = cache(lambda name: StoredRuns.of(load_experiment(name), results))
    margins = [v for v in verdicts if v.claim.paper == "004" and v.claim.says.startswith("M2DCU is above")]
    figures = {
        "universum": len(margins),
        "universum_printed": sum(holds(v.printed) for v in margins),
        "universum_ours": sum(holds(v.ours) for v in margins),
        "ssnmf_published": float(np.mean(ACCURACY["ssnmf"])),
        **_compute_figures(stored),
    }
    texts = {paper: text.format(**figures) for paper, text in RESULTS.items()}
    return {paper: fill(text, 108, break_on_hyphens=False) for paper, text in texts.items()}


INDEX = """\
# Every table and figure of the papers

*Published*: whether the paper prints digits, which stand in brackets beside ours, or draws a picture. *As
printed*: the paper's algorithm or protocol is run; a letter says what is the paper's, as on the page of the
paper. *Ours*: our defaults are run. *Claims that hold* are those of the table in the two columns. *Data*: the
paper's own, or in part; the page of the paper says what differs. *Command*: it computes what is not stored.
Linking and its filters (003 Tables 4 and 5, Figure 4), links of names (001 Table 1) and sizes of sets have
one reading. Left out are drawings, lists of symbols and steps of algorithms, without a result: {left_out}.

{index}
"""
RUN = "python -m experiments run"
INDEX_HEADINGS = (
    *("table or figure", "shows", "published", "as printed", "ours", "seeds"),
    *("claims that hold, as printed", "claims that hold, ours", "data", "command"),
)


def compose_index(verdicts: Sequence[Verdict], results: Path) -> str:
    """Compose the page with a row for every table and figure that has a result."""
    specs = [(spec, experiment) for experiment in select_experiments(()) for spec in experiment.tables]
    stored = cache(lambda name: StoredRuns.of(load_experiment(name), results))
    rows = []
    for item in INVENTORY:
        name = f"{item.paper} {item.name}"
        shown = [(spec, experiment) for spec, experiment in specs if spec.of == name]
        if item.experiment:
            rows.append(_index_row(item, shown, verdicts, stored))
    left_out = ", ".join(f"{item.paper} {item.name}" for item in INVENTORY if not item.experiment)
    return INDEX.format(left_out=left_out, index=make_markdown(INDEX_HEADINGS, rows))


def _index_row(
    item: Item,
    shown: Sequence[tuple[TableSpec, Experiment]],
    verdicts: Sequence[Verdict],
    stored: Callable[[str], StoredRuns],
) -> tuple[str, ...]:
    entries = [
        (entry, experiment)
        for spec, experiment in shown
        for row in spec.rows.values()
        for entry in row.values()
    ]
    lengths = {len(stored(one.name).cells.get(entry.key, ())) for entry, one in entries} - {0}
    seeds = f"{min(lengths)}–{max(lengths)}" if len(lengths) > 1 else str(*lengths)
    digits = any(published_figure(one, entry) is not None for entry, one in entries)
    printed = any(
        PRINTED.search(entry.key) and stored(one.name).cells.get(entry.key) for entry, one in entries
    )
    claims = [v for v in verdicts if v.claim.paper == item.paper and _is_about(v.claim.where, item.name)]
    in_paper, ours = [v for v in claims if v.printed is not None], [v for v in claims if v.tested]
    letters = letter_protocols(v for v in verdicts if v.claim.paper == item.paper)
    protocols = sorted({letters[v.claim.printed_how] for v in in_paper})
    return (
        f"[{item.paper}]({item.paper}.md) {item.name}",
        item.shows,
        describe_published(item.name, digits=digits),
        ", ".join(f"({letter})" for letter in protocols) or ("✓" if printed else NONE),
        "✓" if lengths else NONE,
        seeds or NONE,
        f"{sum(holds(v.printed) for v in in_paper)} of {len(in_paper)}" if in_paper else NONE,
        f"{sum(holds(v.ours) for v in ours)} of {len(ours)}" if ours else NONE,
        "in part" if item.why else "the paper's",
        f"`{RUN} {' '.join(dict.fromkeys(one.name for _, one in shown))}`",
    )


def describe_published(name: str, *, digits: bool) -> str:
    """Say whether a table or figure has digits; those of a figure are from a table of the paper."""
    if not digits:
        return "drawn"
    return "drawn, some digits in a table" if name.startswith("Figure") else "digits"


def _is_about(where: str, name: str) -> bool:
    """Whether a claim is about a table or figure: `Figures 2, 3` and `Figure 2, held out` are of Figure 2."""
    kind, number = name.split(" ")
    return re.fullmatch(rf"{kind}s? (\d, )*{number}\b.*", where) is not None


def _count_row(paper: str, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    counts = count_verdicts([v for v in verdicts if v.claim.paper == paper])
    return (
        f"[{paper}](papers/{paper}.md): {PAPERS[paper]}",
        str(counts.claims),
        f"{counts.printed_held} of {counts.printed}",
        f"{counts.held} of {counts.tested}",
        str(counts.corrected),
    )


def _gain_of_word_links(weight: str) -> Mean:
    """What 10,000 links on words add to the NMI of `citcc` with 500 links on documents."""
    return Mean("paper001_words", f"500 links | {weight}", over="500 links | no word links")


def _compute_figures(stored: Callable[[str], StoredRuns]) -> dict[str, float]:
    """Compute the means that the text names."""
    sets = [f"HT{n} | ssnmf | all labels | 15% of pairs" for n in range(1, 8)]
    cp = "CSTR | cp | labels of a tenth | 1000 words | 0 pairs"
    single = {
        "cp_printed": Mean("paper000", f"{cp} | as printed", "accuracy"),
        "cp_ours": Mean("paper000", cp, "accuracy"),
        "itcc": Mean("paper001_pairs", "itcc | no links"),
        "citcc": Mean("paper001_pairs", "citcc | recogniser ≥ 5"),
        "bare": Mean("paper001_pairs", "ckmeans | no links"),
        "linked": Mean("paper001_pairs", "ckmeans | recogniser ≥ 5"),
        "words": Mean("paper003", "itcc | words"),
        "chinc": Mean("paper003", "chinc | words + freebase"),
        "hinc": Mean("paper003", "hinc | words + freebase"),
        "words_ten": _gain_of_word_links("weight 10"),
        "words_one": _gain_of_word_links("weight 1, the default"),
    }
    figures = {name: mean.value(stored) for name, mean in single.items()}
    for name, variant in (("ssnmf_printed", " | as printed"), ("ssnmf_ours", "")):
        means = [Mean("paper002", key + variant, "accuracy").value(stored) for key in sets]
        figures[name] = float(np.mean(means))
    return figures
