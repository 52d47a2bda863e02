"""Run other programs beside ours on the same corpora: `python -m experiments.comparison.programs`.

    python -m experiments.comparison.programs --environments FOLDER [--data FOLDER] [--only PROGRAM …]
        [--corpora NAME …] [--seeds N]

Each program is in an environment of its own, FOLDER/PACKAGE, which the command makes with `pip` if it is not
there. No program loads anything from elsewhere: all that need vectors get those of WordLlama, the means of
the vectors of a text's word pieces. Runs that are in `experiments/results/programs.json` already are computed
again only with `--again`. The page is `docs/comparison/measured.md`; `--page` writes it without a run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.atomic import write_file
from colligate.result.metrics import evaluate
from experiments.corpora.catalogue import load_corpus
from experiments.corpora.folder import DATA_FOLDER
from experiments.evaluation.baselines import embed_by_words
from experiments.evaluation.markdown import NONE, format_table
from experiments.evaluation.statements import select_seed_words
from experiments.runner.store import RESULTS, current_commit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import colligate as cg


STORED = RESULTS / "programs.json"
PAGE = Path(__file__).parents[2] / "docs" / "comparison" / "measured.md"
SCRIPT = Path(__file__).with_name("program_fits.py")
SEEDS, TIME_LIMIT = 3, 1800
OURS = "colligate"
ERROR = re.compile(r"\b\w*Error\b|^error: (?!metadata|subprocess|failed-wheel)")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass(frozen=True)
class Program:
    """A program as it is run: its package, and what it gets of texts, counts, vectors and the number."""

    package: str
    input: str
    number: str = "given"
    seed_words: bool = False


PACKAGES: dict[str, tuple[str, ...]] = {
    "bertopic": ("bertopic==0.17.4",),
    "turftopic": ("turftopic",),
    "evoc": ("evoc",),
    # it declares nothing that it needs
    "corextopic": ("corextopic", "numpy", "scipy", "six", "joblib"),
    "tomotopy": ("tomotopy",),
    "gensim": ("gensim",),
    "top2vec": ("top2vec",),
    "guidedlda": ("guidedlda",),
}
PROGRAMS = {
    "colligate": Program(OURS, "texts"),
    "colligate, number not given": Program(OURS, "texts", number="chosen"),
    "scikit-learn, k-means on vectors": Program("scikit-learn", "vectors"),
    "scikit-learn, NMF": Program("scikit-learn", "counts"),
    "BERTopic": Program("bertopic", "texts, vectors", number="at most"),
    "Turftopic, KeyNMF": Program("turftopic", "texts, vectors"),
    "Turftopic, S³": Program("turftopic", "texts, vectors"),
    "Turftopic, GMM": Program("turftopic", "texts, vectors"),
    "Turftopic, clustering": Program("turftopic", "texts, vectors", number="at most"),
    "Turftopic, Topeax": Program("turftopic", "texts, vectors", number="chosen"),
    "EVoC": Program("evoc", "vectors", number="chosen"),
    "EVoC, about as many groups": Program("evoc", "vectors", number="about"),
    "CorEx": Program("corextopic", "counts"),
    "tomotopy, LDA": Program("tomotopy", "counts"),
    "gensim, LDA": Program("gensim", "counts"),
    "Top2Vec": Program("top2vec", "texts, vectors", number="chosen"),
    "colligate, seed words": Program(OURS, "texts", seed_words=True),
    "CorEx, seed words as anchors": Program("corextopic", "counts", seed_words=True),
    "tomotopy, LDA with seed words": Program("tomotopy", "counts", seed_words=True),
    "BERTopic, seed words": Program("bertopic", "texts, vectors", number="at most", seed_words=True),
}
CORPORA = {"WebKB": "webkb", "20 newsgroups, 5,000 posts": "20ng", "tweets": "short_tweets"}
MOST_DOCUMENTS = 5000


def read_documents(corpus: str, data: Path) -> tuple[cg.Corpus, np.ndarray]:
    """A corpus and the classes; of a larger one, a sample of `MOST_DOCUMENTS` documents."""
    import colligate as cg

    whole, labels = load_corpus(CORPORA[corpus], data)
    if len(whole) <= MOST_DOCUMENTS:
        return whole, labels
    rows = np.sort(np.random.default_rng(0).permutation(len(whole))[:MOST_DOCUMENTS])
    assert whole.texts is not None
    sample = cg.Corpus.from_texts([whole.texts[row] for row in rows.tolist()], analyser=whole.analyser)
    return sample, labels[rows]


def write_input(corpus: cg.Corpus, labels: np.ndarray, folder: Path) -> None:
    """Write what the programs read: texts, counts, seed words, and vectors of all that is encoded."""
    assert corpus.texts is not None
    texts = [str(text) for text in corpus.texts]
    words, classes = select_seed_words(corpus.counts, labels)
    seed_words = {
        str(name): [corpus.words[word] for word in words[classes == name].tolist()]
        for name in np.unique(classes)
    }
    # KeyNMF and Top2Vec encode the words that they split texts into, BERTopic the joined seed words
    split = {word for text in texts for word in re.findall(r"\w+|[^\W\d]+", text.lower())}
    split |= {" ".join(each) for each in seed_words.values()}
    encoded = list(dict.fromkeys([*texts, *sorted(split)]))
    np.save(folder / "encoded.npy", embed_by_words(encoded).astype(np.float32))
    facts = {
        "texts": texts,
        "words": list(corpus.words),
        "seed_words": seed_words,
        "n_classes": len(np.unique(labels)),
    }
    (folder / "encoded.json").write_text(json.dumps(encoded), encoding="utf-8")
    (folder / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
    counts = corpus.counts
    np.savez(folder / "counts.npz", data=counts.data, indices=counts.indices, indptr=counts.indptr)
    corpus.save(folder / "corpus")


def prepare_package(package: str, folder: Path) -> tuple[Path, dict[str, str]]:
    """Make the environment of a package if it is not there; return its Python, and version or problem."""
    if package in (OURS, "scikit-learn"):
        return Path(sys.executable), {"version": version(package)}
    python = folder / package / "bin" / "python"
    if not python.exists():
        venv.create(folder / package, with_pip=True)
    find = [python, "-c", f"from importlib.metadata import version; print(version({package!r}))"]
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES[package]]
    done = subprocess.run(find, capture_output=True, text=True, check=False)
    if done.returncode:
        installed = subprocess.run(pip, capture_output=True, text=True, check=False)
        if installed.returncode:
            return python, {"failed": find_error(installed.stderr)}
        done = subprocess.run(find, capture_output=True, text=True, check=True)
    return python, {"version": done.stdout.strip()}


def fit_program(name: str, python: Path, folder: Path, labels: np.ndarray, seed: int) -> dict[str, Any]:
    """Fit a program in a process of its own; return its figures, or why there are none."""
    environment = {**os.environ, **dict.fromkeys(THREADS, "1"), "HF_HUB_OFFLINE": "1"}
    if PROGRAMS[name].package != OURS:
        environment.pop("PYTHONPATH", None)
    groups = folder / "groups.npy"
    groups.unlink(missing_ok=True)
    command = [python, SCRIPT, name, folder, str(seed)]
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=TIME_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"did not end within {TIME_LIMIT} seconds"}
    if done.returncode:
        return {"failed": find_error(done.stderr)}
    return {**judge_groups(labels, np.load(groups)), **json.loads(done.stdout.splitlines()[-1])}


def judge_groups(labels: np.ndarray, groups: np.ndarray) -> dict[str, Any]:
    """The figures of a grouping; documents that are left out count as one more group."""
    placed = groups >= 0
    every = evaluate(labels, groups)
    within = evaluate(labels, groups, placed) if placed.any() else {"nmi": 0.0, "accuracy": 0.0}
    return {
        "nmi": round(every["nmi"], 4),
        "accuracy": round(every["accuracy"], 4),
        "nmi_placed": round(within["nmi"], 4),
        "groups": len(np.unique(groups[placed])),
        "left_out": int((~placed).sum()),
    }


def find_error(text: str) -> str:
    """Return the last line of an output that names an error; the last of all if none does."""
    lines = [line.strip(" |│╰─>") for line in text.splitlines() if line.strip()]
    named = [line for line in lines if ERROR.search(line)]
    return (named or lines or ["no message"])[-1][:200]


def read_stored() -> dict[str, Any]:
    """What was computed so far."""
    if STORED.exists():
        return dict(json.loads(STORED.read_text(encoding="utf-8")))
    return {"command": "python -m experiments.comparison.programs", "packages": {}, "runs": {}}


def write_stored(stored: Mapping[str, Any]) -> None:
    """Replace what is stored."""
    with write_file(STORED) as path:
        path.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def run_programs(options: argparse.Namespace) -> None:
    """Compute the runs that are missing, all programs at one seed before the next."""
    pythons: dict[str, Path] = {}
    versions: dict[str, dict[str, str]] = {}
    packages = {PROGRAMS[name].package for name in options.only}
    packages |= set(PACKAGES) if set(options.only) == set(PROGRAMS) else set()
    for package in sorted(packages):
        python, facts = prepare_package(package, options.environments)
        versions[package] = facts
        if "version" in facts:
            pythons[package] = python
    stored = read_stored()
    stored["packages"].update(versions)
    write_stored(stored)
    for seed in range(options.seeds):
        for corpus in options.corpora:
            names = [
                name
                for name in options.only
                if PROGRAMS[name].package in pythons
                and (options.again or is_missing(stored, corpus, name, seed))
            ]
            if not names:
                continue
            documents, labels = read_documents(corpus, options.data)
            size = {"documents": len(documents), "classes": len(np.unique(labels))}
            with tempfile.TemporaryDirectory() as name:
                write_input(documents, labels, Path(name))
                for program in names:
                    python = pythons[PROGRAMS[program].package]
                    figures = fit_program(program, python, Path(name), labels, seed)
                    figures["commit"] = current_commit()
                    store_run(corpus, size, program, seed, figures)
                    print(f"{corpus} | {program} | seed {seed}: {figures}", flush=True)


def store_run(
    corpus: str, facts: Mapping[str, int], program: str, seed: int, figures: Mapping[str, Any]
) -> None:
    """Store one run beside those that this and other processes stored before."""
    stored = read_stored()
    stored.setdefault("corpora", {})[corpus] = dict(facts)
    stored["runs"].setdefault(corpus, {}).setdefault(program, {})[str(seed)] = dict(figures)
    write_stored(stored)


def is_missing(stored: Mapping[str, Any], corpus: str, name: str, seed: int) -> bool:
    """Tell whether a run is not stored, or failed."""
    run = stored["runs"].get(corpus, {}).get(name, {}).get(str(seed), {"failed": ""})
    return "failed" in run


def compose_page(stored: Mapping[str, Any]) -> str:
    """Put the stored figures into the page."""
    parts = [INTRODUCTION]
    for title, seed_words in (("Without knowledge", False), ("With the same seed words", True)):
        parts += [f"## {title}", SECTIONS[seed_words]]
        names = [name for name, program in PROGRAMS.items() if program.seed_words == seed_words]
        for corpus in (name for name in CORPORA if name in stored["runs"]):
            facts = stored["corpora"][corpus]
            parts.append(f"**{corpus}**: {facts['documents']:,} documents, {facts['classes']} classes.")
            parts.append(_compose_table(names, stored["runs"][corpus]))
            if missing := [name for name in names if not stored["runs"][corpus].get(name)]:
                parts.append(f"Not run on this corpus yet: {'; '.join(missing)}.")
    return "\n\n".join(part.strip() for part in [*parts, compose_ending(stored)]) + "\n"


def _compose_table(names: Sequence[str], runs: Mapping[str, Mapping[str, Any]]) -> str:
    rows = []
    for name in names:
        program, done = PROGRAMS[name], list(runs.get(name, {}).values())
        failed = next((run["failed"] for run in done if "failed" in run), None)
        title = f"`{name}`" if name == OURS else name.replace("colligate", "`colligate`")
        if not done:
            continue
        if failed:
            rows.append((title, program.number, *(NONE,) * 6))
            continue
        mean = {key: float(np.mean([run[key] for run in done])) for key in done[0] if key != "commit"}
        spread = f"±{np.std([run['nmi'] for run in done]):.3f}" if len(done) > 1 else ""
        rows.append(
            (
                title,
                program.number,
                f"{mean['nmi']:.3f}{spread}",
                f"{mean['accuracy']:.3f}",
                f"{mean['nmi_placed']:.3f}",
                f"{mean['groups']:,.0f}",
                f"{mean['left_out']:,.0f}",
                f"{np.median([run['seconds'] for run in done]):.0f}",
            )
        )
    return format_table(HEADINGS, rows)


def compose_ending(stored: Mapping[str, Any]) -> str:
    """Name versions, failures, seeds and commits."""
    packages = stored["packages"]
    lines = ["## Versions and failures", ""]
    lines += [
        f"- {package}: " + (facts.get("version") or f"could not be installed (`{facts['failed']}`)")
        for package, facts in sorted(packages.items())
    ]
    failures = {
        (name, run["failed"]): corpus
        for corpus, programs in stored["runs"].items()
        for name, done in programs.items()
        for run in done.values()
        if "failed" in run
    }
    lines += [f"- {name} failed on {corpus}: `{why}`" for (name, why), corpus in sorted(failures.items())]
    cells = [runs for programs in stored["runs"].values() for runs in programs.values()]
    seeds = {len(runs) for runs in cells}
    commits = ", ".join(sorted({run["commit"] for runs in cells for run in runs.values()}))
    count = " to ".join(dict.fromkeys(str(number) for number in (min(seeds), max(seeds))))
    plural = "" if max(seeds) == 1 else "s"
    lines += [
        "",
        f"`{stored['command']} --environments FOLDER`; {count} seed{plural}; computed at {commits}.",
    ]
    return "\n".join(lines)


HEADINGS = (
    "program",
    "number of groups",
    "NMI",
    "accuracy",
    "NMI of placed documents",
    "groups",
    "left out",
    "seconds",
)
INTRODUCTION = """# Other programs, measured

