from colligate.entities.kb import open_base
from colligate.entities.mentions.gazetteer import Owner
from colligate.entities.types.candidates import (
    Candidate,
    drop_common_nouns,
    generate_candidates,
    rank_candidates,
)


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
    assert {(candidate.type, candidate.secondary) for candidate in venus} == {
        ("Planet", False),
        ("Person", True),
    }
    assert [candidate.secondary for candidate in gaga] == [False]


def read(entity, **types):
    return tuple(Candidate(entity, kind, tuple(below.split())) for kind, below in types.items())


def types(candidates, entity):
    return [candidate.type for candidate in candidates[entity]]


PEOPLE = {f"p{number}": read(f"p{number}", people="person") for number in range(20)}
FIRMS = {f"f{number}": read(f"f{number}", organization="firm") for number in range(20)}
FOUNDERS = {f"x{number}": read(f"x{number}", organization="founder", people="person") for number in range(6)}
PLAYERS = {f"b{number}": read(f"b{number}", baseball="player", people="person") for number in range(6)}


def test_a_founder_is_a_person_and_no_organisation():
    candidates = rank_candidates(PEOPLE | FIRMS | FOUNDERS)
    assert types(candidates, "x0") == ["people"]
    assert types(candidates, "f0") == ["organization"]


def test_a_type_whose_members_are_all_something_else_is_kept_beside_it():
    assert types(rank_candidates(PEOPLE | PLAYERS), "b0") == ["people", "baseball"]


def test_of_a_few_entities_nothing_is_left_out():
    few = {"x": read("x", organization="founder", people="person"), "f": read("f", organization="firm")}
    assert sorted(types(rank_candidates(few), "x")) == ["organization", "people"]


def test_a_profession_is_no_person():
    entities = PEOPLE | {
        "coach": read("coach", people="profession"),
        "singer": read("singer", people="profession"),
    }
    labels = {entity: {f"Ann Lee {entity.upper()}"} for entity in PEOPLE} | {
        "coach": {"Head coach"},
        "singer": {"Singer"},
    }
    candidates = drop_common_nouns(entities, labels, {"singer": {"singer"}})
    assert types(candidates, "coach") == types(candidates, "singer") == []
    assert types(candidates, "p0") == ["people"]


def test_kinds_stay_where_a_type_is_one_of_kinds():
    fields = {name: read(name, subject="field") for name in ("law", "music")}
    candidates = drop_common_nouns(fields, {name: {name} for name in fields}, {})
    assert types(candidates, "law") == types(candidates, "music") == ["subject"]
