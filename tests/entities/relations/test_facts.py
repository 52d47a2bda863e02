from colligate.entities.relations.extraction import Facts

ENTITIES = [("kb/jobs",), ("kb/apple", "kb/apple_inc"), ("kb/ibm",)]


def test_facts_between_all_readings_in_both_directions(base):
    facts = Facts.ask(base, [(0, 1), (1, 0), (0, 2)], ENTITIES)
    assert list(facts.between(0, 1)) == [("kb/jobs", "kb/apple_inc", ("founded", False))]
    assert list(facts.between(1, 0)) == [("kb/apple_inc", "kb/jobs", ("founded", True))]
    assert facts.told(1, 0) == [("founded", True)]
    assert facts.told(0, 2) == []


def test_each_pair_is_asked_about_once(base):
    Facts.ask(base, [(0, 1)] * 3 + [(1, 0)], ENTITIES)
    asked = [pair for batch in base.asked for pair in batch]
    assert len(asked) == len(set(asked)) == 4
