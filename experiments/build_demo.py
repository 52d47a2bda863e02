"""Build the corpus that `colligate demo` runs on.

    python experiments/build_demo.py [DATA_FOLDER]

The data folder holds `20newsgroups.jsonl.gz`, one JSON object per post with id, group, header and text. The
same input gives the same bytes.

The groups were chosen for what their names say, before any method was run on them: two pairs that share
most of their words (PC and Macintosh hardware; cars and motorcycles), where what a person knows should help,
and two subjects that stand alone. From each group come the first posts in the order of a hash of their ids,
among those of a length that a reader would look through. A post is its subject and its body. All other header
lines are left out, and e-mail addresses are taken out. Ids are numbers in the order of the hash,
so that they tell nothing of the group; `article` is the number of the post in its newsgroup.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
SHORTEST, LONGEST = 200, 3000
LARGEST = 2_000_000
NAME = r"[\w.+%!=/-]"
ADDRESS = re.compile(rf"<?{NAME}+@[\w.-]+>?|(<?{NAME}*[ \t])?@[ \t]?[\w-]+(\.[\w-]+)*\.[A-Za-z]{{2,}}>?")
SUBJECT = re.compile(r"^Subject:\s*(.*)$", re.MULTILINE | re.IGNORECASE)


def posts(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def cleaned(number: int, post: dict[str, Any]) -> dict[str, str]:
    subject = SUBJECT.search(post["header"])
    text = f"{subject.group(1).strip() if subject else ''}\n\n{post['text'].strip()}".strip()
    article = post["id"].rpartition("/")[2]
    return {
        "id": f"post-{number:04d}",
        "group": post["group"],
        "article": article,
        "text": ADDRESS.sub("", text),
    }


def order(post: dict[str, Any]) -> str:
    return hashlib.sha256(post["id"].encode()).hexdigest()


def chosen(found: list[dict[str, Any]]) -> list[dict[str, str]]:
    readable = sorted((post for post in found if SHORTEST <= len(post["text"]) <= LONGEST), key=order)
    picked = [post for group in GROUPS for post in [p for p in readable if p["group"] == group][:PER_GROUP]]
    if len(picked) != PER_GROUP * len(GROUPS):
        raise SystemExit(
            f"expected {PER_GROUP} posts of each of {len(GROUPS)} groups; got {len(picked)} in all"
        )
    return [cleaned(number, post) for number, post in enumerate(sorted(picked, key=order), start=1)]


def packed(rows: list[dict[str, str]]) -> bytes:
    buffer = io.BytesIO()
    # Without a name and a time in its header the file depends on its content alone.
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as stream:
        for row in rows:
            stream.write((json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8"))
    return buffer.getvalue()


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0]) if arguments else ROOT.parent / "shared" / "data"
    if not (folder / SOURCE).is_file():
        raise SystemExit(f"there is no {folder / SOURCE}; give the folder that holds it")
    content = packed(chosen(list(posts(folder / SOURCE))))
    if len(content) > LARGEST:
        raise SystemExit(f"the corpus has {len(content):,} bytes, more than {LARGEST:,}; take fewer posts")
    TARGET.write_bytes(content)
    print(f"{TARGET}: {len(content):,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
