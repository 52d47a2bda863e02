"""Lost workers change nothing; absent schedulers, packages and other versions are named in one line."""

from __future__ import annotations

import os
import signal
from importlib import util
from types import SimpleNamespace

import dask.bag as db
import numpy as np
import pytest
from scipy.sparse import csr_array

from colligate import Corpus, make
from colligate.errors import ClusterError
from colligate.methods.fit import RunOptions
from colligate.shards import client as clients
from colligate.shards import shards

distributed = pytest.importorskip("distributed")


def test_that_lost_workers_change_nothing(texts):
    options = {"n_clusters": 4, "n_init": 3, "max_iter": 6, "tol": 0.0, "random_state": 0}
    expected = make("itcc", **options).fit(Corpus.from_texts(texts))
    moments, n_events, killed = {2, 5}, 0, []
    rng = np.random.default_rng(0)
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")
    with cluster, distributed.Client(cluster) as client:

        def kill(event):
            nonlocal n_events
            n_events += event.stage == "clustering"
            if n_events in moments and event.stage == "clustering":
                client.wait_for_workers(1)
                # a worker that was killed before may still be listed
                killed.append(int(rng.choice(list(client.run(os.getpid, on_error="ignore").values()))))
                os.kill(killed[-1], signal.SIGKILL)

        bag = db.from_sequence(texts, npartitions=4)
        fitted = make("itcc", **options).fit(bag, options=RunOptions(listener=kill))
    assert len(killed) == 2
    assert np.array_equal(fitted.labels_, expected.labels_)
    assert fitted.history_ == expected.history_


def test_a_scheduler_that_is_not_there(monkeypatch):
    monkeypatch.setattr(clients, "CONNECT_TIMEOUT", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(ClusterError, match="there is no scheduler of Dask at"):
            clients.connect(address)


def test_an_absent_extra(monkeypatch, texts):
    bag = db.from_sequence(texts, npartitions=2)
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    with pytest.raises(ClusterError, match=r"colligate\[distributed\]"):
        make("itcc", n_clusters=2).fit(bag)


def test_workers_of_another_version(monkeypatch, client):
    monkeypatch.setattr(clients, "__version__", "0.0.0")
    with pytest.raises(ClusterError, match=r"has Colligate .*, and this is Colligate 0\.0\.0"):
        clients.check_workers(client)
    monkeypatch.undo()
    monkeypatch.setattr(clients.platform, "python_version_tuple", lambda: ("3", "99", "0"))
    with pytest.raises(ClusterError, match=r"this is Python 3\.99"):
        clients.check_workers(client)


def test_a_scheduler_without_workers(monkeypatch, texts):
    monkeypatch.setattr(clients, "WORKER_TIMEOUT", 1)
    monkeypatch.setattr(clients, "POLL", 0.5)
    cluster = distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0")
    with cluster, distributed.Client(cluster) as client:
        with pytest.raises(ClusterError, match=r"has no workers .* `dask worker inproc:"):
            clients.check_workers(client)
        # workers that leave in the middle
        with pytest.raises(ClusterError, match="has no workers"):
            clients.gather(client, [client.submit(len, texts)])


def test_a_step_that_ends_its_workers(client, monkeypatch):
    """A step that needs more memory than there is ends worker after worker; that is not tried for ever."""
    attempts = []
    monkeypatch.setattr(shards, "wait_for_worker", attempts.append)
    values = shards.assemble(client, [csr_array(np.eye(3))], [3], 3)
    with pytest.raises(ClusterError, match=r"loses its workers again and again.*more memory"):
        values.apply(refuse_task)
    assert len(attempts) == shards.MAX_KILLED - 1


def refuse_task(_):
    raise distributed.KilledWorker("task", SimpleNamespace(address="tcp://worker"), 3)
