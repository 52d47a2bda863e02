from __future__ import annotations

import inspect
import pickle
import warnings

import pytest

from colligate import errors
from colligate.errors import EncodingError, GuessedEncodingWarning, Parameter, StoreError


def test_a_message_is_the_text_of_its_parts():
    error = EncodingError("not UTF-8; pass ", Parameter("encoding", "cp1252"), parameter="encoding")
    assert str(error) == "not UTF-8; pass encoding='cp1252'"
    assert error.format_message(lambda parameter: parameter.name.upper()) == "not UTF-8; pass ENCODING"
    assert error.parameter == "encoding"
    assert [str(Parameter("id", value)) for value in (..., None, 3)] == ["id=...", "id=None", "id=3"]


def test_messages_survive_pickling():
    error = pickle.loads(pickle.dumps(EncodingError("pass ", Parameter("encoding"), parameter="encoding")))
    assert (str(error), error.parameter) == ("pass encoding", "encoding")


def test_warnings_have_messages_in_parts():
    with pytest.warns(GuessedEncodingWarning, match="^pass encoding='utf-8'$"):
        warnings.warn(GuessedEncodingWarning("pass ", Parameter("encoding", "utf-8")), stacklevel=1)


def test_every_error_has_the_base_class_that_python_users_expect():
    classes = [
        value for _, value in inspect.getmembers(errors, inspect.isclass) if issubclass(value, Exception)
    ]
    assert all(issubclass(cls, errors.Message) for cls in classes)
    assert isinstance(StoreError("full"), OSError)
    assert isinstance(EncodingError("odd"), ValueError)
    assert str(StoreError("full")) == "full"
