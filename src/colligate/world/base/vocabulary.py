"""The words in which a knowledge base speaks of names, classes and what lies below what."""

from __future__ import annotations

from dataclasses import dataclass

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
OWL = "http://www.w3.org/2002/07/owl#"

DEFINITIONS = (
    f"{RDF}Property",
    f"{RDFS}Class",
    f"{OWL}Class",
    f"{OWL}ObjectProperty",
    f"{OWL}DatatypeProperty",
    f"{OWL}AnnotationProperty",
    f"{OWL}Ontology",
)
"""Classes of the vocabulary itself: their members have names, but are no entities."""

EVERYTHING = (
    f"{OWL}Thing",
    f"{OWL}NamedIndividual",
    f"{RDFS}Resource",
    "http://schema.org/Thing",
    "https://schema.org/Thing",
)
"""Classes that hold everything and tell nothing: the classes right below them are at the top."""

TELLING_NOTHING = frozenset(DEFINITIONS + EVERYTHING)


@dataclass(frozen=True)
class Vocabulary:
    """The predicates for names, classes and the hierarchy; some bases have others than the usual ones."""

    label: str = f"{RDFS}label"
    alias: str = f"{SKOS}altLabel"
    type: str = f"{RDF}type"
    subclass: str = f"{RDFS}subClassOf"

    @property
    def names(self) -> str:
        """The predicates for names, as a path of SPARQL."""
        return f"<{self.label}>|<{self.alias}>"


USUAL = Vocabulary()
WIKIDATA = Vocabulary(
    type="http://www.wikidata.org/prop/direct/P31", subclass="http://www.wikidata.org/prop/direct/P279"
)
