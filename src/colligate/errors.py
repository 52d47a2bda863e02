"""The exceptions and warnings of Colligate.

ColligateError
├── InputError (ValueError)         the input cannot be used
│   ├── CorpusError                 a file of documents, or the documents themselves
│   ├── EncodingError               bytes that are not text in the expected encoding
│   ├── MatrixError                 a matrix with NaN, infinite or negative entries, or of a wrong shape
│   ├── ParameterError              a parameter outside its domain
│   ├── DeviceError                 a GPU is not there, cannot be used, or has too little memory
│   ├── ClusterError                a Dask cluster is not there, cannot be used, or loses its workers
│   ├── ModelServerError            the server of a language model hangs, refuses, or sends something else
│   ├── UnknownMethodError          a method name that is not in the registry
│   ├── NotFoundError               a run, group, document or job of the studio that does not exist
│   └── KnowledgeBaseError          a file for a knowledge base, or a query to one
│       └── EndpointError           a SPARQL endpoint hangs, refuses, or sends something else
├── KnowledgeError (ValueError)     the knowledge cannot be used
│   ├── UnknownNameError            a statement names an object that does not exist
│   ├── ContradictionError          statements that contradict each other
│   └── RefusedKnowledgeError       the method does not accept this kind of knowledge
├── NumericalError (ArithmeticError) a computation gave a number that is not finite
├── StoreError (OSError)            a folder or file cannot be written, or is damaged
└── CancelledError                  the user stopped the run

UserWarning
├── KnowledgeWarning                knowledge that the run does not use
├── MissingPackageWarning           a package that would make groups better is not installed
├── MissingEncoderWarning           new documents are grouped without the encoder of the fit
├── NamingWarning                   a language model did not name a group
├── GuessedEncodingWarning          a file is not UTF-8, and its encoding was guessed
├── MissingTextWarning              documents lack the text key of the others
├── SkippedFilesWarning             files of a folder were not read, since they are not .txt
├── LanguageWarning                 texts are in a language that the settings are not for
├── UnspacedTextWarning             text is written without spaces, and whole clauses count as words
└── CutTextWarning                  texts were cut, since a cell of a workbook cannot hold them

A message that names parameters comes in parts, so that the command line can show its options instead:

    EncodingError("this file is not UTF-8; pass ", Parameter("encoding", "cp1252"))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class NO_VALUE:  # noqa: N801
    """The value of a parameter of which a message gives only the name."""


@dataclass(frozen=True)
class Parameter:
    """A parameter in a message: `name`, `name='value'`, or `name=...` where the value is an Ellipsis.

    `owner` is "method" for the parameters of a method, which have no option each, or the function that has
    the parameter, where it is not the one that the user called.
    """

    name: str
    value: Any = NO_VALUE
    owner: str = ""

    def __str__(self) -> str:
        if self.value is NO_VALUE:
            return self.name
        argument = f"{self.name}=..." if self.value is ... else f"{self.name}={self.value!r}"
        return f"{self.owner}(documents, {argument})" if self.owner not in ("", "method") else argument


class Message(Exception):  # noqa: N818
    """The message of an exception or a warning: parts that are joined; `parameter` is the one at fault."""

    def __init__(self, *parts: str | Parameter, parameter: str | None = None) -> None:
        super().__init__(*parts)
        self.parameter = parameter

    def __str__(self) -> str:
        return self.format_message(str)

    def format_message(self, format_parameter: Callable[[Parameter], str]) -> str:
        """Return the text, with every parameter as the function writes it."""
        return "".join(
            format_parameter(part) if isinstance(part, Parameter) else str(part) for part in self.args
        )


class ColligateError(Message):
    """The base class of the errors of Colligate."""


class InputError(ColligateError, ValueError):
    """The input cannot be used."""


class CorpusError(InputError):
    """A file of documents, or the documents themselves, cannot be used."""


class EncodingError(InputError):
    """Bytes are not text in the expected encoding."""


class MatrixError(InputError):
    """A matrix contains NaN, infinite or negative entries, or has a wrong shape."""


class ParameterError(InputError):
    """A parameter is outside its domain; `parameter` is its name."""


class UnknownMethodError(InputError):
    """No method of that name is in the registry."""


class NotFoundError(InputError):
    """A run, group, document or job of the studio does not exist."""


class KnowledgeBaseError(InputError):
    """A file cannot become a part of a knowledge base, or a query cannot be answered."""


class EndpointError(KnowledgeBaseError):
    """A SPARQL endpoint hangs, refuses, or sends something else than an answer."""


class DeviceError(InputError):
    """A GPU is not there, cannot be used, or has too little memory."""


class ClusterError(InputError):
    """A Dask cluster is not there, cannot be used, or loses its workers again and again."""


class ModelServerError(InputError):
    """The server of a language model hangs, refuses, or sends something else than an answer.

    `is_about_question` tells that the failure may be due to one question, so that the next one may succeed.
    """

    def __init__(self, *parts: str | Parameter, is_about_question: bool = False) -> None:
        super().__init__(*parts)
        self.is_about_question = is_about_question


class KnowledgeError(ColligateError, ValueError):
    """The knowledge cannot be used."""


class UnknownNameError(KnowledgeError):
    """A statement names an object that does not exist."""


class ContradictionError(KnowledgeError):
    """Statements contradict each other."""


class RefusedKnowledgeError(KnowledgeError):
    """The method does not accept this kind of knowledge."""


class NumericalError(ColligateError, ArithmeticError):
    """A computation gave a number that is not finite."""


class StoreError(ColligateError, OSError):
    """A folder or file cannot be written, or is damaged."""


class CancelledError(ColligateError):
    """The user stopped the run."""


class KnowledgeWarning(Message, UserWarning):
    """The run does not use this knowledge."""


class MissingPackageWarning(Message, UserWarning):
    """A package that would make groups better is not installed."""


class MissingEncoderWarning(Message, UserWarning):
    """New documents are grouped without the encoder of the fit, which is not stored."""


class NamingWarning(Message, UserWarning):
    """A language model did not name a group; the group keeps its words as its name."""


class GuessedEncodingWarning(Message, UserWarning):
    """A file is not UTF-8; its encoding was guessed."""


class MissingTextWarning(Message, UserWarning):
    """Documents lack the text key of the others."""


class SkippedFilesWarning(Message, UserWarning):
    """Files of a folder were not read, since they are not .txt."""


class LanguageWarning(Message, UserWarning):
    """Texts are in a language that the stop words or the stemmer are not for."""


class UnspacedTextWarning(Message, UserWarning):
    """Many words are whole clauses, since the text is written without spaces."""


class CutTextWarning(Message, UserWarning):
    """Texts were cut, since a cell of a workbook cannot hold them."""
