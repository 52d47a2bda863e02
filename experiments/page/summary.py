"""The page `docs/papers.md`: the result of it all on half a screen, and where to read on."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from experiments.page.explanations import Mean
from experiments.page.verdicts import NONE, Verdict, holds, make_markdown
from experiments.published.inventory import INVENTORY
from experiments.published.paper002 import ACCURACY
from experiments.runner.claims import ALPHA
from experiments.runner.experiment import load_experiment, select_experiments
from experiments.runner.store import StoredRuns
from experiments.runner.tables import published_figure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from experiments.published.inventory import Item
    from experiments.runner.experiment import Experiment, TableSpec

# cells that run the paper's algorithm, or its words and grid
PRINTED = re.compile(r"as printed|Porter|outsiders all|k-means start")
PAPERS = {
    "000": "Knowledge transformation from word space to document space (2008)",
    "001": "Constrained co-clustering for textual documents (2010)",
    "002": "Semi-supervised document clustering with simultaneous text representation and categorization "
    "(2009)",
    "003": "Incorporating world knowledge to document clustering via heterogeneous information networks "
    "(2015)",
    "004": "Document clustering with Universum (2011)",
}
HEADINGS = ("paper", "claims", "as the paper had it", "our defaults", "after Holm's correction")
TEXT = """\
# Results of the papers

Five papers, {n_claims} of their claims, judged by stored runs in two columns: *as the paper had it* (its
updates, starts, weights or outsiders, where that can be run) and with *our defaults*. A cell counts the
claims that hold, of those that are tested.

{table}

- *Printed updates do worse than published.* SS-NMF as printed has a mean accuracy of {ssnmf_printed:.3f} over
  seven sets, published is {ssnmf_published:.3f}, ours has {ssnmf_ours:.3f}. CP as printed has
  {cp_printed:.3f} on CSTR, ours {cp_ours:.3f}; from k-means, where its paper starts, it cannot solve the
  paper's own example.
- *Links from labels help as claimed; links from shared names do not help every method.* Over 190 problems
  they lift CITCC from {itcc:.3f} to {citcc:.3f} and lower `ckmeans` from {bare:.3f} to {linked:.3f} (NMI).
- *A knowledge base adds nothing to the words of 20 Newsgroups.* Our ITCC on words alone has {words:.3f}
  (published .501), CHINC with Freebase {chinc:.3f} (published .631).
- *Outsiders help by our choice of them.* With the paper's choice, {universum_printed} of the {universum}
  claims about M2DCU hold, with ours {universum_ours}.

One page for each paper has its tables, pictures and verdicts: {links}.
[How claims are judged, and which verdicts changed](papers/verdicts.md). `python -m experiments page` makes
all of them from `experiments/results`.

## Every table and figure

*Published*: whether the paper prints digits, which stand in brackets beside ours. *As printed* and *ours*:
whether runs of the paper's algorithm or protocol, and of our defaults, are stored. *Claims that hold* are
those of the table in the two columns. *Data*: the paper's own, or what differs. Drawings, lists of symbols
and steps of algorithms without a result are left out: {left_out}.

{index}

```{{toctree}}
:hidden:

{pages}
papers/verdicts
papers/parts
```
"""


def compose_summary(verdicts: Sequence[Verdict], results: Path) -> str:
    """Compose the text of the page."""
    stored = cache(lambda name: StoredRuns.of(load_experiment(name), results))
    margins = [v for v in verdicts if v.claim.paper == "004" and v.claim.says.startswith("M2DCU is above")]
    return TEXT.format(
        n_claims=len(verdicts),
        table=make_markdown(HEADINGS, [_count_row(paper, verdicts) for paper in PAPERS]),
        links=", ".join(f"[{paper}](papers/{paper}.md)" for paper in PAPERS),
        index=compose_index(verdicts, results),
        left_out=", ".join(f"{item.paper} {item.name}" for item in INVENTORY if not item.experiment),
        pages="\n".join(f"papers/{paper}" for paper in PAPERS),
        universum=len(margins),
        universum_printed=sum(holds(v.printed) for v in margins),
        universum_ours=sum(holds(v.ours) for v in margins),
        ssnmf_published=np.mean(ACCURACY["ssnmf"]),
        **_compute_figures(stored),
    )


INDEX_HEADINGS = (
    *("table or figure", "shows", "published", "as printed", "ours", "seeds"),
    *("claims that hold, as printed", "claims that hold, ours", "data"),
)


def compose_index(verdicts: Sequence[Verdict], results: Path) -> str:
    """Compose a row for every table and figure that has a result."""
    specs = [(spec, experiment) for experiment in select_experiments(()) for spec in experiment.tables]
    rows = []
    for item in INVENTORY:
        name = f"{item.paper} {item.name}"
        shown = [(spec, experiment) for spec, experiment in specs if spec.of == name]
        if item.experiment:
            rows.append(_index_row(item, shown, verdicts, results))
    return make_markdown(INDEX_HEADINGS, rows)


def _index_row(
    item: Item,
    shown: Sequence[tuple[TableSpec, Experiment]],
    verdicts: Sequence[Verdict],
    results: Path,
) -> tuple[str, ...]:
    entries = [
        (entry, experiment)
        for spec, experiment in shown
        for row in spec.rows.values()
        for entry in row.values()
    ]
    stored = cache(lambda name: StoredRuns.of(load_experiment(name), results))
    lengths = {len(stored(one.name).cells.get(entry.key, ())) for entry, one in entries} - {0}
    seeds = f"{min(lengths)}–{max(lengths)}" if len(lengths) > 1 else str(*lengths)
    digits = any(published_figure(one, entry) is not None for entry, one in entries)
    printed = any(PRINTED.search(entry.key) for entry, _ in entries)
    claims = [v for v in verdicts if v.claim.paper == item.paper and _is_about(v.claim.where, item.name)]
    in_paper, ours = [v for v in claims if v.printed is not None], [v for v in claims if v.tested]
    return (
        f"[{item.paper}](papers/{item.paper}.md) {item.name}",
        item.shows,
        "digits" if digits else "drawn",
        "✓" if printed else NONE,
        "✓" if lengths else NONE,
        seeds or NONE,
        f"{sum(holds(v.printed) for v in in_paper)} of {len(in_paper)}" if in_paper else NONE,
        f"{sum(holds(v.ours) for v in ours)} of {len(ours)}" if ours else NONE,
        "in part" if item.why else "the paper's",
    )


def _is_about(where: str, name: str) -> bool:
    """Whether a claim is about a table or figure: `Figures 2, 3` and `Figure 2, held out` are of Figure 2."""
    kind, number = name.split(" ")
    return re.fullmatch(rf"{kind}s? (\d, )*{number}\b.*", where) is not None


def _count_row(paper: str, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    of_paper = [v for v in verdicts if v.claim.paper == paper]
    tested, printed = [v for v in of_paper if v.tested], [v for v in of_paper if v.printed is not None]
    corrected = sum(holds(v.ours) and v.corrected < ALPHA for v in tested)
    return (
        f"[{paper}](papers/{paper}.md): {PAPERS[paper]}",
        str(len(of_paper)),
        f"{sum(holds(v.printed) for v in printed)} of {len(printed)}",
        f"{sum(holds(v.ours) for v in tested)} of {len(tested)}",
        str(corrected),
    )


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
    }
    figures = {name: mean.value(stored) for name, mean in single.items()}
    for name, variant in (("ssnmf_printed", " | as printed"), ("ssnmf_ours", "")):
        means = [Mean("paper002", key + variant, "accuracy").value(stored) for key in sets]
        figures[name] = float(np.mean(means))
    return figures
