import gzip

import numpy as np
import pytest

import colligate as cg
from colligate.entities.kb import open_base

ROWS = """id\tlabel\tbroader\talternative
1\tComputing\t\t
2\tDatabases\t1\tData stores|Query systems
3\tQuery languages\t2\t
4\tRelational query systems\t2|3\t
5\tLearning\t1\t
6\tNeural systems\t5\t
7\tLearning\t2\t
"""
WORDS = ["query", "relational", "neural", "learning", "systems", "databases", "horse"]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "ccs.tsv"
    file.write_text(ROWS, encoding="utf-8")
    return file


def seeds(knowledge):
    return {(s.object, s.subject): s.strength for s in knowledge.statements}


def test_words_lean_to_the_part_of_the_taxonomy_that_names_them(path):
    taxonomy = cg.Taxonomy.read(path)
    assert taxonomy.below(["Databases"]) == {"2", "3", "4", "7"}
    found = seeds(taxonomy.categories({"stores": "Databases", "learning": ["5"]}, WORDS))
    assert found[("stores", "query")] == 1.0
    assert found[("stores", "relational")] == 1.0
    # in two concepts of the one and in one of the other
    assert found[("stores", "systems")] == pytest.approx(2 / 3)
    assert ("learning", "systems") not in found
    assert found[("stores", "learning")] == found[("learning", "learning")] == 0.5
    assert "horse" not in {word for _, word in found}


def test_categories_guide_a_run(path):
    texts = ["relational query databases", "query databases relational"] * 5 + ["neural learning"] * 10
    corpus = cg.Corpus.from_texts(texts, analyser=cg.Analyser(min_df=1))
    knowledge = cg.Taxonomy.read(path).categories({"stores": "2", "nets": "6"}, corpus.words)
    result = (
        cg.make("citcc", n_clusters=2, n_word_clusters=2, random_state=0)
        .fit(corpus, knowledge=knowledge)
        .result_
    )
    assert result.audit().counts()["kept"] == len(knowledge)
    assert len(set(result.labels["documents"][:10])) == 1
    assert {name.split(":")[0] for name in result.group_names} == {"stores", "nets"}


def test_files_with_other_columns_and_compressed(tmp_path):
    file = tmp_path / "t.csv.gz"
    file.write_bytes(gzip.compress(b"key,name,parents\na,Animal,\nb,Horse,a\n"))
    taxonomy = cg.Taxonomy.read(file, columns={"id": "key", "label": "name", "broader": "parents"})
    assert taxonomy.below(["animal"]) == {"a", "b"}


@pytest.mark.parametrize(
    ("roots", "message"),
    [
        ({"x": "Botany"}, r"ccs\.tsv has no concept with the id or name 'Botany'"),
        ({"x": "learning"}, r"2 concepts called 'learning'; give the id of one: 5, 7"),
        ({"x": "3", "y": "3"}, "has no usable word"),
    ],
)
def test_what_is_not_there_is_told(path, roots, message):
    with pytest.raises(cg.errors.KnowledgeError, match=message):
        cg.Taxonomy.read(path).categories(roots, ["neural"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id\tlabel\n1\ta\n", "has no column 'broader'; name it with columns="),
        ("id\tlabel\tbroader\n1\ta\t9\n", "the parent '9' of concept '1' has no row"),
        ("id\tlabel\tbroader\n1\ta\t\n2\n", "line 3: this concept has no label"),
        ("id\tlabel\tbroader\n\ta\t\n", "line 2: this concept has no id"),
        ("id\tlabel\tbroader\n1\ta\t\n1\tb\t\n", "line 3: concept '1' already has a row"),
    ],
)
def test_a_bad_table_is_told(tmp_path, content, message):
    file = tmp_path / "t.tsv"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(cg.errors.KnowledgeError, match=message):
        cg.Taxonomy.read(file)
    with pytest.raises(cg.errors.KnowledgeError, match="there is no file"):
        cg.Taxonomy.read(tmp_path / "none.tsv")
    with pytest.raises(cg.errors.KnowledgeError, match="columns= accepts the keys id, label"):
        cg.Taxonomy.read(file, columns={"narrower": "x"})


