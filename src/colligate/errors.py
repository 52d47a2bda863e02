"""Everything Colligate raises on purpose, and the warnings it gives.

ColligateError
├── InputError (ValueError)         what was handed in cannot be used
│   ├── CorpusError                 a file of documents, or the documents themselves
│   ├── EncodingError               bytes that are not text in the expected encoding
│   ├── MatrixError                 a matrix with NaN, infinite or negative entries, or of a wrong shape
│   ├── ParameterError              a parameter outside its domain
│   ├── UnknownMethodError          a method name that is not in the registry
│   └── NotFoundError               a run, group, document or job of the studio that does not exist
├── KnowledgeError (ValueError)     what the user knows cannot be used as it stands
│   ├── UnknownNameError            a statement names an object that is not there
│   ├── ContradictionError          statements that cannot all hold
│   └── RefusedKnowledgeError       the method does not take this kind of knowledge
├── NumericalError (ArithmeticError) a computation left the finite numbers
├── StoreError (OSError)            a folder or file cannot be written, or is damaged
└── CancelledError                  the user stopped the run

UserWarning
├── KnowledgeWarning                the run goes on, and this is what it could not use
├── GuessedEncodingWarning          a file is not UTF-8, and its encoding was guessed
├── MissingTextWarning              documents were read that have no text where the others have it
├── SkippedFilesWarning             files of a folder were not read, since they are not .txt
└── UnspacedTextWarning             text is written without spaces, and whole clauses count as words
"""


class ColligateError(Exception):
    """The root of everything Colligate raises on purpose."""


class InputError(ColligateError, ValueError):
    """What was handed in cannot be used."""


class CorpusError(InputError):
    """A file of documents, or the documents themselves, cannot be used."""


class EncodingError(InputError):
    """Bytes are not text in the expected encoding."""


class MatrixError(InputError):
    """A matrix holds NaN, infinite or negative entries, or has a wrong shape."""


class ParameterError(InputError):
    """A parameter is outside its domain; `parameter` is its name."""

    def __init__(self, message: str, parameter: str | None = None) -> None:
        super().__init__(message)
        self.parameter = parameter


class UnknownMethodError(InputError):
    """No method of that name is in the registry."""


class NotFoundError(InputError):
    """A run, group, document or job of the studio does not exist."""


class KnowledgeBaseError(InputError):
    """A file cannot become a part of a knowledge base, or a query cannot be answered."""


class EndpointError(KnowledgeBaseError):
    """A SPARQL endpoint hangs, refuses, or answers rubbish."""


class KnowledgeError(ColligateError, ValueError):
    """What the user knows cannot be used as it stands."""


class UnknownNameError(KnowledgeError):
    """A statement names an object that is not there."""


class ContradictionError(KnowledgeError):
    """Statements cannot all hold."""


class RefusedKnowledgeError(KnowledgeError):
    """The method does not take this kind of knowledge."""


class NumericalError(ColligateError, ArithmeticError):
    """A computation left the finite numbers."""


class StoreError(ColligateError, OSError):
    """A folder or file cannot be written, or is damaged."""


class CancelledError(ColligateError):
    """The user stopped the run."""


class KnowledgeWarning(UserWarning):
    """The run goes on; this is the knowledge it could not use."""


class GuessedEncodingWarning(UserWarning):
    """A file is not UTF-8; its encoding was guessed."""


class MissingTextWarning(UserWarning):
    """Documents lack the key that holds the text of the others."""


class SkippedFilesWarning(UserWarning):
    """Files of a folder were not read, since they are not .txt."""


class UnspacedTextWarning(UserWarning):
    """Many words are whole clauses, since the text is written without spaces."""
