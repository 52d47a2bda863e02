"""The doors: each makes one random input after the other and hands it to the library as a user would.

`Door.prepare` runs once in a process, in a folder of its own; `Door.attack` runs once for each input. An
attack may end in an error of Colligate, never in another exception, in a crash, or in waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import json
import os
import random
import shutil
import socket
import traceback
import warnings
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import sparse

import colligate as cg
from colligate._storage.arrays import read_arrays, write_arrays
from colligate._storage.atomic import hash_file
from colligate._storage.manifest import DIGEST_FIELD
from colligate.errors import ColligateError
from colligate.methods.fit import RunOptions
from tools.fuzz import mutation

if TYPE_CHECKING:
    from pathlib import Path

SCIKIT_CHECKS = "sklearn/utils/validation.py"
TOPICS = ("orbit nasa shuttle moon rocket", "puck goalie team ice skate", "bread oven flour sugar dough")
KNOWLEDGE = """categories:
  space: [orbit, nasa]
  ice: {words: [puck, ice], strength: 2, note: from the glossary}
groups:
  space: {at_least: 1, at_most: 20}
documents:
  together: [[d0, d3], [d1, d4]]
  apart: [[d0, d1]]
  labels: {d0: space, d1: {label: ice, note: read}}
  outside: [d5]
words:
  together: [[orbit, moon]]