DATA = """  1 This software and database is being provided to you, the LICENSEE
00001740 03 n 01 entity 0 001 ~ 00001930 n 0000 | that which is perceived
00001930 03 n 01 animal 0 001 @ 00001740 n 0000 | a living being
00002000 05 n 02 horse 0 Equus_caballus 0 001 @ 00001930 n 0000 | a large animal
00002100 05 n 01 Bucephalus 0 001 @i 00002000 n 0000 | a horse
00003000 06 n 02 table 0 horse 1 001 @ 00001740 n 0000 | furniture
"""
INDEX = """  1 licence
entity n 1 1 ~ 1 1 00001740
animal n 1 1 @ 1 1 00001930
horse n 2 1 @ 2 1 00002000 00003000
equus_caballus n 1 1 @ 1 0 00002000
bucephalus n 1 1 @ 1 0 00002100
table n 1 1 @ 1 1 00003000
"""


def test_wordnet_is_read_from_its_database(tmp_path):
    (tmp_path / "data.noun").write_text(DATA, encoding="utf-8")
    (tmp_path / "index.noun").write_text(INDEX, encoding="utf-8")
    taxonomy = cg.Taxonomy.wordnet(tmp_path)
    assert taxonomy.below(["animal"]) == {"00001930", "00002000", "00002100"}
    roots = {"animals": "animal", "furniture": "00003000"}
    found = seeds(taxonomy.categories(roots, ["horse", "bucephalus", "table", "animal"]))
    assert found == {
        ("animals", "horse"): 1.0,
        ("animals", "bucephalus"): 1.0,
        ("animals", "animal"): 1.0,
        ("furniture", "table"): 1.0,
    }


def test_a_folder_without_wordnet_and_a_damaged_one_are_told(tmp_path):
    with pytest.raises(cg.errors.KnowledgeError, match=r"there is no index\.noun"):
        cg.Taxonomy.wordnet(tmp_path)
    (tmp_path / "index.noun").write_text(INDEX, encoding="utf-8")
    (tmp_path / "data.noun").write_text("00001740 03 n zz\n", encoding="utf-8")
    with pytest.raises(
        cg.errors.KnowledgeError, match=r"data\.noun, line 1: this is not a valid line of a WordNet"
    ):
        cg.Taxonomy.wordnet(tmp_path)


def test_strengths_are_shares():
    taxonomy = cg.Taxonomy({"a": ("xx yy",), "b": ("xx",), "c": ("xx",)}, {"a": (), "b": (), "c": ()})
    found = seeds(taxonomy.categories({"one": ["a", "b"], "two": ["c"]}, ["xx", "yy"], least=0.1))
    assert np.isclose(found[("one", "xx")], 2 / 3)
    assert np.isclose(found[("two", "xx")], 1 / 3)


def test_the_classes_of_a_knowledge_base_make_categories(tmp_path):
    file = tmp_path / "entities.csv"
    file.write_text(
        "entity,name,aliases,type,subtype\nq1,Apple,Apple Computer,organisation,company\n"
        "q2,Jobs,,person,founder\nq3,Oxfam,,organisation,charity\n",
        encoding="utf-8",
    )
    taxonomy = cg.Taxonomy.of_base(open_base(file))
    words = ["apple", "computer", "jobs", "oxfam", "tree"]
    found = seeds(taxonomy.categories({"firms": "company", "people": "person"}, words))
    assert found == {("firms", "apple"): 1.0, ("firms", "computer"): 1.0, ("people", "jobs"): 1.0}
    assert ("all", "oxfam") in seeds(taxonomy.categories({"all": "organisation"}, words))
