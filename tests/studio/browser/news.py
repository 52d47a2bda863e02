"""A small corpus of news: five subjects, with a title, a date and a section for every story."""

from __future__ import annotations

import csv
from datetime import date, timedelta
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

SUBJECTS = {
    "politics": "minister election parliament vote party policy campaign labour coalition senate reform "
    "treaty deputy cabinet ballot law opposition leader budget council debate referendum mayor speech",
    "business": "market shares profit bank investor merger sales revenue economy inflation oil currency "
    "bonds trade dividend growth exports factory retailer loans debt analyst quarter takeover",
    "sport": "match goal coach striker champion tennis olympic medal league final injury referee stadium cup "
    "sprint marathon rugby penalty defender squad season tournament athlete serve",
    "technology": "software computer internet phone virus broadband users network chip server website mobile "
    "digital console laptop browser download spam wireless gadget search online code database",
    "film": "actor director oscar cinema comedy drama album singer festival award premiere studio script "
    "audience role sequel band concert theatre star scene critics music box",
}
COMMON = "people year week plan government report world country group time chief company public news"
PER_SUBJECT = 30
WORDS = 26
MIXED = 5  # every fifth story has words of another subject
START = date(2024, 1, 1)


def write_news(path: Path) -> Path:
    """Write the stories as a CSV file, in the order of their dates."""
    rng = np.random.default_rng(7)
    stories = [(subject, number) for subject in SUBJECTS for number in range(PER_SUBJECT)]
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(["id", "title", "date", "section", "text"])
        for place, k in enumerate(rng.permutation(len(stories)).tolist()):
            subject, number = stories[k]
            words = _draw(rng, subject, number)
            title = " ".join(words[:4]).capitalize()
            sentences = [" ".join(words[i : i + 9]).capitalize() + "." for i in range(4, len(words), 9)]
            day = START + timedelta(days=2 * place)
            table.writerow([f"story-{place:03}", title, day.isoformat(), subject, " ".join(sentences)])
    return path


def _draw(rng: np.random.Generator, subject: str, number: int) -> list[str]:
    """Draw the words of a story: of its subject, of all, and in some stories of another subject."""
    n_other = 10 if number % MIXED == 0 else 2
    others = [other for other in SUBJECTS if other != subject]
    other = others[(number // MIXED) % len(others)]
    words = [
        *rng.choice(SUBJECTS[subject].split(), WORDS - 6 - n_other),
        *rng.choice(SUBJECTS[other].split(), n_other),
        *rng.choice(COMMON.split(), 6),
    ]
    return [str(word) for word in rng.permutation(words)]


def read_sections(path: Path) -> dict[str, str]:
    """The section of every story, by its id."""
    with path.open(encoding="utf-8", newline="") as stream:
        return {row["id"]: row["section"] for row in csv.DictReader(stream)}
