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
    knowledge = cg.subtype_knowledge(str(path))
    assert sorted((s.subject, s.object) for s in knowledge.statements) == [("007", "agent"), ("007", "spy")]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "m.csv",
            "document,name,type\na,x\n",
            r"line 2 of .*m\.csv has 2 cell.s., but the header has 3; if a cell contains a comma",
        ),
        (
            "m.tsv",
            "document\tname\n\na\tx\ny\n",
            r"line 4 of .*m\.tsv has 1 cell.s., but the header has 2; .* a tab",
        ),
        ("m.csv", "", r"m\.csv cannot be read as a table: Empty"),
        (
            "m.csv",
            "document,name\na,x\n",
            r"no column 'type' in .*m\.csv; the columns are 'document', 'name'",
        ),
        ("m.csv", "document,name,type,name\na,x,people,y\n", r"the column 'name' occurs twice in .*m\.csv"),
        ("m.parquet", "no table", r"m\.parquet cannot be read as a table"),
        ("m.txt", "document,name,type\n", r"m\.txt: a table of mentions must be \.csv, \.tsv"),
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


HEAD = "document,name,type,count\n"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,x,people,1\nb,x,people,many\n", r"line 3 of .*m\.csv: 'count' must be a number; got 'many'"),
        ("a,x,people,1\n" * 50 + 'a,x,people,"1,5"\n', r"line 52 of .*: 'count' must be a number; got '1,5'"),
        ("a,x,people,1\nb,x,people, \n", r"line 3 of .*m\.csv: the column 'count' is empty"),
        ("a,x,people,1\nb,x,people,-2\n", r"line 3 of .*m\.csv: 'count' must be finite .*\(1 such lines\)"),
        ("a,x,people,1\nb,,people,1\n", r"line 3 of .*m\.csv: the column 'name' is empty"),
        (
            "a,x,people,1\nb,x,words,1\n",
            r"line 3 of .*m\.csv: the type of an entity cannot be called 'words'",
        ),
        (
            "z,x,people,1\na,x,people,1\ny,x,people,1\n",
            r"in .*m\.csv, these .* 'z' \(line 2\), 'y' \(line 4\)",
        ),
        ('a,"x\ny",people,1\n\n\nb,x,people,many\n', r"line 6 of .*m\.csv: 'count'"),
        ('a,"x\r\ny",people,1\r\n\r\nz,x,people,1\r\n', r"not in the corpus: 'z' \(line 5\)"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_rows_of_a_text_file_are_told_by_the_lines_of_an_editor(tmp_path, corpus, rows, message, packed):
    path = tmp_path / ("m.csv.gz" if packed else "m.csv")
    path.write_bytes(gzip.compress((HEAD + rows).encode()) if packed else (HEAD + rows).encode())
    with pytest.raises(cg.errors.InputError, match=message.replace(r"m\.csv", path.name)):
        cg.Network.from_tables(corpus, path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"count": [1, -2]}, r"row 2 of .*m\.parquet: 'count' must be finite"),
        ({"document": ["a", "z"]}, r"in .*m\.parquet, these .* 'z' \(row 2\)"),
        ({"name": ["x", None]}, r"row 2 of .*m\.parquet: the column 'name' is empty"),
        ({"count": ["1", "many"]}, r"'count' of .*m\.parquet must be a list of numbers"),
    ],
)
def test_rows_of_a_parquet_file_are_counted_from_one(tmp_path, corpus, changes, message):
    table = {"document": ["a", "b"], "name": ["x", "y"], "type": ["people"] * 2, "count": [1, 2]}
    pq.write_table(pa.table({**table, **changes}), tmp_path / "m.parquet")
    with pytest.raises(cg.errors.InputError, match=message):
        cg.Network.from_tables(corpus, tmp_path / "m.parquet")


def test_a_parquet_file_with_a_column_twice_is_refused(tmp_path, corpus):
    columns = [pa.array(["a"])] * 4
    pq.write_table(
        pa.Table.from_arrays(columns, ["document", "name", "type", "type"]), tmp_path / "m.parquet"
    )
    with pytest.raises(cg.errors.InputError, match=r"the column 'type' occurs twice in .*m\.parquet"):
        cg.Network.from_tables(corpus, tmp_path / "m.parquet")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (f"{HEAD}a,x,people,1\na,Zürich,places,1\n".encode("latin-1"), 3),
        ("document,näme,type\na,x,people\n".encode("latin-1"), 1),
        (HEAD.encode("utf-16"), 1),
    ],
)
def test_bytes_that_are_not_utf8_are_told_with_what_to_do(tmp_path, corpus, content, line):
    path = tmp_path / "m.csv"
    path.write_bytes(content)
    with pytest.raises(
        cg.errors.EncodingError, match=rf"line {line} of .*m\.csv is not UTF-8 .* save .* as UTF-8"
    ):
        cg.Network.from_tables(corpus, path)


def test_columns_without_a_name_and_empty_lines_say_nothing(tmp_path, corpus):
    path = tmp_path / "m.csv"
    path.write_text("\n" + ROWS.replace("\n", ",,\n"), encoding="utf-8")
    checked(cg.Network.from_tables(corpus, path))


def test_what_is_left_out_of_a_file_is_told_by_its_lines(tmp_path, corpus):
    path = tmp_path / "m.csv"
    path.write_text(f"{HEAD}z,x,people,1\na,x,people,1\n", encoding="utf-8")
    with pytest.warns(cg.errors.KnowledgeWarning, match=r"1 rows of .*m\.csv are skipped, .* 'z' \(line 2\)"):
        cg.Network.from_tables(corpus, path, unknown="report")


def test_parquet_with_texts_or_names_that_are_not_utf8_is_refused(tmp_path, corpus):
    table = pa.table({"document": ["a", "b"], "name": ["Rome", "Zorn"], "type": ["places", "people"]})
    path = tmp_path / "mentions.parquet"
    plain = {"use_dictionary": False, "compression": "none", "write_statistics": False}
    pq.write_table(table, path, store_schema=False, **plain)
    sound = path.read_bytes()
    path.write_bytes(sound.replace(b"Zorn", b"Z\xffrn"))
    with pytest.raises(cg.errors.InputError, match=r"column 'name' of .* not UTF-8 \(0xff\)"):
        cg.Network.from_tables(corpus, path)
    path.write_bytes(sound.replace(b"name", b"n\xffme"))
    with pytest.raises(cg.errors.InputError, match="cannot be read as a table"):
        cg.Network.from_tables(corpus, path)
