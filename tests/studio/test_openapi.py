"""Bodies made from the OpenAPI document: what fits a schema gets an answer of the shape that is told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from colligate.studio.server.routes import ROUTES
from tools.fuzz.doors.requests import Requests

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow
POSTED = [route for route in ROUTES if route.body is not None and not isinstance(route.body, str)]
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.text(max_size=5)
    | st.lists(st.text(max_size=5), max_size=3)
)
NAMES = st.sampled_from(
    ("document", "documents", "group", "groups", "name", "word", "type", "items", "into", "x")
)
"""Fields of statements, whose schema is any object."""


def from_schema(schema: dict[str, Any], definitions: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Make values that fit a JSON schema, as far as pydantic writes them."""
    if reference := schema.get("$ref"):
        return from_schema(definitions[reference.rpartition("/")[2]], definitions)
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    if options := schema.get("anyOf"):
        return st.one_of(*(from_schema(option, definitions) for option in options))
    kind = schema["type"]
    if kind == "object" and "properties" in schema:
        fields = {name: from_schema(field, definitions) for name, field in schema["properties"].items()}
        required = set(schema.get("required", ()))
        optional = {name: made for name, made in fields.items() if name not in required}
        return st.fixed_dictionaries({name: fields[name] for name in required}, optional=optional)
    if kind == "array":
        least = schema.get("minItems", 0)
        items = from_schema(schema["items"], definitions)
        return st.lists(items, min_size=least, max_size=max(least, min(schema.get("maxItems", 3), 3)))
    simple = {
        "object": st.dictionaries(NAMES, VALUES, max_size=4),
        "string": st.text(max_size=20),
        "integer": st.integers(schema.get("minimum"), schema.get("maximum")) | st.integers(0, 3),
        "number": st.floats(
            schema.get("minimum"), schema.get("maximum"), allow_nan=False, allow_infinity=False
        ),
        "boolean": st.booleans(),
    }
    return simple[kind]


@pytest.fixture(scope="module")
def requests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Requests]:
    """The studio of a small project with one run, asked in this process."""
    made = Requests(tmp_path_factory.mktemp("openapi"))
    yield made
    made.session.close()
    made.loop.close()


ANSWERED: dict[str, set[int]] = {}
"""The statuses that the bodies for each route got."""


@pytest.mark.parametrize("route", POSTED, ids=lambda route: route.template)
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_body_that_fits_the_schema_gets_an_answer_of_the_shape_that_is_told(requests, route, data):
    document = json.loads(requests.ask("GET", "/api/openapi.json", "", b"")[2])
    operation = document["paths"][route.template][route.method.lower()]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    body = data.draw(from_schema(schema, document["components"]["schemas"]))
    path = route.template
    for name in route.parameters:
        path = path.replace(f"{{{name}}}", str(data.draw(st.integers(0, 3))))
    status, headers, content = requests.ask(route.method, path, "", json.dumps(body).encode())
    ANSWERED.setdefault(route.template, set()).add(status)
    if status == route.status:
        if not isinstance(route.response, str):
            answer = json.loads(content)
            assert TypeAdapter(route.response).validate_python(answer, strict=True) == answer
    else:
        assert 400 <= status < 500
        assert headers["content-type"] == "application/json"
        assert set(json.loads(content)["error"]) >= {"what", "where", "todo"}


def test_not_every_body_was_refused():
    accepted = {route.template for route in POSTED if route.status in ANSWERED[route.template]}
    assert accepted >= {"/api/runs", "/api/runs/{run}/documents", "/api/knowledge"}
