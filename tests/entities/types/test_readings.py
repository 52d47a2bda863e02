from colligate.entities.kb import open_base
from colligate.entities.mentions.gazetteer import Owner
from colligate.entities.types.candidates import Candidate, generate_candidates


def test_types_are_the_top_and_subtypes_right_below(base):
    base.above |= {"startup": ("firm",), "city": ("Place",)}
    base.kinds |= {"kb/ibm": ["startup", "firm", "city"], "kb/gates": []}
    apple = Owner("kb/apple_inc", "Apple"), Owner("kb/apple", "Apple", True)
    owners = [(Owner("kb/ibm", "IBM"),), (Owner("kb/gates", "Bill Gates"),), apple]
    assert generate_candidates(owners, base) == [
        (Candidate("kb/ibm", "Organisation", ("firm",)), Candidate("kb/ibm", "Place", ("city",))),
        (),
        (
            Candidate("kb/apple_inc", "Organisation", ("firm",)),
            Candidate("kb/apple", "Food", ("fruit",), True),
        ),
    ]


def test_labels_that_would_break_tables_are_changed(tiny):
    base = tiny({"a": ["A"]}, {"a": ["documents", "x|y", "\u202e\n"]})
    kinds = [candidate.type for candidate in generate_candidates([(Owner("a", "A"),)], base)[0]]
    assert kinds == ["documents (class)", "x/y", "?"]


def test_an_alias_is_secondary_where_the_name_is_the_label_of_something_else(tmp_path):
    table = tmp_path / "base.csv"
    table.write_text(
        "entity,name,aliases,type\nvenus,Venus,,Planet\ngaga,Lady Gaga,Venus|Gaga,Person\n", encoding="utf-8"
    )
    base = open_base(table)
    entities = dict(reversed(pair) for pair in base.names())
    owners = [Owner(entity, "Venus") for entity, name in base.names() if name == "Venus"]
    alone = [Owner(entities["Gaga"], "Gaga")]
    venus, gaga = generate_candidates([owners, alone], base)
    assert {(one.type, one.secondary) for one in venus} == {("Planet", False), ("Person", True)}
    assert [one.secondary for one in gaga] == [False]
