"""A small knowledge base, as text."""

from __future__ import annotations

HOSTILE = (
    'Robert"); DROP ALL; --',
    "} UNION { ?s ?p ?o } #",
    "back\\slash \\u0022 \\",
    "' OR 1=1 {{ }} $name ?name",
    "tab\there, new\nline, return\rback",
    "bell\x07 nul\x00 escape\x1b[31m",
    "right\u202eto\u200fleft",
    "SELECT * WHERE { ?s ?p ?o } LIMIT 1",
    "<http://example.org/a> .",
    '"""',
    "emoji 😀 and Ünïcödé",
)

TURTLE = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
ex:Agent a owl:Class ; rdfs:subClassOf owl:Thing ; rdfs:label "agent"@en, "Akteur"@de .
ex:Person rdfs:subClassOf ex:Agent ; rdfs:label "person" .
ex:Firm rdfs:subClassOf ex:Agent .
ex:Food rdfs:subClassOf owl:Thing .
ex:Fruit rdfs:subClassOf ex:Food .
ex:founded a owl:ObjectProperty ; rdfs:label "founded" .
ex:jobs a ex:Person, ex:Agent, owl:NamedIndividual ; rdfs:label "Steve Jobs"@en .
ex:jobs ex:founded ex:apple, ex:next .
ex:woz a ex:Person ; rdfs:label "Steve Wozniak" ; skos:altLabel "Woz", "Woz" ; ex:founded ex:apple .
ex:apple a ex:Firm ; rdfs:label "Apple"@en, "Apfel AG"@de ; skos:altLabel "Apple Inc." ; ex:rival ex:next .
ex:next a ex:Firm ; rdfs:label "NeXT" .
ex:pome a ex:Fruit ; rdfs:label "Apple", "" .
ex:unnamed ex:rival ex:next .
_:b rdfs:label "nobody" .
"""


def ntriples(subject: str, name: str) -> str:
    escaped = "".join(f"\\U{ord(char):08X}" for char in name)
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    return f'<http://example.org/{subject}> <{label}> "{escaped}" .\n'
