"""Knowledge bases: their files, queries, and the answers of servers."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar

from colligate._chat import ChatModel
from colligate._http import HttpPolicy
from colligate.entities.kb import open_base
from colligate.entities.kb.endpoint import EndpointBase, RequestPolicy
from colligate.result.descriptions import UnusableReplyError, read_reply
from tools.fuzz import mutation
from tools.fuzz.doors.base import Door

if TYPE_CHECKING:
    import random


class Queries(Door):
    """SPARQL queries on a small knowledge base."""

    name = "sparql"
    QUERIES = (
        "SELECT ?a ?b WHERE { ?a <http://x/label> ?b . FILTER (STRLEN(?b) > 2) } ORDER BY ?a LIMIT 5",
        "PREFIX x: <http://x/> ASK { x:a x:b* ?c . OPTIONAL { ?c ?d 'text'@en } MINUS { ?c a x:d } }",
        "SELECT (COUNT(*) AS ?n) { { SELECT ?s { ?s ?p ?o } } UNION { VALUES ?s { <http://x/a> } } }",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o . BIND (IF(BOUND(?o), 1 + 2 * 3, !true && false) AS ?x) }",
    )

    TOKENS = (
        *sorted({token for query in QUERIES for token in query.split(" ")}),
        "*",
        "?a",
        "DISTINCT",
        "*/^",
    )

    def prepare(self) -> None:
        path = self.folder / "base.ttl"
        label = "<http://www.w3.org/2000/01/rdf-schema#label>"
        path.write_text(f'<http://x/a> {label} "one", "two" .\n<http://x/a> <http://x/b> <http://x/c> .\n')
        self.base = open_base(path)

    def attack(self, rng: random.Random) -> None:
        query = rng.choice(self.QUERIES)
        if rng.random() < 0.5:
            query = mutation.mutate_text(rng, query)
        else:
            # tokens of the language in other places: some of these queries are sound
            tokens = query.split(" ")
            for _ in range(rng.choice((1, 1, 2, 3))):
                place = rng.randrange(len(tokens))
                tokens[place : place + rng.choice((0, 1))] = [rng.choice(self.TOKENS)]
            query = " ".join(tokens)
        if rng.random() < 0.05:
            piece = rng.choice(("{", "(", "!", "[", "<", "1+", "a:b/", "UNION {}", "^", "-", "(("))
            place = rng.randrange(len(query) + 1)
            query = query[:place] + piece * rng.choice((50, 99, 1000, 3000, 20_000)) + query[place:]
        self.base.query(query)


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


class Replies(Door):
    """Answers of a SPARQL endpoint and of a language model, sent by a real server on this machine."""

    name = "replies"
    LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
    TABLE: ClassVar[dict[str, Any]] = {
        "head": {"vars": ["a", "b"]},
        "results": {
            "bindings": [
                {
                    "a": {"type": "uri", "value": "http://x/a"},
                    "b": {"type": "literal", "value": "Rome", "xml:lang": "it"},
                },
                {"a": {"type": "bnode", "value": "b0"}, "b": {"type": "literal", "value": "2"}},
            ]
        },
    }
    CHAT: ClassVar[dict[str, Any]] = {
        "choices": [
            {"message": {"role": "assistant", "content": '{"name": "Space", "description": "About it."}'}}
        ]
    }
    TYPES = ("application/sparql-results+json", "application/json", "application/n-triples", "text/html", "")

    def prepare(self) -> None:
        door = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.wfile.write(door.answer)
                self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        # a server that fails is asked once: waiting between attempts is tested elsewhere
        self.base = EndpointBase(f"{url}/sparql", policy=RequestPolicy(retries=0, pause=0, timeout=5))
        self.model = ChatModel(f"{url}/v1", "model", policy=HttpPolicy(retries=0, pause=0, timeout=5))
        self.answer = b""

    def attack(self, rng: random.Random) -> None:
        use = rng.choice(("query", "count", "rows", "chat", "chat"))
        content: Any = self.CHAT if use == "chat" else self.TABLE
        if use == "count":
            content = {"head": {"vars": ["n"]}, "results": {"bindings": [{"n": {"value": "3"}}]}}
        if rng.random() < 0.7:
            body = json.dumps(mutation.mutate_value(rng, content)).encode()
        else:
            body = mutation.mutate_bytes(rng, json.dumps(content).encode())
        if use == "query" and rng.random() < 0.2:
            body = mutation.mutate_bytes(rng, b'<http://x/a> <http://x/b> "c"@en .\n')
        status = rng.choice((200, 200, 200, 200, 200, 204, 301, 400, 404, 429, 500, 999))
        length = rng.choice((len(body),) * 8 + (0, len(body) + 5, -1, "x"))
        head = (
            f"HTTP/1.1 {status} x\r\nContent-Type: {rng.choice(self.TYPES)}\r\nContent-Length: {length}\r\n"
        )
        if rng.random() < 0.1:
            head = mutation.mutate_text(rng, head)
        self.answer = head.encode("utf-8", "replace") + b"Connection: close\r\n\r\n" + body
        if use == "chat":
            reply = self.model.ask("system", "prompt")
            try:
                read_reply(reply)
            except UnusableReplyError:
                return
        elif use == "query":
            self.base.query("SELECT ?a ?b WHERE { ?a ?c ?b }")
        elif use == "count":
            self.base.info()
        else:
            list(self.base.names())
