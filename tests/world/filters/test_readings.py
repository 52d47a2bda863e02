from colligate.world.filters.readings import Reading, readings
from colligate.world.mentions.gazetteer import Owner


def test_types_are_the_top_and_subtypes_right_below(base):
    base.above |= {"startup": ("firm",), "city": ("Place",)}
    base.kinds |= {"kb/ibm": ["startup", "firm", "city"], "kb/gates": []}
    owners = [(Owner("kb/ibm"),), (Owner("kb/gates"),), (Owner("kb/apple_inc"), Owner("kb/apple", True))]
    assert readings(owners, base) == [
        (Reading("kb/ibm", "Organisation", ("firm",)), Reading("kb/ibm", "Place", ("city",))),
        (),
        (Reading("kb/apple_inc", "Organisation", ("firm",)), Reading("kb/apple", "Food", ("fruit",), True)),
    ]


def test_labels_that_would_break_tables_are_changed(tiny):
    base = tiny({"a": ["A"]}, {"a": ["documents", "x|y", "\u202e\n"]})
    kinds = [reading.type for reading in readings([(Owner("a"),)], base)[0]]
    assert kinds == ["documents (class)", "x/y", "?"]