Twenty settings of nine programs on the same documents, with the same seeds. Each program has its defaults,
and an environment of its own with the version from PyPI that is listed below. How to read the tables:

- **Input.** Programs that take texts get the texts. Those that take counts get our counts, without stop words
  and rare words. Programs that need vectors all get the same: the means of WordLlama's vectors of word
  pieces. This is a small model. Programs made for sentence encoders may do better with a large one. The time
  that the encoding takes is not counted.
- **Number of groups.** *given*: the program gets the number of classes. *at most*: it finds groups by
  density and joins them to this number. *about*: the number is a hint. *chosen*: it chooses the number.
- **NMI and accuracy** are those of all documents; documents that a program leaves out are one more group.
  *NMI of placed documents* is without these. Many small groups raise the NMI and lower the accuracy: compare
  programs with similar numbers of groups.
- **Seconds** are processor seconds on one thread, with imports: the median over seeds. The first run of some
  programs also compiles.
- Topic models give each document shares of topics. Here a document is in the topic with the largest share.
  Topics of CorEx and S³ are not meant to divide documents: they overlap.

The classes of WebKB are kinds of pages (of courses, of staff …), which words show and small vectors hardly
do. Those of the tweets are events. Programs that join dense groups may put most of WebKB into one group.

The corpora were also used while `colligate` was developed. No parameter was tuned for this page.
"""
SECTIONS = {
    False: "No program knows anything but, where it takes one, the number of classes.",
    True: (
        "Each class has the ten words with the highest χ², as a user who knows the subjects would list them. "
        "CorEx takes them as anchors, tomotopy as priors, BERTopic as a guide of its vectors, `colligate` as "
        "categories."
    ),
}


def main() -> None:
    """Run what is missing, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--environments", type=Path, help="a folder with an environment for each package")
    parser.add_argument("--data", type=Path, default=DATA_FOLDER)
    parser.add_argument("--only", nargs="+", default=list(PROGRAMS), choices=PROGRAMS, metavar="PROGRAM")
    parser.add_argument("--corpora", nargs="+", default=list(CORPORA), choices=CORPORA, metavar="NAME")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--page", action="store_true", help="write the page from the stored runs")
    options = parser.parse_args()
    if not options.page:
        if options.environments is None:
            parser.error("--environments names the folder for the environments of the programs")
        run_programs(options)
    PAGE.write_text(compose_page(read_stored()), encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
