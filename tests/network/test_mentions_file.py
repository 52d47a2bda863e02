import gzip

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import colligate as cg

ROWS = "document,name,type,subtype,count\na,007,people,agent|spy,2\nb,Rome,places,,1\nb,007,people,spy,0.5\n"


@pytest.fixture
def corpus():
    return cg.Corpus.from_texts(["one agent here", "two agents there"], ids=["a", "b"])


def checked(network):
    people = next(relation for relation in network.relations if relation.columns == "people")
    assert list(network.types["people"].names) == ["007"]
    assert people.matrix.toarray().ravel().tolist() == [2.0, 0.5]


@pytest.mark.parametrize("name", ["m.csv", "m.tsv", "m.csv.gz", "m.parquet"])
def test_a_table_of_mentions_is_read_from_a_file(tmp_path, corpus, name):
    path = tmp_path / name
    text = "\ufeff" + (ROWS.replace(",", "\t") if ".tsv" in name else ROWS)
    if name.endswith(".parquet"):
        cells = [line.split(",") for line in ROWS.splitlines()[1:]]
        columns = dict(zip(ROWS.splitlines()[0].split(","), zip(*cells, strict=True), strict=True))
        columns["count"] = [float(value) for value in columns["count"]]
        columns["subtype"] = [cell.split("|") for cell in columns["subtype"]]
        pq.write_table(pa.table(columns), path)
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    checked(cg.Network.from_tables(corpus, path))
    told = cg.subtype_knowledge(str(path))
    assert sorted((s.subject, s.object) for s in told.statements) == [("007", "agent"), ("007", "spy")]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "m.csv",
            "document,name,type\na,x\n",
            r"m\.csv cannot be read as a table: .*Expected 3 columns, got 2",
        ),
        ("m.csv", "document,name,type,count\na,x,people,many\n", r"m\.csv cannot be read as a table: .*many"),
        ("m.csv", "document,name\na,x\n", "type"),
        ("m.parquet", "no table", r"m\.parquet cannot be read as a table"),
        ("m.txt", "document,name,type\n", r"m\.txt: mentions are read from \.csv, \.tsv"),
    ],
)
def test_a_file_that_is_no_such_table_is_refused(tmp_path, corpus, name, content, message):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(cg.errors.InputError, match=message):
        cg.Network.from_tables(corpus, path)


def test_a_file_that_is_not_there_is_told(tmp_path, corpus):
    with pytest.raises(cg.errors.InputError, match="there is no file"):
        cg.Network.from_tables(corpus, tmp_path / "none.csv")
