"""Build the corpus that `colligate demo` runs on.

    python -m tools.build_demo [--data FOLDER]

The data folder holds `20newsgroups.jsonl.gz`, one JSON object per post with id, group, header and text. The
same input gives the same bytes.

The groups were chosen by their names, before any method was run on them: two pairs that share most of their
words (PC and Macintosh hardware; cars and motorcycles), where knowledge should help, and two separate
subjects. From each group come the first posts in the order of a hash of their ids, among those that are
neither very short nor very long. A post is its subject and its body; other header lines and e-mail addresses
are removed. Ids are numbers in the order of the hash, so that they do not reveal the group; `article` is the
number of the post in its newsgroup.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.corpora.folder import DATA_FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src" / "colligate" / "demo" / "newsgroups.jsonl.gz"
SOURCE = "20newsgroups.jsonl.gz"
GROUPS = (
    "comp.sys.ibm.pc.hardware",
    "comp.sys.mac.hardware",
    "rec.autos",
    "rec.motorcycles",
    "rec.sport.hockey",
    "sci.space",
)
PER_GROUP = 250
MIN_LENGTH, MAX_LENGTH = 200, 3000
MAX_BYTES = 2_000_000
NAME = r"[\w.+%!=/-]"
ADDRESS = re.compile(rf"<?{NAME}+@[\w.-]+>?|(<?{NAME}*[ \t])?@[ \t]?[\w-]+(\.[\w-]+)*\.[A-Za-z]{{2,}}>?")
SUBJECT = re.compile(r"^Subject:\s*(.*)$", re.MULTILINE | re.IGNORECASE)


def read_posts(path: Path) -> Iterator[dict[str, Any]]:
    """Read all posts of the file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def clean_post(number: int, post: dict[str, Any]) -> dict[str, str]:
    """Keep subject and body without e-mail addresses, under a new id."""
    subject = SUBJECT.search(post["header"])
    text = f"{subject.group(1).strip() if subject else ''}\n\n{post['text'].strip()}".strip()
    article = post["id"].rpartition("/")[2]
    return {
        "id": f"post-{number:04d}",
        "group": post["group"],
        "article": article,
        "text": ADDRESS.sub("", text),
    }


def sort_key(post: dict[str, Any]) -> str:
    """Order posts by a hash of their ids."""
    return hashlib.sha256(post["id"].encode()).hexdigest()


def select_posts(posts: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Take the first posts of readable length from each group."""
    readable = sorted((post for post in posts if MIN_LENGTH <= len(post["text"]) <= MAX_LENGTH), key=sort_key)
    picked = [post for group in GROUPS for post in [p for p in readable if p["group"] == group][:PER_GROUP]]
    if len(picked) != PER_GROUP * len(GROUPS):
        raise SystemExit(
            f"expected {PER_GROUP} posts of each of {len(GROUPS)} groups; got {len(picked)} in all"
        )
    return [clean_post(number, post) for number, post in enumerate(sorted(picked, key=sort_key), start=1)]


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
    parser.add_argument("--data", type=Path, default=DATA_FOLDER, help="the folder of corpora")
    folder = parser.parse_args().data
    if not (folder / SOURCE).is_file():
        raise SystemExit(f"{folder / SOURCE} does not exist; set the folder that holds it with --data")
    content = compress_rows(select_posts(list(read_posts(folder / SOURCE))))
    if len(content) > MAX_BYTES:
        raise SystemExit(f"the corpus has {len(content):,} bytes, more than {MAX_BYTES:,}; take fewer posts")
    TARGET.write_bytes(content)
    print(f"{TARGET}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
