import numpy as np

from colligate.methods.factorisation.problem import ArrayCache


def test_a_value_is_made_once_for_the_same_arrays():
    kept, made = ArrayCache(), []
    first, second = np.ones(3), np.ones(3)

    def value(arrays):
        return kept.get("sum", arrays, lambda: made.append(1) or sum(a.sum() for a in arrays))

    assert value((first, second)) == value((first, second)) == 6.0
    assert len(made) == 1
    assert value((second, first)) == 6.0
    assert kept.get("other", (first, second), lambda: "another") == "another"
    assert len(made) == 2


def test_no_array_lives_longer_and_a_new_one_in_its_place_is_not_mistaken_for_it():
    kept = ArrayCache()
    for number in range(50):
        array = np.full(1000, float(number))
        assert kept.get("first", (array,), lambda array=array: array[0]) == number
        del array
    assert len(kept._values) == 1
