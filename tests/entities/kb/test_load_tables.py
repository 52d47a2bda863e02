"""Plain tables: what their rows stand for, and errors with their lines."""

from __future__ import annotations

import gzip

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from colligate.entities.kb import build, open_base
from colligate.entities.kb.sparql import CLASS, ENTITY, RELATION
from colligate.errors import InputError

ENTITIES = (
    "entity,name,aliases,type,subtype\n"
    "q1,Apple,Apple Inc. | Apple Computer|,organisation,company|brand\n"
    'q2,"Apple ""the"" fruit",,food|plant,\n'
    "/m/03,Steve Jobs,,,\n"
)


def put(folder, name, text):
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def test_entities(tmp_path):
    base = open_base(put(tmp_path, "a.csv", ENTITIES))
    assert list(base.names()) == [
        (f"{ENTITY}/m/03", "Steve Jobs"),
        (f"{ENTITY}q1", "Apple"),
        (f"{ENTITY}q1", "Apple Computer"),
        (f"{ENTITY}q1", "Apple Inc."),
        (f"{ENTITY}q2", 'Apple "the" fruit'),
    ]
    types = base.types([f"{ENTITY}q1", f"{ENTITY}q2", f"{ENTITY}/m/03"])
    assert types[f"{ENTITY}q1"] == tuple(f"{CLASS}organisation{kind}" for kind in ("/brand", "/company", ""))
    assert types[f"{ENTITY}q2"] == (f"{CLASS}food", f"{CLASS}plant")
    assert types[f"{ENTITY}/m/03"] == ()
    assert base.hierarchy().child_below_top(f"{CLASS}organisation/company") == f"{CLASS}organisation/company"
    assert base.hierarchy().top(f"{CLASS}organisation/company") == f"{CLASS}organisation"


def test_tables_together(tmp_path):
    files = [
        put(tmp_path, "entities.tsv.gz", "entity\tname\ttypes\nq1\tApple\tCompany\nq3\tSteve\tPerson\n"),
        put(tmp_path, "classes.csv", "Class;label;Parents\nCompany;firm;Agent|Thing\nAgent;;Thing\n"),
        put(tmp_path, "facts.tsv", "head\trelation\ttail\tsource\nq3\tfounded\tq1\tbook\n"),
    ]
    build(files, tmp_path / "kb")
    base = open_base(tmp_path / "kb")
    assert base.hierarchy().path(f"{CLASS}Company") == (f"{CLASS}Thing", f"{CLASS}Company")
    assert base.hierarchy().label(f"{CLASS}Company") == "firm"
    assert base.hierarchy().label(f"{CLASS}Agent") == "Agent"
    pair = (f"{ENTITY}q3", f"{ENTITY}q1")
    assert base.relations([pair]) == {pair: (f"{RELATION}founded",)}
    assert {name for _, name in base.names()} == {"Apple", "Steve"}


def test_parquet_with_lists_and_gaps(tmp_path):
    table = {"entity": ["a", "b"], "name": ["A", None], "aliases": [["x", "y"], None], "type": ["t", "t"]}
    pq.write_table(pa.table(table), tmp_path / "a.parquet")
    base = open_base(tmp_path / "a.parquet")
    assert [name for _, name in base.names()] == ["A", "x", "y"]
    assert base.types([f"{ENTITY}b"]) == {f"{ENTITY}b": (f"{CLASS}t",)}


def test_ids_may_be_iris(tmp_path):
    base = open_base(put(tmp_path, "a.csv", "entity,name,type,subtype\nhttp://x/a,A,http://x/T,http://x/S\n"))
    assert base.types(["http://x/a"]) == {"http://x/a": ("http://x/S", "http://x/T")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("entity,name\na,A\n,B\n", ":3: 'entity' is empty"),
        ("entity,name\na,A\nb\n", ":3: the row has 1 cell(s), but the header has 2"),
        ('entity,name\na,A\nb,"B" x\n', ":3: malformed row"),
        ("head,relation,tail\na,r,b\n\na,,b\n", ":4: 'relation' is empty"),
        (
            "entity,name,type,subtype\na,A,t|u,s\n",
            ":2: a row with sub-types must have exactly one type; this row has 2",
        ),
        (
            "entity,name,type,subtype\na,A,,s\n",
            ":2: a row with sub-types must have exactly one type; this row has 0",
        ),
        ("entity,name,type,types\na,A,t,u\n", ":1: 'type' and 'types' are two names of the same column"),
        ("id,title\na,A\n", ":1: this is not a table of triples, entities or classes"),
        ("", ":1: this is not a table"),
    ],
)
def test_errors_have_lines(tmp_path, text, message):
    path = put(tmp_path, "a.csv", text)
    with pytest.raises(InputError) as error:
        open_base(path)
    assert str(error.value).startswith(f"{path}{message}")


def test_what_is_no_parquet_or_no_text(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(InputError, match="as Parquet"):
        open_base(tmp_path / "a.parquet")
    pq.write_table(pa.table({"entity": ["a"], "name": [1.5]}), tmp_path / "b.parquet")
    with pytest.raises(InputError, match="row 1: 'name' must be text; got float"):
        open_base(tmp_path / "b.parquet")


@pytest.mark.parametrize("content", ["entity,name\nq1,Zürich\n".encode("latin-1"), b"\x00\x01\xff"])
def test_an_encoding_that_cannot_be_told_here_is_not_asked_for(tmp_path, content):
    path = tmp_path / "odd.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"odd\.csv:\d: .*; write the table in UTF-8$") as error:
        open_base(path)
    assert "encoding=" not in str(error.value)


def test_what_is_wrong_with_the_file_itself_keeps_its_own_advice(tmp_path):
    cut = put(tmp_path, "a.csv.gz", ENTITIES * 50)
    cut.write_bytes(cut.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"cut short .*; fetch or compress it again$"):
        open_base(cut)
    workbook = tmp_path / "b.csv"
    workbook.write_bytes(b"PK\x03\x04 more")
    with pytest.raises(InputError, match=r"Excel .*; export it as CSV in UTF-8, and pass that file$"):
        open_base(workbook)
