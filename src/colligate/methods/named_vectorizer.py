"""A step of scikit-learn's pipelines that counts words and passes their names on to the next step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils.validation import check_is_fitted

from colligate.corpus import Analyser, Corpus
from colligate.corpus.corpus import collect_documents
from colligate.corpus.readers import ColumnRequest, find_source
from colligate.corpus.vectorize import make_canonical
from colligate.errors import CorpusError
from colligate.network import Network
from colligate.progress import ignore_events

if TYPE_CHECKING:
    from colligate.corpus.corpus import Documents


class NamedVectorizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Counts words by a vectorizer of scikit-learn, and keeps their names.

    A pipeline hands only the matrix of a vectorizer to the next step, so that groups have no words to be
    named by. This step hands on a corpus, or a network where the vectorizer weighs the words.

    Parameters
    ----------
    vectorizer : vectorizer, optional
        Such as `CountVectorizer` (the default) or `TfidfVectorizer`. It is cloned, not changed.

    Attributes
    ----------
    vectorizer_ : vectorizer
        The fitted vectorizer.

    Examples
    --------
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from sklearn.pipeline import make_pipeline
    >>> import colligate as cg
    >>> step = cg.NamedVectorizer(CountVectorizer(ngram_range=(1, 2)))
    >>> pipeline = make_pipeline(step, cg.make("colligate", n_clusters=6))
    """

    def __init__(self, vectorizer: Any = None) -> None:
        self.vectorizer = vectorizer

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the words of documents, a list of texts or another form that `fit` of a method takes."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Corpus | Network:
        """Learn the words of documents, and count them."""
        source, documents = _read_texts(X)
        vectorizer = CountVectorizer() if self.vectorizer is None else clone(self.vectorizer)
        matrix = vectorizer.fit_transform(documents.texts)
        self.vectorizer_ = vectorizer
        return self._name_words(matrix, source, documents)

    def transform(self, X: Any) -> Corpus | Network:
        """Count the learnt words in new documents."""
        check_is_fitted(self)
        source, documents = _read_texts(X)
        return self._name_words(self.vectorizer_.transform(documents.texts), source, documents)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the words."""
        check_is_fitted(self)
        return self.vectorizer_.get_feature_names_out(input_features)

    def _name_words(self, matrix: Any, source: str, documents: Documents) -> Corpus | Network:
        words = self.vectorizer_.get_feature_names_out().tolist()
        if matrix.dtype.kind not in "biu":
            return Network.from_matrix(matrix, ids=documents.ids, words=words)
        return Corpus(
            documents.ids,
            make_canonical(matrix),
            words,
            documents.texts,
            Analyser(vectorizer=self.vectorizer_),
            source,
            documents.columns,
            documents.roles,
        )


def _read_texts(X: Any) -> tuple[str, Documents]:
    source = find_source(X, ColumnRequest(call="Corpus.of"))
    if source is None:
        raise CorpusError(f"NamedVectorizer counts the words of texts; got {type(X).__name__}")
    return source.name, collect_documents(source, ignore_events)
