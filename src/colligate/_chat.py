"""A language model behind an OpenAI-compatible URL: one question, one reply, and clear errors.

Texts of documents are hostile: one may tell the model what to reply. `frame_document` marks where they begin
and end, and whoever asks must check the reply.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from colligate._http import BROKEN, LARGE, MOVED, SLOW, Client, HttpPolicy, RequestError, check_url, is_local
from colligate.errors import ModelServerError, ParameterError

if TYPE_CHECKING:
    from colligate._http import Answer

KEY_VARIABLE = "COLLIGATE_MODEL_KEY"
LOCAL_SERVER = "http://localhost:11434/v1"
PATH = "/chat/completions"
POLICY = HttpPolicy(max_bytes=1 << 20, pause=0.0)
# Statuses that may be due to the text of one document, such as a filter of contents or a limit on its length.
QUESTION_ERRORS = (400, 413, 422, 500)
_NAME = re.compile(r"[!-~]{1,200}")
# Models that reason write their thoughts first.
_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_TAG = re.compile(r"<\s*/?\s*document\s*>", re.IGNORECASE)


class ChatModel:
    """A language model on a server that speaks the protocol of chat completions.

    Nothing is sent before the first question.

    Parameters
    ----------
    url
        The address of the server, without `/chat/completions`, such as `http://localhost:11434/v1`.
    name
        The name of the model on this server.
    key_variable
        The environment variable that has the API key. Without such a variable no key is sent.
    policy
        Time-outs and repetitions.

    Raises
    ------
    ModelServerError
        If `url` is no address.
    ParameterError
        If the name or the key cannot be sent.
    """

    def __init__(
        self, url: str, name: str, *, key_variable: str = KEY_VARIABLE, policy: HttpPolicy = POLICY
    ) -> None:
        address = check_url(url, LOCAL_SERVER, ModelServerError)
        parts = urlsplit(address)
        # messages show the address, and what follows a ? is often a key
        if parts.query or parts.fragment:
            raise ModelServerError(
                f"the address of {parts.hostname} goes on after a ? or #; give only the part before it, and "
                f"a key in the environment variable {key_variable}"
            )
        if not _NAME.fullmatch(name):
            raise ParameterError(
                f"the name of a model is printable text without spaces; got {name!a:.80}", parameter="model"
            )
        key = os.environ.get(key_variable, "").strip()
        if key and not all("!" <= char <= "~" for char in key):
            raise ParameterError(
                f"the environment variable {key_variable} contains no API key: it has spaces or other "
                "characters that cannot be sent; set it again"
            )
        self.name = name
        self.host = parts.netloc
        self.is_local = is_local(address)
        self._is_encrypted = parts.scheme == "https"
        self._key_variable, self._has_key = key_variable, bool(key)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        self._client = Client(address.rstrip("/").removesuffix(PATH) + PATH, policy, headers, key)
        # some models accept no temperature; the first refusal says so
        self._settings: dict[str, Any] = {"temperature": 0}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r}, {self.name!r})"

    @property
    def url(self) -> str:
        """The address of the server."""
        return self._client.url.removesuffix(PATH)

    def describe_sending(self, sent: str) -> str:
        """Say in sentences for the user where something is sent."""
        if self.is_local:
            text = (
                f"{sent} go to {self.host}, a server on this machine. They stay on this machine unless that "
                "server sends them on."
            )
        else:
            text = f"{sent} leave this machine. They go to {self.host}, for the model {self.name}."
            if not self._is_encrypted:
                text += " The connection is not encrypted (http)."
        return text + (f" The API key in {self._key_variable} goes there, too." if self._has_key else "")

    def ask(self, system: str, prompt: str) -> str:
        """Return the reply to a prompt, without thoughts; empty if the server sends one without text.

        Raises
        ------
        ModelServerError
            If the server cannot be reached, refuses, or sends something else than a chat completion.
        """
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
        body = {"model": self.name, "messages": messages, **self._settings}
        try:
            answer = self._client.post(json.dumps(body).encode())
        except RequestError as error:
            if error.code == 400 and "temperature" in error.reason and self._settings:
                self._settings = {}
                return self.ask(system, prompt)
            raise self._explain(error) from error
        return _THOUGHTS.sub("", self._read(answer))

    def _read(self, answer: Answer) -> str:
        try:
            content = json.loads(answer.body)["choices"][0]["message"]["content"]
        # deeply nested JSON ends in a RecursionError
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise ModelServerError(
                f"{self._client.url} returned no chat completion ({answer.type}); check that this is the "
                "address of an OpenAI-compatible server",
                is_about_question=True,
            ) from error
        return content if isinstance(content, str) else ""

    def _explain(self, error: RequestError) -> ModelServerError:
        """Turn a failure into an error that says what to do."""
        if error.code in (401, 403):
            advice = f"; check the API key in the environment variable {self._key_variable}"
        elif error.code == 404:
            advice = f"; check the address, and that the server has the model {self.name}"
        elif error.code in QUESTION_ERRORS or error.cause == LARGE:
            advice = f"; check that the model {self.name} takes chats of this length"
        elif error.cause == MOVED:
            advice = "; use that address"
        else:
            advice = "; check that the server runs, or try again later"
        is_about_question = error.code in QUESTION_ERRORS or error.cause in (SLOW, BROKEN, LARGE)
        return ModelServerError(f"{self._client.url} {error}{advice}", is_about_question=is_about_question)


def frame_document(text: str, limit: int) -> str:
    """Put the beginning of a document between marks that it cannot close."""
    return f"<document>\n{clean_text(text, limit)}\n</document>"


def clean_text(text: str, limit: int) -> str:
    """Cut a text, and remove the marks of documents and what cannot be printed."""
    cut = text[:limit] + (" […]" if len(text) > limit else "")
    printable = "".join(char if char.isprintable() or char == "\n" else " " for char in cut)
    # until nothing is left: removing one mark may make another
    while (without := _TAG.sub(" ", printable)) != printable:
        printable = without
    return printable
