from colligate.world.base.forms import Entity, Intersection, Join, Relation
from colligate.world.parsing.forms import forms, holds
from colligate.world.parsing.lexicon import Lexicon

FOUNDED, OWNS = ("founded", False), ("owns", True)


def test_a_phrase_means_the_relation_it_shares_most_pairs_with():
    lexicon = Lexicon.learn(
        [
            ("set up", (1, 2), [FOUNDED]),
            ("set up", (3, 4), [FOUNDED, OWNS]),
            ("set up", (5, 6), [OWNS, FOUNDED]),
            ("set up", (7, 8), []),
            ("sold", (1, 2), []),
        ]
    )
    assert lexicon.relations("set up") == [FOUNDED, OWNS]
    assert lexicon.share("set up", FOUNDED) == 0.75
    assert lexicon.share("sold", FOUNDED) == lexicon.share("never met", OWNS) == 0


def test_the_same_pair_twice_is_one_pair():
    once = [("set up", (1, 2), [FOUNDED])] * 5
    assert Lexicon.learn(once).relations("set up") == []
    assert Lexicon.learn(once, fewest=1).share("set up", FOUNDED) == 1.0


def test_forms_are_confirmed_by_the_knowledge_base(base):
    lexicon = Lexicon.learn([("founded", (1, 2), [FOUNDED]), ("founded", (3, 4), [FOUNDED])])
    found = list(forms("kb/jobs", "founded", "kb/apple_inc", lexicon))
    join = Join(Relation("founded"), Entity("kb/apple_inc"))
    assert found == [
        Entity("kb/jobs"),
        Entity("kb/apple_inc"),
        Relation("founded"),
        join,
        Intersection(Entity("kb/jobs"), join),
    ]
    assert all(holds(form, base) for form in found)
    *_, wrong = forms("kb/gates", "founded", "kb/apple_inc", lexicon)
    assert not holds(wrong, base)
    assert list(forms("a", "unheard of", "b", lexicon)) == [Entity("a"), Entity("b")]
