"""The most similar documents, against all cosines computed one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from colligate.errors import InputError


def cosines_of(result, position):
    """The cosines by the textbook: log counts times log inverse document frequency, one pair at a time."""
    counts = result.counts.toarray().astype(float)
    present = np.maximum((counts > 0).sum(axis=0), 1)
    rows = np.log1p(counts) * np.log(len(counts) / present)
    length = np.sqrt((rows**2).sum(axis=1))
    return [
        float(row @ rows[position] / (length[k] * length[position])) if length[k] * length[position] else 0.0
        for k, row in enumerate(rows)
    ]


def test_similar_documents_come_by_the_cosine_of_their_words(result):
    for position in range(len(result.labels["documents"])):
        cosines = cosines_of(result, position)
        similar = result.similar(position, n=99)
        expected = {row for row, cosine in enumerate(cosines) if cosine > 0 and row != position}
        assert {each.position for each in similar} == expected
        assert [each.similarity for each in similar] == pytest.approx([cosines[s.position] for s in similar])
        values = [round(each.similarity, 9) for each in similar]
        assert values == sorted(values, reverse=True)


def test_directions_of_the_method_count_as_much_as_words(result):
    directions = np.zeros((11, 2))
    directions[:5, 0] = directions[5:10, 1] = 1.0
    known = replace(result, model={**result.model, "directions": directions})
    for position in range(10):
        cosines = (np.array(cosines_of(result, position)) + directions @ directions[position]) / 2
        similar = {each.position: each.similarity for each in known.similar(position, n=99)}
        expected = {row: cosine for row, cosine in enumerate(cosines) if cosine > 0 and row != position}
        assert similar == pytest.approx(expected)
    assert known.similar(10) == ()


def test_a_similar_document_has_its_name_and_group(result):
    first = result.similar("d0", n=1)
    assert len(first) == 1
    assert first[0].document == f"d{first[0].position}"
    assert first[0].group == result.labels["documents"][first[0].position]
    assert result.similar(0, n=1) == first


def test_a_document_without_words_is_similar_to_none(result):
    assert result.similar("d10") == ()


@pytest.mark.parametrize("n", [0, -1, True, 2.5, "3"])
def test_a_number_below_one_is_refused(result, n):
    with pytest.raises(InputError, match="n must be a whole number of at least 1"):
        result.similar("d0", n=n)


def test_an_unknown_document_is_refused(result):
    with pytest.raises(InputError, match="there is no document 'nobody'"):
        result.similar("nobody")
