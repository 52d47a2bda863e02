from __future__ import annotations

import csv
import gzip
import io
import json
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate.corpus.corpus import collect_documents
from colligate.corpus.readers import ColumnRequest, open_source
from colligate.progress import ignore_events

# A NUL is refused as the mark of a binary file, whatever else a text may hold.
nasty = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40) | st.sampled_from(
    ["", '"', '""', "\n", "\r\n", "\r", "\t", ",", '",\n"', "\u2028\x85\x1c", "\ufeff", "NaN", "null", "\\"]
)


def as_csv(texts: list[str], delimiter: str = ",") -> bytes:
    sink = io.StringIO(newline="")
    writer = csv.writer(sink, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerow(["id", "text"])
    writer.writerows((f"d{number}", text) for number, text in enumerate(texts))
    return sink.getvalue().encode()


def as_tsv(texts: list[str]) -> bytes:
    return as_csv(texts, "\t")


def as_jsonl(texts: list[str], *, escape: bool = False) -> bytes:
    rows = ({"id": f"d{number}", "text": text} for number, text in enumerate(texts))
    return "".join(json.dumps(row, ensure_ascii=escape) + "\n" for row in rows).encode()


def as_parquet(texts: list[str]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"id": [f"d{n}" for n in range(len(texts))], "text": texts}), sink)
    return sink.getvalue().to_pybytes()


def packed(content: bytes, suffix: str) -> bytes:
    if suffix == ".zst":
        return pa.compress(content, "zstd", asbytes=True)
    return gzip.compress(content) if suffix == ".gz" else content


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize(
    ("kind", "make"), [(".csv", as_csv), (".tsv", as_tsv), (".jsonl", as_jsonl), (".parquet", as_parquet)]
)
@settings(max_examples=25, deadline=None)
@given(texts=st.lists(nasty, min_size=1, max_size=8))
def test_texts_come_through_every_format_unchanged(kind, make, suffix, texts):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"docs{kind}{suffix}")
        path.write_bytes(packed(make(texts), suffix))
        ids, found, *_ = collect_documents(open_source(path, ColumnRequest(), None), ignore_events)
    assert list(found) == texts
    assert ids == [f"d{number}" for number in range(len(texts))]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@settings(max_examples=25, deadline=None)
@given(texts=st.lists(nasty.filter(lambda text: not text.startswith("\ufeff")), min_size=1, max_size=8))
def test_texts_come_through_a_folder_unchanged(suffix, texts):
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            Path(folder, f"{number}.txt{suffix}").write_bytes(packed(text.encode(), suffix))
        ids, found, *_ = collect_documents(open_source(Path(folder), ColumnRequest(), None), ignore_events)
    assert list(found) == texts
    assert ids == [str(number) for number in range(len(texts))]
