"""Tables of papers 000, 001, 002 and 004 for the pages of the methods, from what their experiments stored."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[1]
EXPERIMENTS = ROOT / "experiments"
PUBLISHED = runpy.run_path(str(EXPERIMENTS / "published" / "paper002.py"))
PUBLISHED_MARGINS = runpy.run_path(str(EXPERIMENTS / "published" / "paper004.py"))
MARGIN_SETS = {
    "20 newsgroups": "20 Newsgroups, 4 super-groups",
    "WebKB": "WebKB, 4 classes",
    "RCV1": "RCV1 sample, 3 topics",
    "Reuters, 6 largest": "Reuters-21578, 6 largest topics",
    "Reuters, next 10": "Reuters-21578, next 10",
}
UNGUIDED = {"csnmf": "snmf", "ssnmf": "strinmf", "cstrinmf": "strinmf", "citcc": "itcc"}
PUBLISHED_UNGUIDED = {"csnmf": ".669", "cstrinmf": ".712", "citcc": ".842"}
LINKS = (0, 100, 500, 1_000, 2_000, 5_000, 10_000)
SHARES = ("1%", "5%", "10%", "15%")
SETS = tuple(f"HT{number}" for number in range(1, 8))
PRINTED = "as printed"
Cells = dict[str, list[dict[str, Any]]]


def tables() -> dict[str, dict[str, str]]:
    """By page the named tables in it."""
    words, links, triplets = (_stored(f"paper00{number}") for number in range(3))
    margins, names = _stored("paper004"), _stored("paper001_reasons")
    return {
        "cp": {"figures 2 and 3": categories(words), "figures 4 and 5": fewer_words(words)},
        "cp-links": {"figures 6 and 7": word_pairs(words)},
        "ckmeans": {"links from names": by_link_weight(names)},
        "cstrinmf": {"figures 2 and 3": by_links(links)},
        "m2dcu": {"rejection": rejections(margins), "tables 3 and 4": by_outsiders(margins)},
        "ssnmf": {
            "tables 2 and 3": beside_published(triplets),
            "table 4": importance(triplets),
            "figure 3": by_share(triplets),
        },
    }


def categories(cells: Cells) -> str:
    """All methods of the word-space paper with the most words."""
    rows = []
    for key, runs in cells.items():
        corpus, method, source, *rest = key.split(" | ")
        if rest[:2] == ["1000 words", "0 pairs"] and rest[2:] in ([], [PRINTED]):
            figures = (_spread(runs, "accuracy"), _spread(runs, "nmi"))
            rows.append((corpus, _method(method, rest), source, *figures, str(len(runs))))
    return _table(("corpus", "method", "categories", "accuracy", "NMI", "seeds"), rows)


def fewer_words(cells: Cells) -> str:
    """Accuracy by the number of words."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for size in (250, 500, 1000):
        for key, runs in cells.items():
            corpus, method, source, *rest = key.split(" | ")
            wanted = source != "ACM roots" and corpus != "DBLP titles"
            if rest[:2] == [f"{size} words", "0 pairs"] and rest[2:] in ([], [PRINTED]) and wanted:
                rows.setdefault((corpus, _method(method, rest), source), []).append(_spread(runs, "accuracy"))
    return _table(
        ("corpus", "method", "categories", "250 words", "500 words", "1,000 words"),
        [(*name, *figures) for name, figures in rows.items()],
    )


