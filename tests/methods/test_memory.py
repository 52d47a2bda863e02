"""Groups whose memberships do not fit into the memory of the machine are refused in one line."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

import colligate as cg
from colligate._machine import Memory
from colligate.errors import ParameterError
from colligate.methods import fit


@pytest.fixture
def counts() -> csr_array:
    return csr_array(np.random.default_rng(0).poisson(1.0, (60, 20)))


@pytest.mark.parametrize("method", ["itcc", "colligate", "kmeans"])
def test_groups_that_do_not_fit_into_memory(counts, method, monkeypatch):
    # 60 documents and 10 groups take 7,200 bytes
    monkeypatch.setattr(fit, "read_memory", lambda: Memory(7_000, None))
    with pytest.raises(ParameterError, match=r"memberships alone take .* this machine has .* fewer groups"):
        cg.make(method, n_clusters=10).fit(counts)
    monkeypatch.setattr(fit, "read_memory", lambda: Memory(8_000, None))
    assert len(cg.make(method, n_clusters=10, random_state=0).fit(counts).labels_) == 60


def test_that_unknown_memory_refuses_nothing(counts, monkeypatch):
    monkeypatch.setattr(fit, "read_memory", lambda: Memory(None, None))
    assert len(cg.make("kmeans", n_clusters=10, random_state=0).fit(counts).labels_) == 60
