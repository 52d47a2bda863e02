"""Build the corpus that `colligate demo` runs on: paragraphs of Wikipedia articles, under CC BY-SA 3.0.

    pip install mwparserfromhell
    python -m tools.build_demo [--wheel FILE]

The articles come from a part of a dump of the English Wikipedia of May 2016. The wheel of gensim on PyPI has
it among its test data; without `--wheel`, pip downloads the wheel. The same input gives the same bytes.

The subjects and their articles were chosen by their titles, before any method was run on them, so that
subjects share words and names: countries, and states and provinces; the same states, and American history;
Greek myths, Greek philosophers, and the Apollo missions. From each subject come the first paragraphs in the
order of a hash of article and place, among those that are neither very short nor very long. A text is the
heading of the section and the paragraph. Markup, notes, tables and formulas are removed. Ids are numbers in
the order of the hash, so that they do not reveal the subject.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src" / "colligate" / "demo" / "articles.jsonl.gz"
PACKAGE = "gensim==4.4.0"
DUMP = "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
DUMP_SHA256 = "a53f4648dec40467ebdcbc7a1307eddb51fe6e28e9309f6ebde81ba0d04bea2d"
NAMESPACE = "{http://www.mediawiki.org/xml/export-0.10/}"
SUBJECTS = {
    "countries": ("Afghanistan", "Albania", "Algeria", "Andorra", "Angola", "Azerbaijan"),
    "states": ("Alabama", "Alaska", "Alberta"),
    "history": (
        "Abraham Lincoln",
        "Albert Sidney Johnston",
        "American Revolutionary War",
        "Articles of Confederation",
    ),
    "philosophy": ("Altruism", "Aristotle", "Arthur Schopenhauer", "Ayn Rand"),
    "myths": ("Achilles", "Apollo"),
    "space": ("Amateur astronomy", "Apollo 8", "Apollo 11", "Astronaut", "Astronomer"),
}
N_TEXTS = 1500
MIN_LENGTH, MAX_LENGTH = 180, 3000
MAX_BYTES = 2_000_000
# not prose: what stands in lists, tables and picture captions, and what follows the article
LAST_SECTIONS = re.compile(r"^(see also|notes|references|bibliography|further reading|external links)", re.I)
DROPPED = re.compile(
    r"<!--.*?-->|<ref[^>/]*/>|<ref.*?</ref>|<(gallery|math|timeline|table|imagemap)\b.*?</\1>|\{\|.*?\n\|\}",
    re.DOTALL | re.IGNORECASE,
)
NOT_PROSE = re.compile(r"^\s*(thumb|right|left|center|upright|\d+px|[|*#:;!{}])")
HEADING = re.compile(r"^(={2,})\s*(.*?)\s*\1\s*$")
CONVERTED = re.compile(r"\{\{\s*(?:convert|cvt)\s*\|\s*([^|{}]+)\|\s*([^|{}]+)[^{}]*\}\}", re.IGNORECASE)
SHOWN = re.compile(
    r"\{\{\s*(?:lang\|\w+|nowrap|transl\|\w+|IAST|angbr|polytonic)\s*\|([^{}|]*)\}\}", re.IGNORECASE
)
LEFT_OVER = (
    (re.compile(r"</?\w+[^>]*>"), ""),
    (re.compile(r"\be6(?=[a-z])"), "million "),
    (re.compile(r"\(\s*[;,:]?\s*\)|\(\s*years ago\)"), ""),
    (re.compile(r"\(\s*[;,:]?\s*"), "("),
    (re.compile(r"\s+([,.)])"), r"\1"),
    (re.compile(r"^[,;]\s*|'{2,}"), ""),
    (re.compile(r"\s+"), " "),
)


def read_dump(wheel: Path | None) -> bytes:
    """Return the dump inside the wheel of gensim; download the wheel if it is not here."""
    with tempfile.TemporaryDirectory() as folder:
        if wheel is None:
            command = [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--dest",
                folder,
                PACKAGE,
            ]
            subprocess.run(command, check=True)
            wheel = next(Path(folder).glob("gensim-*.whl"))
        with zipfile.ZipFile(wheel) as packed:
            content = packed.read(f"gensim/test/test_data/{DUMP}")
    if hashlib.sha256(content).hexdigest() != DUMP_SHA256:
        raise SystemExit(f"{DUMP} is not the file that the demo was made from; use the wheel of {PACKAGE}")
    return content


def read_articles(dump: bytes) -> Iterator[tuple[str, str, str]]:
    """Read title, number of the revision and text of the articles of all subjects."""
    wanted = {title for titles in SUBJECTS.values() for title in titles}
    for _, element in ElementTree.iterparse(io.BytesIO(bz2.decompress(dump))):
        if element.tag == f"{NAMESPACE}page":
            title, revision = element.findtext(f"{NAMESPACE}title"), element.find(f"{NAMESPACE}revision")
            if title in wanted and revision is not None:
                number, text = (revision.findtext(f"{NAMESPACE}{part}") or "" for part in ("id", "text"))
                yield title, number, text
            element.clear()


def strip_markup(text: str) -> str:
    """Return a piece of Wikipedia's markup as plain text in one line."""
    import mwparserfromhell

    plain = str(mwparserfromhell.parse(SHOWN.sub(r"\1", CONVERTED.sub(r"\1 \2", text))).strip_code())
    for pattern, replacement in LEFT_OVER:
        plain = pattern.sub(replacement, plain)
    return plain.strip()