"""
METHODS = (
    "itcc",
    "colligate",
    "nmf",
    "kmeans",
    "m2dcu",
    "gmm",
    "plsa",
    "tnmf",
    "ckmeans",
    "cpm3c",
    "chinc",
    "ssnmf",
)


def make_texts(number: int = 24) -> list[str]:
    """Make texts of three topics."""
    rng = random.Random(0)
    return [" ".join(rng.choices(TOPICS[place % 3].split(), k=8)) for place in range(number)]


def make_corpus() -> cg.Corpus:
    """Make a corpus of the texts, with ids."""
    texts = make_texts()
    return cg.Corpus.from_texts(texts, ids=[f"d{place}" for place in range(len(texts))])


def seal(path: Path, content: dict[str, Any]) -> None:
    """Write a manifest with a digest that fits, as an attacker would."""
    content.pop(DIGEST_FIELD, None)
    text = json.dumps(content, sort_keys=True)
    content[DIGEST_FIELD] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(content), encoding="utf-8")


class Door:
    """One kind of input."""

    name: ClassVar[str]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.prepare()

    def prepare(self) -> None:
        """Make what all inputs start from."""

    def attack(self, rng: random.Random) -> None:
        """Make one input, and use it."""
        raise NotImplementedError


class Matrices(Door):
    """Sparse and dense matrices with wrong index arrays, entries, types and shapes."""

    name = "matrices"

    def attack(self, rng: random.Random) -> None:
        rows, columns = rng.randrange(1, 12), rng.randrange(1, 9)
        dense = np.random.default_rng(rng.randrange(2**32)).poisson(1.0, (rows, columns))
        kind = rng.choice(("csr", "csc", "coo", "bsr", "lil", "dok", "dia", "dense", "csr_matrix"))
        if kind == "dense":
            matrix: Any = mutation.mutate_array(rng, dense.astype(rng.choice(("i4", "f4", "f8"))))
        elif kind == "csr_matrix":
            matrix = sparse.csr_matrix(dense.astype("f8"))
        else:
            matrix = sparse.coo_array(dense.astype(rng.choice(("i4", "f4", "f8")))).asformat(kind)
        for name in ("data", "indices", "indptr"):
            if kind not in ("dense", "lil", "dok") and hasattr(matrix, name) and rng.random() < 0.5:
                try:
                    setattr(matrix, name, mutation.mutate_array(rng, np.array(getattr(matrix, name))))
                except (ValueError, TypeError, AttributeError):
                    return
        if kind == "coo" and rng.random() < 0.7:
            for places in matrix.coords:
                if len(places):
                    places[rng.randrange(len(places))] = rng.choice((0, -1, 5, 100, 2**31 - 1))
        method = cg.make(
            rng.choice(("kmeans", "itcc", "nmf")), n_clusters=rng.choice((1, 2, 3)), n_init=1, max_iter=2
        )
        fitted = method.fit(matrix)
        fitted.predict(matrix)


class Results(Door):
    """Stored results whose arrays, manifests and tables were changed and sealed again."""

    name = "results"

    def prepare(self) -> None:
        corpus = make_corpus()
        knowledge = cg.Knowledge(unknown="report", contradictions="report").together(documents=[("d0", "d3")])
        self.stored = []
        for method in METHODS:
            takes = cg.make(method).takes
            known = knowledge if "links:documents" in takes else None
            model = cg.make(method, n_clusters=3, n_init=1, random_state=0).fit(corpus, knowledge=known)
            self.stored.append(model.result_.save(self.folder / f"sound-{method}"))

    def attack(self, rng: random.Random) -> None:
        folder = self.folder / "changed"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(rng.choice(self.stored), folder)
        for _ in range(rng.choice((1, 1, 2))):
            self.change(rng, folder)
        result = cg.Result.load(folder)
        result.predict(["orbit puck bread", ""])
        rng.choice(
            (
                lambda: result.predict_memberships(["orbit moon"]),
                lambda: result.top_words(3),
                lambda: result.group_names,
                lambda: result.why("d0"),
                lambda: result.audit(),
                lambda: result.documents.to_arrow(),
                lambda: result.hierarchy(),
                lambda: result.report(self.folder / "report.html"),
                lambda: result.save(self.folder / "again", overwrite=True),
            )
        )()

    def change(self, rng: random.Random, folder: Path) -> None:
        """Change one file of the folder, and seal what lies above it."""
        manifests = sorted(folder.rglob("*.json"))
        kind = rng.random()
        if kind < 0.55:
            path = rng.choice(sorted(folder.rglob("*.npz")))
            arrays = read_arrays(path)
            name = rng.choice(list(arrays))
            if rng.random() < 0.05:
                del arrays[name]
            elif rng.random() < 0.05:
                arrays[rng.choice(mutation.INTERESTING_TEXTS).replace("\0", "") or "x"] = arrays[name]
            else:
                arrays[name] = mutation.mutate_array(rng, arrays[name])
            try:
                write_arrays(path, arrays)
            except (ValueError, TypeError, UnicodeError):
                return
        elif kind < 0.85:
            path = rng.choice(manifests)
            content = json.loads(path.read_text(encoding="utf-8"))
            changed = mutation.mutate_value(rng, content)
            if isinstance(changed, dict):
                seal(path, changed)
        else:
            path = rng.choice(sorted(folder.rglob("*.parquet")) or manifests)
            self.change_table(rng, path)
        # the inner manifests first: the outer one holds their hashes
        for manifest in sorted(manifests, key=lambda path: -len(path.parts)):
            self.reseal(manifest)

    @staticmethod
    def change_table(rng: random.Random, path: Path) -> None:
        """Change the bytes, a column or the rows of a Parquet file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if path.suffix != ".parquet" or rng.random() < 0.5:
            path.write_bytes(mutation.mutate_bytes(rng, path.read_bytes()))
            return
        try:
            table = pq.read_table(path)
        except (pa.ArrowException, OSError):
            return  # an earlier change broke the file
        name = rng.choice(table.column_names)
        values = table.column(name).to_pylist()
        if values:
            values[rng.randrange(len(values))] = rng.choice((None, 5, -1, "x", 2**40, 0.5, values[0]))
        try:
            column = pa.array(values)
        except (pa.ArrowException, OverflowError):
            column = pa.array([str(value) for value in values])
        position = table.column_names.index(name)
        table = table.set_column(position, rng.choice((name, name, "other")), pa.chunked_array([column]))
        pq.write_table(table.slice(0, rng.choice((table.num_rows, table.num_rows, 1))), path)

    @staticmethod
    def reseal(path: Path) -> None:
        """Renew the hashes of a manifest."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            return
        files = content.get("files") if isinstance(content, dict) else None
        if not isinstance(files, dict):
            return
        for name in files:
            try:
                if (path.parent / name).is_file():
                    files[name] = hash_file(path.parent / name)
            except (OSError, ValueError):
                continue
        seal(path, content)


class Checkpoints(Door):
    """Checkpoints whose states and metadata were changed."""

    name = "checkpoints"

    def prepare(self) -> None:
        self.corpus = make_corpus()
        self.sound = {}
        for method in METHODS:
            path = self.folder / f"{method}.npz"
            options = RunOptions(checkpoint=path, checkpoint_interval=0.0, cancelled=path.exists)
            with contextlib.suppress(ColligateError):
                self.make(method).fit(self.corpus, options=options)
            self.sound[method] = read_arrays(path)

    @staticmethod
    def make(method: str) -> Any:
        """Make a method that can be interrupted."""
        return cg.make(method, n_clusters=3, n_init=2, max_iter=3, tol=0.0, random_state=0)

    def attack(self, rng: random.Random) -> None:
        method = rng.choice(METHODS)
        arrays = dict(self.sound[method])
        name = rng.choice(list(arrays))
        if name == "meta" and rng.random() < 0.7:
            content = mutation.mutate_value(rng, json.loads(arrays["meta"].tobytes()))
            arrays["meta"] = np.frombuffer(json.dumps(content).encode(), dtype=np.uint8)
        elif rng.random() < 0.1:
            del arrays[name]
        else:
            arrays[name] = mutation.mutate_array(rng, arrays[name])
        path = self.folder / "changed.npz"
        write_arrays(path, arrays)
        if rng.random() < 0.1:
            path.write_bytes(mutation.mutate_bytes(rng, path.read_bytes()))
        self.make(method).fit(self.corpus, options=RunOptions(checkpoint=path, checkpoint_interval=1e9))


class Readers(Door):
    """Files of documents of every format, in every encoding and compression, and special files."""

    name = "readers"
    ENCODINGS = (
        None,
        None,
        None,
        "utf-8",
        "cp1252",
        "utf-16",
        "utf-16-le",
        "utf-32",
        "gb18030",
        "utf_7",
        "hz",
    )

    def prepare(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        texts = make_texts(6)
        rows = [{"id": f"d{n}", "text": text, "year": n, "note": None} for n, text in enumerate(texts)]
        lines = "".join(f'd{n},"{text}",{n}\n' for n, text in enumerate(texts))
        table = pa.Table.from_pylist(rows)
        pq.write_table(table, self.folder / "sound.parquet")
        self.sound = {
            ".csv": ("id,text,year\n" + lines).encode(),
            ".tsv": ("id\ttext\tyear\n" + lines.replace(",", "\t")).encode(),
            ".jsonl": "".join(json.dumps(row) + "\n" for row in rows).encode(),
            ".parquet": (self.folder / "sound.parquet").read_bytes(),
            ".txt": texts[0].encode(),
        }

    def attack(self, rng: random.Random) -> None:
        suffix = rng.choice(list(self.sound))
        data = mutation.mutate_bytes(rng, self.sound[suffix])
        encoding = rng.choice(self.ENCODINGS)
        if rng.random() < 0.3 and suffix != ".parquet":
            with contextlib.suppress(UnicodeError):
                data = data.decode("utf-8", "replace").encode(encoding or "utf-16", "replace")
        folder = self.folder / "input"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        packing = rng.choice(("", "", ".gz", ".zst"))
        if packing == ".gz":
            data = gzip.compress(data, 1)
        elif packing == ".zst":
            import pyarrow as pa

            data = pa.compress(data, "zstd", asbytes=True)
        if packing and rng.random() < 0.3:
            data = mutation.mutate_bytes(rng, data)
        path = folder / f"a{suffix}{packing}"
        path.write_bytes(data)
        if rng.random() < 0.05:
            self.add_special(rng, folder, path)
        source = folder if suffix == ".txt" else path
        options = {} if suffix == ".parquet" else {"encoding": encoding}
        corpus = cg.Corpus.read(source, **options)
        rng.choice(
            (lambda: corpus.save(self.folder / "stored", overwrite=True), lambda: corpus.columns, str)
        )()

    @staticmethod
    def add_special(rng: random.Random, folder: Path, path: Path) -> None:
        """Put a pipe, a socket, a device or a link in the place of the file, or beside it."""
        target = rng.choice((path, folder / "b.txt"))
        target.unlink(missing_ok=True)
        kind = rng.randrange(5)
        if kind == 0:
            os.mkfifo(target)
        elif kind == 1:
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(str(target))
        elif kind == 2:
            target.symlink_to("/dev/zero")
        elif kind == 3:
            target.symlink_to("/etc/hostname")
        else:
            target.symlink_to(target)


class KnowledgeFiles(Door):
    """Knowledge files."""

    name = "knowledge"

    def prepare(self) -> None:
        self.names = {"documents": [f"d{n}" for n in range(24)], "words": " ".join(TOPICS).split()}

    def attack(self, rng: random.Random) -> None:
        path = self.folder / "knowledge.yaml"
        text = mutation.mutate_text(rng, KNOWLEDGE)
        if rng.random() < 0.1:
            text += rng.choice(
                ("&a [*a]\n", "[" * 2000, "{" * 900 + "}" * 900, "- " * 500, "!!python/object:os.system\n")
            )
        if rng.random() < 0.2:
            path.write_bytes(mutation.mutate_bytes(rng, KNOWLEDGE.encode()))
        else:
            path.write_text(text, encoding="utf-8", errors="replace")
        knowledge = cg.Knowledge.read(path, unknown="report", contradictions="report")
        knowledge.compile(self.names)


class Queries(Door):
    """SPARQL queries on a small knowledge base."""

    name = "sparql"
    QUERIES = (
        "SELECT ?a ?b WHERE { ?a <http://x/label> ?b . FILTER (STRLEN(?b) > 2) } ORDER BY ?a LIMIT 5",
        "PREFIX x: <http://x/> ASK { x:a x:b* ?c . OPTIONAL { ?c ?d 'text'@en } MINUS { ?c a x:d } }",
        "SELECT (COUNT(*) AS ?n) { { SELECT ?s { ?s ?p ?o } } UNION { VALUES ?s { <http://x/a> } } }",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o . BIND (IF(BOUND(?o), 1 + 2 * 3, !true && false) AS ?x) }",
    )

    def prepare(self) -> None:
        path = self.folder / "base.ttl"
        path.write_text('<http://x/a> <http://www.w3.org/2000/01/rdf-schema#label> "one", "two" .\n')
        self.base = open_base(path)

    def attack(self, rng: random.Random) -> None:
        query = mutation.mutate_text(rng, rng.choice(self.QUERIES))
        if rng.random() < 0.2:
            piece = rng.choice(("{", "(", "!", "[", "<", "1+", "a:b/", "UNION {}", "^", "-", "(("))
            place = rng.randrange(len(query) + 1)
            query = query[:place] + piece * rng.choice((50, 99, 1000, 3000, 20_000)) + query[place:]
        self.base.query(query)


def open_base(path: Path) -> Any:
    """Open a knowledge base."""
    from colligate.entities.kb import open_base as opened

    return opened(path)


class KnowledgeBases(Door):
    """RDF files and tables of a knowledge base."""

    name = "rdf"
    TURTLE = (
        '@prefix x: <http://x/> .\nx:a a x:City ; x:name "Rome"@it , """long\ntext""" ; x:in [ x:b 1.5 ] .\n'
        "x:b <http://www.w3.org/2000/01/rdf-schema#subClassOf> ( x:c x:d ) .\n"
    )
    XML = (
        '<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:x="http://x/">\n<rdf:Description rdf:about="http://x/a"><x:name>Rome</x:name>'
        "</rdf:Description>\n</rdf:RDF>\n"
    )
    FILES: ClassVar[dict[str, str]] = {
        ".ttl": TURTLE,
        ".nt": '<http://x/a> <http://x/b> "c"@en .\n<http://x/a> <http://x/b> <http://x/d> .\n',
        ".rdf": XML,
        ".csv": "entity,name,aliases,type\nQ1,Rome,Roma|Urbs,city\nQ2,Bonn,,city\n",
        ".tsv": "head\trelation\ttail\nRome\tin\tItaly\n",
    }

    def attack(self, rng: random.Random) -> None:
        suffix = rng.choice(list(self.FILES))
        path = self.folder / f"base{suffix}"
        data = mutation.mutate_bytes(rng, self.FILES[suffix].encode())
        if suffix == ".rdf" and rng.random() < 0.1:
            data = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + data
        path.write_bytes(data)
        open_base(path).info()


class Requests(Door):
    """Requests to the studio: every route, with changed paths, queries and bodies."""

    name = "api"

    def prepare(self) -> None:
        from colligate.studio.project import Project, Settings
        from colligate.studio.project.runs import RunRecord, save_run
        from colligate.studio.server.app import make_app
        from colligate.studio.server.events import Hub
        from colligate.studio.server.routes import ROUTES
        from colligate.studio.session import Session

        corpus = make_corpus()
        project = Project.create(self.folder / "project", corpus, Settings("x", "", "citcc", 3))
        model = cg.make("citcc", n_clusters=3, n_init=1, random_state=0).fit(corpus)
        save_run(model.result_, project.folder / "runs" / "1")
        record = RunRecord(1, "citcc", {}, 0, None, False, "", (0, 1, 2), ("a", "b", "c"))
        project.work.add_run(record)
        self.session = Session(project)
        self.app = make_app(self.session, Hub(), 1, "token")
        self.routes = ROUTES
        self.cookie = ""
        status, headers, _ = self.ask("GET", "/", "token=token", b"")
        assert status == 303
        self.cookie = headers["set-cookie"].partition(";")[0]

    BODIES = (
        {"kind": "label", "body": {"document": "d1", "group": 0}},
        {"kind": "together", "body": {"type": "documents", "items": ["d0", "d1"]}, "why": "same"},
        {"kind": "category", "body": {"name": "x", "word": "orbit"}},
        {"kind": "name", "body": {"group": 1, "name": "Ice"}},
        {"kind": "merge", "body": {"groups": [0, 1]}},
        {"kind": "split", "body": {"group": 0, "into": 2}},
        {"text": KNOWLEDGE, "seq": 0},
        {"group": 0, "order": "confidence", "query": "orbit", "limit": 5},
        {"documents": [0, 1], "rectangle": [0, 0, 1, 1]},
        {"method": "citcc", "n_clusters": 3, "parameters": {"n_init": 1}},
        {},
    )

    def attack(self, rng: random.Random) -> None:
        route = rng.choice(self.routes)
        path = route.template
        for name in route.parameters:
            path = path.replace(
                f"{{{name}}}", str(rng.choice((0, 1, 1, 1, 2, 23, 24, 10**9, 2**40, "x", "-1")))
            )
        names = [*route.query, "offset", "limit", "from", "group"]
        values = (0, 1, 5, -1, 10**12, "x", "", "%ff", "orbit", "1,2", "\u20ac")
        query = "&".join(f"{rng.choice(names)}={rng.choice(values)}" for _ in range(rng.randrange(4)))
        body = json.dumps(mutation.mutate_value(rng, rng.choice(self.BODIES))).encode()
        if rng.random() < 0.1:
            body = mutation.mutate_bytes(rng, body)
        method = rng.choice((route.method, route.method, route.method, "PUT"))
        status, _, content = self.ask(method, path, query, b"" if method == "GET" else body)
        if status >= 500:
            raise AssertionError(f"{method} {path}?{query} {body!r:.300} gave {status}: {content!r:.300}")

    def ask(self, method: str, path: str, query: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """Send one request to the application, and return its answer."""
        headers = [(b"host", b"127.0.0.1:1"), (b"content-type", b"application/json")]
        headers += [(b"cookie", self.cookie.encode())] if self.cookie else []
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": headers,
            "scheme": "http",
            "server": ("127.0.0.1", 1),
            "client": ("127.0.0.1", 2),
            "root_path": "",
        }
        sent: list[Any] = []
        received = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> Any:
            message = next(received, None)
            if message is None:
                await asyncio.sleep(3600)
            return message

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(asyncio.wait_for(self.app(scope, receive, send), 60))
        answer = {name.decode(): value.decode("latin-1") for name, value in sent[0]["headers"]}
        return sent[0]["status"], answer, b"".join(message.get("body", b"") for message in sent[1:])


class Projects(Door):
    """Project folders of the studio whose files were changed."""

    name = "projects"

    def prepare(self) -> None:
        requests = Requests(self.folder / "made")
        requests.session.close()
        self.sound = requests.session.project.folder

    def attack(self, rng: random.Random) -> None:
        from colligate.studio.project import Project

        folder = self.folder / "changed"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.sound, folder)
        if rng.random() < 0.6:
            changer = Results.__new__(Results)
            changer.change(rng, folder)
        else:
            path = rng.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
            path.write_bytes(mutation.mutate_bytes(rng, path.read_bytes()))
        project = Project(folder)
        try:
            for record in project.work.runs():
                project.result(record).predict(["orbit"])
            project.knowledge()
        finally:
            project.close()


DOORS: dict[str, type[Door]] = {
    door.name: door
    for door in (
        Matrices,
        Results,
        Checkpoints,
        Readers,
        KnowledgeFiles,
        Queries,
        KnowledgeBases,
        Requests,
        Projects,
    )
}


def is_allowed(error: BaseException) -> bool:
    """Whether an error is one that the library raises on purpose, with a message for the user."""
    if isinstance(error, ColligateError):
        return True
    # matrices go through scikit-learn's checks, whose messages are as clear
    frames = traceback.extract_tb(error.__traceback__)
    return isinstance(error, ValueError | TypeError) and frames[-1].filename.endswith(SCIKIT_CHECKS)


def silence_warnings() -> None:
    """Ignore warnings: bad input gives many, and they are no findings."""
    warnings.simplefilter("ignore")
