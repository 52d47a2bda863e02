"""The seven corpora of the golden files, made of stored data or drawn from a fixed seed.

Each stresses something else. `knowledge` of a corpus maps what a method may take, such as `links:documents`,
to a function that adds such statements.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from scipy import sparse

import colligate as cg
from tools.golden.files import FOLDER

KNOWLEDGE_FILE = "knowledge.yaml"
PAPERS = Path(__file__).parents[2] / "examples" / "data" / "dblp.jsonl"
POSTS = FOLDER / "posts"
MAC, PC = "comp.sys.mac.hardware", "comp.sys.ibm.pc.hardware"
CARS, BIKES, HOCKEY, SPACE = "rec.autos", "rec.motorcycles", "rec.sport.hockey", "sci.space"

State = Callable[[cg.Knowledge], cg.Knowledge]
Post = dict[str, str]


@dataclass(frozen=True)
class GoldenCorpus:
    """Data, what is known about them, new documents, and the parameters of every fit.

    `words` is the part of a network that methods of one relation take; `y` holds known labels that are given
    to `fit` in place of statements.
    """

    data: Any
    n_clusters: int
    new: Any
    words: Any = None
    new_words: Any = None
    knowledge: Mapping[str, State] = field(default_factory=dict)
    y: Any = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    knowledge_file: Path | None = None

    def state_known(self, takes: tuple[str, ...]) -> cg.Knowledge | None:
        """State everything known here that a method takes; None where there is nothing."""
        if self.knowledge_file is not None:
            return read_sections(self.knowledge_file, takes)
        stated = cg.Knowledge(unknown="report", contradictions="report")
        for kind, state in self.knowledge.items():
            if is_taken(kind, takes):
                stated = state(stated)
        return stated if len(stated) else None


def is_taken(kind: str, takes: tuple[str, ...]) -> bool:
    """Tell whether a method takes a kind of knowledge; `*` stands for every type."""
    return kind in takes or f"{kind.partition(':')[0]}:*" in takes


@cache
def make_corpus(name: str) -> GoldenCorpus:
    """Make a corpus by name."""
    return MAKERS[name]()


@cache
def read_posts() -> tuple[Post, ...]:
    """Read the newsgroup posts, which are part of the repository but of no release."""
    lines = gzip.decompress((POSTS / "newsgroups.jsonl.gz").read_bytes()).decode("utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def choose_posts(sizes: Mapping[str, int], skip: int = 0) -> list[Post]:
    """Choose posts of some newsgroups, so many of each, in their order."""
    left, skipped, chosen = dict(sizes), dict.fromkeys(sizes, skip), []
    for post in read_posts():
        group = post["group"]
        if skipped.get(group, 0):
            skipped[group] -= 1
        elif left.get(group, 0):
            left[group] -= 1
            chosen.append(post)
    return chosen


def count_words(posts: list[Post]) -> cg.Corpus:
    """Make a corpus of posts."""
    return make_texts([post["text"] for post in posts], [post["id"] for post in posts])


def make_texts(texts: list[str], ids: list[str]) -> cg.Corpus:
    """Make a corpus with all words, so that rules on what is debris do not touch the golden files."""
    return cg.Corpus.from_texts(texts, ids=ids, analyser=cg.Analyser(keep_markup=True))


def list_texts(posts: list[Post]) -> list[str]:
    """List the texts of posts."""
    return [post["text"] for post in posts]


def read_sections(path: Path, takes: tuple[str, ...]) -> cg.Knowledge | None:
    """Read the part of a knowledge file that a method takes."""
    whole = yaml.safe_load(path.read_text(encoding="utf-8"))
    chosen: dict[str, Any] = {}
    if is_taken("categories:words", takes):
        chosen["categories"] = whole["categories"]
    for kind in ("documents", "words"):
        keys = {"labels": "labels", "together": "links", "apart": "links"}
        part = {key: value for key, value in whole[kind].items() if is_taken(f"{keys[key]}:{kind}", takes)}
        if part:
            chosen[kind] = part
    if not chosen:
        return None
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / KNOWLEDGE_FILE
        written.write_text(yaml.safe_dump(chosen, sort_keys=False), encoding="utf-8")
        return cg.Knowledge.read(written, unknown="report", contradictions="report")


def make_demo() -> GoldenCorpus:
    """Make six newsgroups with a knowledge file: what the demo was before it had texts of Wikipedia."""
    posts = list(read_posts())
    return GoldenCorpus(
        data=count_words(posts[:600]),
        n_clusters=6,
        new=list_texts(posts[600:680]),
        knowledge_file=POSTS / KNOWLEDGE_FILE,
    )


def make_rivals() -> GoldenCorpus:
    """Make two newsgroups that are hard to tell apart, with links between documents, some of them wrong."""
    posts = choose_posts({MAC: 120, PC: 120})
    rng = np.random.default_rng(11)
    links: dict[str, list[tuple[str, str]]] = {"together": [], "apart": []}
    strengths: dict[str, list[float]] = {"together": [], "apart": []}
    for number in range(80):
        first, second = (posts[at] for at in rng.choice(len(posts), 2, replace=False))
        alike = (first["group"] == second["group"]) != (number % 10 == 0)
        kind = "together" if alike else "apart"
        links[kind].append((first["id"], second["id"]))
        strengths[kind].append((1.0, 2.0, 0.5)[number % 3])
    groups = {name: [p["id"] for p in posts if p["group"] == name][-8:] for name in (MAC, PC)}

    def link(knowledge: cg.Knowledge) -> cg.Knowledge:
        knowledge.together(documents=links["together"], strength=strengths["together"])
        knowledge.apart(documents=links["apart"], strength=strengths["apart"])
        return knowledge.groups(documents=groups, together=1.0, apart=0.5)

    return GoldenCorpus(
        data=count_words(posts),
        n_clusters=2,
        new=list_texts(choose_posts({MAC: 20, PC: 20}, skip=120)),
        knowledge={"links:documents": link},
        parameters={"polish": True, "form": "pck", "covariance": "diag"},
    )


def make_subjects() -> GoldenCorpus:
    """Make short texts: the subject lines of posts, without knowledge."""
    posts = list(read_posts())
    subjects = [post["text"].partition("\n")[0] for post in posts]
    return GoldenCorpus(
        data=make_texts(subjects[:400], [post["id"] for post in posts[:400]]),
        n_clusters=6,
        new=subjects[400:460],
    )


def make_uneven() -> GoldenCorpus:
    """Make groups of very different sizes, with labels, some of them wrong, and outsiders from elsewhere."""
    posts = choose_posts({CARS: 160, HOCKEY: 60, SPACE: 30, BIKES: 15})
    names = (CARS, HOCKEY, SPACE, BIKES)
    labels = {}
    for number, post in enumerate(posts[::7]):
        wrong = number % 6 == 5
        labels[post["id"]] = names[(names.index(post["group"]) + wrong) % 4]
    outsiders = count_words(choose_posts({MAC: 20}))
    return GoldenCorpus(
        data=count_words(posts),
        n_clusters=4,
        new=list_texts(choose_posts({CARS: 15, HOCKEY: 15, SPACE: 15}, skip=160)),
        knowledge={
            "labels:documents": lambda knowledge: knowledge.label(labels),
            "outside:documents": lambda knowledge: knowledge.outside(outsiders),
        },
        parameters={"uneven_sizes": True, "init": "random", "word_init": "random"},
    )


def make_network() -> GoldenCorpus:
    """Make a network of papers, words, authors and venues, with knowledge on several types."""
    papers = [json.loads(line) for line in PAPERS.read_text(encoding="utf-8").splitlines()]
    old, new = relate_papers(papers[:320]), relate_papers(papers[320:])
    labels = {str(paper["id"]): paper["label"] for paper in papers[:320:12]}
    labels[str(papers[0]["id"])] = papers[1]["label"]
    venues = {
        area: sorted({paper["conf"] for paper in papers[:320] if paper["label"] == area})[:3]
        for area in sorted({paper["label"] for paper in papers})
    }
    coauthors = [
        tuple(paper["authors"][:2]) for paper in papers[:320:5] if len(set(paper["authors"][:2])) == 2
    ]
    strangers = [(papers[at]["authors"][0], papers[at + 1]["authors"][0]) for at in range(2, 80, 6)]
    categories = {
        "databases": ["query", "database", "queries", "data"],
        "retrieval": ["retrieval", "text", "web", "search"],
        "learning": ["learning", "planning", "agents", "reasoning"],
    }

    def categorise(kind: str, members: Mapping[str, list[str]]) -> State:
        def state(knowledge: cg.Knowledge) -> cg.Knowledge:
            for name, some in members.items():
                knowledge.category(name, **{kind: some})
            return knowledge

        return state

    return GoldenCorpus(
        data=old,
        words=old.corpus,
        n_clusters=4,
        new=new,
        new_words=[paper["title"] for paper in papers[320:]],
        knowledge={
            "labels:documents": lambda knowledge: knowledge.label(labels),
            "links:authors": lambda knowledge: knowledge.together(authors=coauthors).apart(authors=strangers),
            "categories:venues": categorise("venues", venues),
            "categories:words": categorise("words", categories),
        },
    )


def relate_papers(papers: list[dict[str, Any]]) -> cg.Network:
    """Relate papers to the words of their titles, their authors and their venues."""
    ids = [str(paper["id"]) for paper in papers]
    titles = make_texts([paper["title"] for paper in papers], ids)
    rows = [
        (str(paper["id"]), name, kind)
        for paper in papers
        for kind, names in (("authors", paper["authors"]), ("venues", [paper["conf"]]))
        for name in names
    ]
    documents, names, kinds = zip(*rows, strict=True)
    return cg.Network.from_tables(titles, {"document": documents, "name": names, "type": kinds})


def make_planted() -> GoldenCorpus:
    """Make a bare matrix of planted counts with outsiders, some of which are known, and labels by `y`."""
    rng = np.random.default_rng(5)
    n_groups, n_words = 4, 30
    rates = np.full((n_groups + 1, n_words * (n_groups + 1)), 0.04)
    for group in range(n_groups):
        rates[group, n_words * group : n_words * (group + 1)] = 0.25
    rates[:, n_words * n_groups :] = 0.2
    rates[n_groups, ::3] = 0.3
    truth = np.concatenate([np.arange(260) % n_groups, np.full(40, n_groups)])
    counts = rng.poisson(rates[truth])
    counts[:, -1] += 1
    new = rng.poisson(rates[np.arange(50) % (n_groups + 1)])
    known = np.full(len(truth), -1)
    known[:24] = truth[:24]
    known[5] = (known[5] + 1) % n_groups
    return GoldenCorpus(
        data=sparse.csr_array(counts.astype(np.float64)),
        n_clusters=n_groups,
        new=sparse.csr_array(new.astype(np.float64)),
        knowledge={"outside:documents": lambda knowledge: knowledge.outside(list(range(260, 280)))},
        y=known,
        parameters={
            "n_outside_clusters": 2,
            "length_exponent": 0.5,
            "n_ensemble": 4,
            "weighting": "counts",
            "reading": "printed",
        },
    )


def make_contradicting() -> GoldenCorpus:
    """Make word links, word labels and categories that contradict each other, some on missing words."""
    posts = choose_posts({MAC: 70, PC: 70, CARS: 70, BIKES: 70})
    categories = {
        "macintosh": ["mac", "apple", "quadra", "centris", "nubus", "bios", "absent-word"],
        "pc": ["pc", "isa", "bios", "motherboard", "dos", "mac"],
        "cars": ["car", "cars", "dealer", "engine", "toyota"],
        "motorcycles": ["bike", "motorcycle", "helmet", "riding", "engine"],
    }
    together = [("car", "cars"), ("cars", "bike"), ("scsi", "drive"), ("apple", "mac"), ("disk", "drive")]
    apart = [("car", "bike"), ("mac", "apple"), ("scsi", "car"), ("isa", "nubus"), ("engine", "drive")]
    word_labels = {"car": "cars", "bike": "motorcycles", "mac": "macintosh", "bios": "pc", "drive": "pc"}

    def categorise(knowledge: cg.Knowledge) -> cg.Knowledge:
        for number, (name, words) in enumerate(categories.items()):
            knowledge.category(name, words=words, strength=1.0 + number / 2)
        return knowledge

    def link_documents(knowledge: cg.Knowledge) -> cg.Knowledge:
        ids = [post["id"] for post in posts[:30]]
        knowledge.together(documents=[(ids[0], ids[1]), (ids[1], ids[2]), tuple(ids[10:14])])
        return knowledge.apart(documents=[(ids[0], ids[2]), (ids[10], ids[12]), (ids[20], ids[21])])

    return GoldenCorpus(
        data=count_words(posts),
        n_clusters=4,
        new=list_texts(choose_posts(dict.fromkeys((MAC, PC, CARS, BIKES), 10), skip=70)),
        knowledge={
            "categories:words": categorise,
            "links:words": lambda knowledge: knowledge.together(words=together).apart(words=apart),
            "labels:words": lambda knowledge: knowledge.label(word_labels, type="words"),
            "links:documents": link_documents,
        },
        parameters={"init": "tfidf"},
    )


MAKERS: Mapping[str, Callable[[], GoldenCorpus]] = {
    "demo": make_demo,
    "rivals": make_rivals,
    "subjects": make_subjects,
    "uneven": make_uneven,
    "network": make_network,
    "planted": make_planted,
    "contradicting": make_contradicting,
}
