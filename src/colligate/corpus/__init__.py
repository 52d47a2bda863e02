"""Documents and their words: readers, the analyser, the corpus and its store."""

from colligate.corpus.analyser import Analyser
from colligate.corpus.corpus import Corpus
from colligate.corpus.texts import Texts

__all__ = ["Analyser", "Corpus", "Texts"]