def word_pairs(cells: Cells) -> str:
    """Accuracy and NMI of `cp-links` by the number of pairs; without any it is `tnmf`."""
    rows: dict[tuple[str, str], dict[int, str]] = {}
    for key, runs in cells.items():
        corpus, method, _, *rest = key.split(" | ")
        if method in ("tnmf", "cp-links") and rest[0] == "1000 words":
            _, pairs, *clusters = rest
            name = (
                corpus,
                (clusters[0].split()[0] if clusters else "16") + f", {PRINTED}" * (PRINTED in rest),
            )
            text = f"{_mean(runs, 'accuracy')} / {_mean(runs, 'nmi')} ({len(runs)})"
            rows.setdefault(name, {})[int(pairs.split()[0])] = text
    counts = (0, 250, 500, 1_000, 2_000)
    return _table(
        ("corpus", "word clusters", *(f"{count:,} pairs" for count in counts)),
        [(*name, *(figures.get(count, "–") for count in counts)) for name, figures in rows.items()],
    )


def by_links(cells: Cells) -> str:
    """NMI by the number of links on documents and on words."""
    rows = []
    for word_links in (0, 5_000, 10_000):
        for method, free in UNGUIDED.items():
            bare = (
                f"{method} | 0 links | {word_links} word links"
                if word_links
                else f"{free} | 0 links | 0 word links"
            )
            keys = [bare, *(f"{method} | {count} links | {word_links} word links" for count in LINKS[1:])]
            if keys[-1] in cells:
                published = "–" if word_links else PUBLISHED_UNGUIDED.get(method, "–")
                figures = [_spread(cells.get(key, []), "nmi") for key in keys]
                rows.append((f"`{method}`", f"{word_links:,}", published, *figures))
    return _table(
        ("method", "word links", "published, 0 links", *(f"{count:,} links" for count in LINKS)), rows
    )


def beside_published(cells: Cells) -> str:
    """Accuracy of documents / of categories with the paper's matrix: published, and here."""
    keys = {"src": "src | all labels | 0%", "nmf-triplet": "nmf-triplet | all labels | 0%"}
    keys["ssnmf"] = "ssnmf | all labels | 15%"
    rows = []
    for position, name in enumerate(SETS):
        row = [name]
        for method, key in keys.items():
            runs = cells.get(f"{name} | {key} of pairs", [])
            printed = (PUBLISHED[one][method][position] for one in ("ACCURACY", "CATEGORIES"))
            row.append(" / ".join(f"{one:.3f}" for one in printed))
            row.append(f"{_mean(runs, 'accuracy')} / {_mean(runs, 'categories')}")
        runs = cells.get(f"{name} | {keys['ssnmf']} of pairs | {PRINTED}", [])
        row.append(f"{_mean(runs, 'accuracy')} / {_mean(runs, 'categories')}")
        rows.append(tuple(row))
    headings = [f"`{one}`{tail}" for one in keys for tail in (", published", ", here")]
    return _table(("set", *headings, f"`ssnmf`, {PRINTED}"), rows)


def importance(cells: Cells) -> str:
    """What words / categories count with the fewest links."""
    rows = []
    for name, printed in zip(SETS, PUBLISHED["IMPORTANCE"], strict=True):
        runs_by_form = [
            cells.get(f"{name} | ssnmf | {form} | 1% of pairs", []) for form in ("all labels", "linked")
        ]
        runs_by_form.append(cells.get(f"{name} | ssnmf | all labels | 1% of pairs | {PRINTED}", []))
        means = [np.mean([run["importance"] for run in runs], axis=0) for runs in runs_by_form if runs]
        rows.append((name, *(" / ".join(f"{one:.3f}" for one in pair) for pair in (printed, *means))))
    return _table(
        ("set", "published", "the paper's matrix", "matrix of linked documents", f"{PRINTED}, not scaled"),
        rows,
    )


