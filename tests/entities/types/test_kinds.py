from colligate.entities.types.candidates import Candidate, drop_common_nouns, rank_candidates


def read(entity, **types):
    return tuple(Candidate(entity, kind, tuple(below.split())) for kind, below in types.items())


def types(found, entity):
    return [one.type for one in found[entity]]


PEOPLE = {f"p{at}": read(f"p{at}", people="person") for at in range(20)}
FIRMS = {f"f{at}": read(f"f{at}", organization="firm") for at in range(20)}
FOUNDERS = {f"x{at}": read(f"x{at}", organization="founder", people="person") for at in range(6)}
PLAYERS = {f"b{at}": read(f"b{at}", baseball="player", people="person") for at in range(6)}


def test_a_founder_is_a_person_and_no_organisation():
    found = rank_candidates(PEOPLE | FIRMS | FOUNDERS)
    assert types(found, "x0") == ["people"]
    assert types(found, "f0") == ["organization"]


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
    found = drop_common_nouns(entities, labels, {"singer": {"singer"}})
    assert types(found, "coach") == types(found, "singer") == []
    assert types(found, "p0") == ["people"]


def test_kinds_stay_where_a_type_is_one_of_kinds():
    fields = {name: read(name, subject="field") for name in ("law", "music")}
    found = drop_common_nouns(fields, {name: {name} for name in fields}, {})
    assert types(found, "law") == types(found, "music") == ["subject"]
