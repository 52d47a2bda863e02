"""Files of documents and of knowledge."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import shutil
import socket
from typing import TYPE_CHECKING

import yaml

import colligate as cg
from colligate.errors import ColligateError
from tools.fuzz import mutation
from tools.fuzz.doors.base import KNOWLEDGE, TOPICS, Door, make_texts

if TYPE_CHECKING:
    import random
    from pathlib import Path


class Readers(Door):
    """Files of documents of every format, in every encoding and compression, and special files."""

    name = "readers"
    ENCODINGS = (
        None,
        None,
        None,
        "utf-8",
        "cp1252",
        "utf-16",
        "utf-16-le",
        "utf-32",
        "gb18030",
        "utf_7",
        "hz",
    )

    def prepare(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        texts = make_texts(6)
        rows = [{"id": f"d{n}", "text": text, "year": n, "note": None} for n, text in enumerate(texts)]
        lines = "".join(f'd{n},"{text}",{n}\n' for n, text in enumerate(texts))
        table = pa.Table.from_pylist(rows)
        pq.write_table(table, self.folder / "sound.parquet")
        self.sound = {
            ".csv": ("id,text,year\n" + lines).encode(),
            ".tsv": ("id\ttext\tyear\n" + lines.replace(",", "\t")).encode(),
            ".jsonl": "".join(json.dumps(row) + "\n" for row in rows).encode(),
            ".parquet": (self.folder / "sound.parquet").read_bytes(),
            ".txt": texts[0].encode(),
        }
        # loading the detectors of encodings and languages takes longer than any input
        path = self.folder / "sound.csv"
        path.write_bytes(self.sound[".csv"] + "é".encode("cp1252"))
        with contextlib.suppress(ColligateError):
            str(cg.Corpus.read(path))

    def attack(self, rng: random.Random) -> None:
        suffix = rng.choice(list(self.sound))
        data = mutation.mutate_bytes(rng, self.sound[suffix])
        encoding = rng.choice(self.ENCODINGS)
        if rng.random() < 0.3 and suffix != ".parquet":
            with contextlib.suppress(UnicodeError):
                data = data.decode("utf-8", "replace").encode(encoding or "utf-16", "replace")
        folder = self.folder / "input"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        packing = rng.choice(("", "", ".gz", ".zst"))
        if packing == ".gz":
            data = gzip.compress(data, 1)
        elif packing == ".zst":
            import pyarrow as pa

            data = pa.compress(data, "zstd", asbytes=True)
        if packing and rng.random() < 0.3:
            data = mutation.mutate_bytes(rng, data)
        path = folder / f"a{suffix}{packing}"
        path.write_bytes(data)
        if rng.random() < 0.05:
            self.add_special(rng, folder, path)
        source = folder if suffix == ".txt" else path
        options = {} if suffix == ".parquet" else {"encoding": encoding}
        corpus = cg.Corpus.read(source, **options)
        rng.choice(
            (lambda: corpus.save(self.folder / "stored", overwrite=True), lambda: corpus.columns, str)
        )()

    @staticmethod
    def add_special(rng: random.Random, folder: Path, path: Path) -> None:
        """Put a pipe, a socket, a device or a link in the place of the file, or beside it."""
        target = rng.choice((path, folder / "b.txt"))
        target.unlink(missing_ok=True)
        kind = rng.randrange(5)
        if kind == 0:
            os.mkfifo(target)
        elif kind == 1:
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(str(target))
        elif kind == 2:
            target.symlink_to("/dev/zero")
        elif kind == 3:
            target.symlink_to("/etc/hostname")
        else:
            target.symlink_to(target)


class KnowledgeFiles(Door):
    """Knowledge files."""

    name = "knowledge"

    def prepare(self) -> None:
        self.sound = yaml.safe_load(KNOWLEDGE)
        self.names = {"documents": [f"d{n}" for n in range(24)], "words": " ".join(TOPICS).split()}

    def attack(self, rng: random.Random) -> None:
        path = self.folder / "knowledge.yaml"
        if rng.random() < 0.5:
            # JSON is YAML, and a changed value is still well-formed
            text = json.dumps(mutation.mutate_value(rng, self.sound))
        else:
            text = mutation.mutate_text(rng, KNOWLEDGE)
        if rng.random() < 0.1:
            text += rng.choice(
                ("&a [*a]\n", "[" * 2000, "{" * 900 + "}" * 900, "- " * 500, "!!python/object:os.system\n")
            )
        if rng.random() < 0.2:
            path.write_bytes(mutation.mutate_bytes(rng, KNOWLEDGE.encode()))
        else:
            path.write_text(text, encoding="utf-8", errors="replace")
        knowledge = cg.Knowledge.read(path, unknown="report", contradictions="report")
        knowledge.compile(self.names)
