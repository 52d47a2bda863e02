"""`kill -9` of a real server at random moments: whatever it answered to is there afterwards."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.studio.helpers import make_project

pytestmark = pytest.mark.slow

TIMES = int(os.environ.get("STUDIO_KILLS", "20"))
"""STUDIO_KILLS=500 kills 500 times."""
# one process forks the servers, so that Python and its modules are loaded once; it has no threads itself
HARNESS = """
import http.client, json, os, random, signal, sys, time
from pathlib import Path
from colligate.studio.project import Project
from colligate.studio.server.app import Server
from colligate.studio.session import Session

folder, times = Path(sys.argv[1]), int(sys.argv[2])

def ask(place, method, path, body, cookie):
    connection = http.client.HTTPConnection(place, timeout=10)
    connection.request(method, path, body, {"cookie": cookie, "content-type": "application/json"})
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()

def serve(out):
    server = Server(Session(Project(folder)), 0)
    os.write(out, server.address.encode() + b"\\n")
    server.serve_until_stopped()

random.seed(0)
acknowledged = []
for _ in range(times):
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        serve(theirs)
    os.close(theirs)
    place, _, token = os.fdopen(ours).readline().strip().removeprefix("http://").partition("/?token=")
    cookie = ask(place, "GET", f"/?token={token}", None, "")[1]["set-cookie"].partition(";")[0]
    known = {entry["id"] for entry in json.loads(ask(place, "GET", "/api/statements", None, cookie)[2])}
    assert set(acknowledged) <= known, "a statement was lost"
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    killed_in = random.uniform(0.001, 0.2)
    try:
        while True:
            # however slow the machine is, the first server lives until it has acknowledged a statement
            if acknowledged and killed_in:
                signal.setitimer(signal.ITIMER_REAL, killed_in)
                killed_in = 0
            id = f"{len(acknowledged)}-{random.random()}"
            body = {"kind": "outside", "body": {"document": f"s{random.randrange(30)}"}, "id": id}
            if ask(place, "POST", "/api/statements", json.dumps(body), cookie)[0] == 201:
                acknowledged.append(id)
    except (OSError, http.client.HTTPException):
        os.waitpid(child, 0)
print(len(acknowledged))
os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_no_acknowledged_statement_is_lost_with_the_server(tmp_path):
    project = make_project(tmp_path)
    project.close()
    done = subprocess.run(
        [sys.executable, "-u", "-c", HARNESS, str(project.folder), str(TIMES)],
        capture_output=True,
        text=True,
        timeout=60 + 5 * TIMES,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0