def list_paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """List the paragraphs of prose of an article, each with the heading of its section."""
    heading = ""
    for line in DROPPED.sub("", text).splitlines():
        if match := HEADING.match(line):
            heading = strip_markup(match.group(2))
            if LAST_SECTIONS.match(heading):
                return
        elif not NOT_PROSE.match(line):
            paragraph = strip_markup(line)
            # a bar is left of a picture or a table that the line is part of
            if MIN_LENGTH <= len(paragraph) <= MAX_LENGTH and "|" not in paragraph:
                yield heading, paragraph


def sort_key(row: dict[str, Any]) -> str:
    """Order paragraphs by a hash of their article and their place in it."""
    return hashlib.sha256(f"{row['article']}/{row['place']}".encode()).hexdigest()


def select_texts(articles: list[tuple[str, str, str]]) -> list[dict[str, str]]:
    """Take the first paragraphs of each subject: all of a small one, an equal share of the others."""
    rows: dict[str, list[dict[str, Any]]] = {subject: [] for subject in SUBJECTS}
    for title, revision, text in articles:
        subject = next(name for name, titles in SUBJECTS.items() if title in titles)
        rows[subject] += [
            {
                "article": title,
                "revision": revision,
                "place": place,
                "group": subject,
                "text": f"{head}\n\n{body}".strip(),
            }
            for place, (head, body) in enumerate(list_paragraphs(text))
        ]
    picked: list[dict[str, Any]] = []
    for position, subject in enumerate(sorted(SUBJECTS, key=lambda name: len(rows[name]))):
        share = (N_TEXTS - len(picked)) // (len(SUBJECTS) - position)
        picked += sorted(rows[subject], key=sort_key)[:share]
    if len(picked) != N_TEXTS:
        raise SystemExit(f"expected {N_TEXTS:,} texts; got {len(picked):,}")
    return [
        {"id": f"text-{number:04d}", **{name: row[name] for name in ("group", "article", "revision", "text")}}
        for number, row in enumerate(sorted(picked, key=sort_key), start=1)
    ]


def compress_rows(rows: list[dict[str, str]]) -> bytes:
    """Write rows as compressed JSON lines."""
    buffer = io.BytesIO()
    # Without a name and a time in its header the file depends on its content alone.
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as stream:
        for row in rows:
            stream.write((json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8"))
    return buffer.getvalue()


def main() -> None:
    """Write the corpus."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--wheel", type=Path, help=f"the wheel of {PACKAGE}; downloaded if not set")
    rows = select_texts(list(read_articles(read_dump(parser.parse_args().wheel))))
    content = compress_rows(rows)
    if len(content) > MAX_BYTES:
        raise SystemExit(f"the corpus has {len(content):,} bytes, more than {MAX_BYTES:,}; take fewer texts")
    TARGET.write_bytes(content)
    print(f"{TARGET}: {len(rows):,} texts, {len(content):,} bytes")
    for article, revision in sorted({(row["article"], row["revision"]) for row in rows}):
        print(f"{article}: revision {revision}, {sum(row['article'] == article for row in rows)} texts")


if __name__ == "__main__":
    main()