def by_share(cells: Cells) -> str:
    """Accuracy of all documents, and of those in no link, by the share of linked pairs."""
    rows = []
    for form in ("all labels", "linked", "words"):
        free = "words" if form == "linked" else form
        for name in SETS:
            bare = [cells.get(f"{name} | {one} | {free} | 0% of pairs", []) for one in ("src", "nmf-triplet")]
            guided = [cells.get(f"{name} | ssnmf | {form} | {share} of pairs", []) for share in SHARES]
            texts = [f"{_mean(runs, 'accuracy')} / {_mean(runs, 'free_accuracy')}" for runs in guided]
            rows.append((form, name, *(_mean(runs, "accuracy") for runs in bare), *texts))
    for name in SETS:
        keys = [f"{name} | ssnmf | all labels | {share} of pairs | {PRINTED}" for share in SHARES]
        runs_by_share = [cells.get(key, []) for key in keys]
        texts = [f"{_mean(runs, 'accuracy')} / {_mean(runs, 'free_accuracy')}" for runs in runs_by_share]
        rows.append((f"all labels, {PRINTED}", name, "–", "–", *texts))
    return _table(("form", "set", "`src`", "`nmf-triplet`", *(f"{one} of pairs" for one in SHARES)), rows)


def by_link_weight(cells: Cells) -> str:
    """NMI of `ckmeans` with links from names, by form and weight of a link."""
    weights = {"1": "1", "0.1": ".1", "0.024": "1/√M"}
    rows = [
        (
            f"`{form}`, link weight {shown}",
            *(
                _spread(cells[f"ckmeans | freebase ≥ {least} | {form} | weight {weight}"], "nmi")
                for least in (2, 5)
            ),
        )
        for form in ("hmrf", "pck")
        for weight, shown in weights.items()
    ]
    bare = _spread(cells["ckmeans | no links"], "nmi")
    return _table(("", "2 names", "5 names"), [*rows, ("without links", bare, bare)])


def rejections(cells: Cells) -> str:
    """What share of outsiders and of others is rejected, by the weight of outsiders."""
    names = ("outsiders rejected", "others rejected", "area under the ROC curve")
    rows = []
    for weight in (0.0, 6.4, 64.0):
        runs = cells[f"20 newsgroups | m2dcu | n_init 5, reject 0.9, outsider_weight {weight}"]
        rows.append((f"{weight:g}", *(_spread(runs, name) for name in names), str(len(runs))))
    return _table(("`outsider_weight`", *names, "seeds"), rows)


def by_outsiders(cells: Cells) -> str:
    """Accuracy and NMI without and with outsiders, and the gain by seed."""
    published, rows = PUBLISHED_MARGINS["PUBLISHED"], []
    for corpus, title in MARGIN_SETS.items():
        bare, guided = (cells[f"{corpus} | {method} | defaults"] for method in ("m2dcu-0", "m2dcu"))
        gains = [
            {name: after[name] - before[name] for name in ("accuracy", "nmi")}
            for before, after in zip(bare, guided, strict=True)
        ]
        printed = (
            f"{published[name][corpus][1]:.3f}, {published[name][corpus][0]:.3f}"
            for name in ("accuracy", "nmi")
        )
        texts = (f"{_spread(runs, 'accuracy')} / {_spread(runs, 'nmi')}" for runs in (bare, guided, gains))
        rows.append((title, *texts, " / ".join(printed), str(len(guided))))
    return _table(("set", "`m2dcu-0`", "`m2dcu`", "gain", "published, without and with", "seeds"), rows)


def _method(method: str, rest: list[str]) -> str:
    return f"`{method}`" + f", {PRINTED}" * (PRINTED in rest)


def _stored(name: str) -> Cells:
    cells: Cells = json.loads((EXPERIMENTS / "results" / f"{name}.json").read_text(encoding="utf-8"))["cells"]
    return cells


def _values(runs: list[dict[str, Any]], name: str) -> list[float]:
    return [run[name] for run in runs if run[name] is not None]


def _mean(runs: list[dict[str, Any]], name: str) -> str:
    values = _values(runs, name)
    return f"{np.mean(values):.3f}" if values else "–"


def _spread(runs: list[dict[str, Any]], name: str) -> str:
    values = _values(runs, name)
    return f"{np.mean(values):.3f} ± {np.std(values):.3f}" if values else "–"


def _table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [headings, ("---",) * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
