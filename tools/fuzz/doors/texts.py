"""Random texts: their words, columns and copies, and groups that are made of them with knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import yaml

import colligate as cg
from colligate.registry import load_methods
from tools.fuzz import mutation
from tools.fuzz.doors.base import KNOWLEDGE, METHODS, TOPICS, Door, make_texts

if TYPE_CHECKING:
    import random

SCRIPTS = ((0x20, 0x7F), (0xA0, 0x250), (0x370, 0x600), (0x900, 0xE80), (0x3040, 0xA000), (0x1F300, 0x1FA00))
"""Ranges of characters: Latin, Greek to Arabic, India to Thailand, Japan and China, pictures."""
PIECES = (
    *("<p>", "&amp;", "</b", "<!--", "From: a@b.c\n", "> ", "-- \n", "begin 644 a\n", "http://x.y/z?a=b"),
    *("\r", "\t", "\u2028", "\u200b", "\u0345", "ß", "İ", "ǅ", "1,000.5", "x_y", "don't", "co-op", "#tag"),
)
DATES = ("2020-01-31", "2020-13-01", "31.1.2020", "1e9", "2020", "99999-01-01", "now", "", "2020-01-31T25:00")


def make_text(rng: random.Random) -> str:
    """Make one text: of known words, of characters of any script, of debris, or a strange one."""
    kind = rng.randrange(8)
    if kind < 3:
        return " ".join(rng.choices(rng.choice(TOPICS).split(), k=rng.randrange(12)))
    if kind < 5:
        first, last = rng.choice(SCRIPTS)
        return "".join(chr(rng.randrange(first, last)) for _ in range(rng.randrange(60)))
    if kind == 5:
        return "".join(rng.choice((*PIECES, *TOPICS)) for _ in range(rng.randrange(8)))
    if kind == 6:
        return mutation.mutate_text(rng, rng.choice(TOPICS))
    return rng.choice((*mutation.INTERESTING_TEXTS, "moon " * 2000, "moon" * 5000, "\n" * 3000))


def make_documents(rng: random.Random, number: int) -> list[str]:
    """Make texts; some are copies of earlier ones."""
    texts: list[str] = []
    for _ in range(number):
        texts.append(rng.choice(texts) if texts and rng.random() < 0.1 else make_text(rng))
    return texts


class Texts(Door):
    """Texts that are counted by any analyser, with columns of any values."""

    name = "texts"
    OPTIONS: ClassVar[dict[str, tuple[Any, ...]]] = {
        "stop_words": ("english", None, "de", "de,fr", "auto", ["moon"], [], "x.txt", 5),
        "min_df": (None, 1, 2, 0.5, 0, -1, 1.0, 10**9, float("nan")),
        "max_df": (1.0, 1, 3, 0.5, 0.0, float("inf"), "x"),
        "ngrams": ((1, 1), (1, 2), (2, 3), (2, 1), (0, 1), (1, 40), "1-2"),
        "min_length": (2, 1, 5, 0, 10**6),
        "pattern": (r"\w+", r"(\w)(\w)", r"(?:a|b)*", "", "(", r"\b", r"(?=x)"),
        "lowercase": (True, False),
        "stem": (None, "en", "de", "xx"),
        "segmenter": (None, "zh", "ja", "th", "xx"),
        "keep_markup": (False, True),
        "max_words": (None, 1, 5, 0),
        "tokens": (str.split, list, len, lambda text: [text, ""], lambda text: [None]),
    }

    def prepare(self) -> None:
        # loading lists, stemmers, segmenters and models of languages takes longer than any input
        texts = make_texts()
        for options in ({}, {"stem": "de"}, {"segmenter": "zh"}, {"segmenter": "ja"}, {"segmenter": "th"}):
            assert len(cg.Corpus.from_texts(texts, analyser=cg.Analyser(**options))) == len(texts)
        str(cg.Corpus.from_texts(texts).language)

    def attack(self, rng: random.Random) -> None:
        names = rng.sample(list(self.OPTIONS), rng.choice((0, 0, 1, 1, 2)))
        analyser = cg.Analyser(**{name: rng.choice(self.OPTIONS[name]) for name in names})
        texts = make_documents(rng, rng.choice((0, 1, 2, 5, 12)))
        corpus = cg.Corpus.from_texts(
            texts,
            ids=self.make_ids(rng, len(texts)),
            columns=self.make_columns(rng, len(texts)),
            analyser=analyser,
        )
        rng.choice(
            (
                lambda: (corpus.language, corpus.describe_debris(), corpus.describe_columns()),
                lambda: corpus.duplicates(rng.choice((0.0, 0.5, 0.8, 1.0, 2.0))),
                lambda: corpus.counts_like(cg.Corpus.from_texts(make_documents(rng, 3))),
                lambda: corpus[rng.choice((slice(0, 2), slice(None, None, -1), [], corpus.empty))],
                lambda: corpus.save(self.folder / "stored", overwrite=True),
                lambda: (repr(corpus), corpus._repr_html_(), [corpus.heading(0)]),
            )
        )()

    @staticmethod
    def make_ids(rng: random.Random, number: int) -> list[Any] | None:
        """Make ids, mostly sound ones."""
        if rng.random() < 0.7:
            return None
        return [
            rng.choice((f"d{place}", f"d{place}", rng.choice(mutation.INTERESTING_TEXTS)))
            for place in range(number)
        ]

    @staticmethod
    def make_columns(rng: random.Random, number: int) -> dict[str, list[Any]] | None:
        """Make further columns of dates, names or anything."""
        if rng.random() < 0.6:
            return None
        values = rng.choice((DATES, mutation.INTERESTING_TEXTS, mutation.INTERESTING_NUMBERS, (None, "x", 1)))
        count = number + (rng.random() < 0.1)
        return {rng.choice(("date", "title", "", "text")): [rng.choice(values) for _ in range(count)]}


class Fits(Door):
    """Groups of random texts with random knowledge, and what a user asks of a result."""

    name = "fits"
    PARAMETERS: ClassVar[dict[str, tuple[Any, ...]]] = {
        "n_clusters": (3, 3, 3, 2, 1, 0, 5, "auto", 2.0, 10**6),
        "random_state": (0, 1, None, -1, 2**40),
        "max_iter": (2, 5, 0, 1.5),
        "tol": (0.0, 1e-4, -1, float("nan")),
        "embeddings": ("auto", None, "none", [], "word2vec:x", "column:x"),
        "n_ensemble": (1, 2, 0),
        "concentration": (2, 0, 1e300, -1),
        "uneven_sizes": (True, False, None),
        "device": ("auto", "cpu", "gpu"),
    }

    def prepare(self) -> None:
        self.methods = load_methods()
        # loading vectors and compiled code takes longer than any input
        for method in METHODS:
            cg.make(method, n_clusters=3, random_state=0, n_init=1, max_iter=2).fit(make_texts()).predict(
                ["orbit"]
            )

    def attack(self, rng: random.Random) -> None:
        method = rng.choice((*METHODS, "colligate", "colligate", "colligate"))
        taken = self.methods[method].domains
        parameters: dict[str, Any] = {"n_clusters": 3, "n_init": 1, "max_iter": 2, "random_state": 0}
        for name in rng.sample(list(self.PARAMETERS), rng.choice((0, 0, 0, 1, 2))):
            if name in taken:
                parameters[name] = rng.choice(self.PARAMETERS[name])
        texts = make_texts() if rng.random() < 0.4 else make_documents(rng, rng.choice((3, 12, 24)))
        corpus = cg.Corpus.from_texts(
            texts,
            ids=[f"d{place}" for place in range(len(texts))],
            columns=Texts.make_columns(rng, len(texts)),
        )
        # the other methods refuse most kinds of knowledge before anything is computed
        knowledge = self.make_knowledge(rng) if method == "colligate" or rng.random() < 0.1 else None
        model = cg.make(method, **parameters).fit(corpus, knowledge=knowledge)
        new = make_documents(rng, rng.choice((1, 2, 3, 5, 8, 0)))
        model.predict(new)
        result = model.result_
        rng.choice(
            (
                lambda: model.transform(new),
                lambda: model.score(new),
                lambda: result.over("date"),
                lambda: (result.misfit, result.leave_out(rng.choice((0.0, 0.05, 1.0)))),
                lambda: result.why(rng.choice(("d0", 0, 10**9, "x"))),
                lambda: result.similar(rng.choice(("d1", 1)), rng.choice((0, 1, 99))),
                lambda: (result.audit(), result.audit().warnings(), result.changes()),
                lambda: result.update(new),
                lambda: result.refine(rng.randrange(-1, 4), rng.choice((2, 1, 50))),
                lambda: result.rename(rng.randrange(-1, 4), rng.choice(mutation.INTERESTING_TEXTS)),
                lambda: result.merge([rng.randrange(-1, 4), rng.randrange(4)]),
                lambda: result.report(self.folder / "report.html"),
                lambda: result.map_page(self.folder / "map.html"),
                lambda: str(result.hierarchy()),
            )
        )()

    def make_knowledge(self, rng: random.Random) -> cg.Knowledge | None:
        """Make knowledge: none, the sound one, or one with a changed value."""
        kind = rng.randrange(3)
        if kind == 0:
            return None
        stated = yaml.safe_load(KNOWLEDGE)
        part = rng.choice(list(stated))
        stated = {part: stated[part]} if rng.random() < 0.7 else stated
        path = self.folder / "knowledge.yaml"
        path.write_text(
            yaml.safe_dump(stated if kind == 1 else mutation.mutate_value(rng, stated)), encoding="utf-8"
        )
        return cg.Knowledge.read(path, unknown="report", contradictions="report")
