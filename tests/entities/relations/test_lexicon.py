from colligate.entities.relations.lexicon import Lexicon

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
    assert Lexicon.learn(once, min_pairs=1).share("set up", FOUNDED) == 1.0
