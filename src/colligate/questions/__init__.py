"""Questions whose answers would help a result most, and the answers as knowledge."""

from colligate._http import HttpPolicy
from colligate.questions.answers import KINDS, LABEL, PAIR, WORD, Question, knowledge_from_answer
from colligate.questions.language_model import LanguageModel
from colligate.questions.propose import propose

__all__ = [
    "KINDS",
    "LABEL",
    "PAIR",
    "WORD",
    "HttpPolicy",
    "LanguageModel",
    "Question",
    "knowledge_from_answer",
    "propose",
]
