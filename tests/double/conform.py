"""Whether an answer of the double is what GitHub's published description says of that operation.

The description is read lazily: an answer's schema is found by method, path and status, and its references are followed
as far as the answer goes. `strict` also tells of keys that the description does not know, since it forbids almost none.
"""

import functools
import json
import re
from collections.abc import Iterator
from typing import Any

from openapi_schema_validator import OAS30Validator
from referencing import Registry, Resource
from referencing.jsonschema import EMPTY_REGISTRY

from tests.double.published import MISSING, PublishedError, description_path

HERE = "urn:github"
JSON = "application/json"


def _null_is_meant(read: dict[str, Any]) -> dict[str, Any]:
    """Let null in where the description says `nullable` and, read to the letter, refuses it.

    An enum that lists no null forbids it (every open issue has none as its reason), and so does a choice of schemas.
    """
    if read.get("nullable") is True:
        if isinstance(read.get("enum"), list) and None not in read["enum"]:
            read["enum"].append(None)
        if "type" not in read and ("oneOf" in read or "anyOf" in read):
            read["anyOf"] = [*read.pop("oneOf", []), *read.get("anyOf", []), {"enum": [None]}]
    return read


class Description:
    """The description, and what it says of answers."""

    def __init__(self, content: dict[str, Any]) -> None:
        self._content = content
        self._registry: Registry[Any] = EMPTY_REGISTRY.with_resource(HERE, Resource.opaque(content))
        self._paths = sorted(content["paths"], key=lambda path: path.count("{"))

    def complaints(self, method: str, path: str, status: int, answer: Any, *, strict: bool = True) -> list[str]:
        """What is wrong with an answer; empty if nothing is."""
        pointer = self._pointer(method, path, status)
        if isinstance(pointer, Complaint):
            return [pointer]
        schema = {"$ref": f"{HERE}#{pointer}"}
        errors = [f"{error.json_path}: {error.message[:300]}" for error in self._validator(schema).iter_errors(answer)]
        return errors or (list(self._strangers(answer, [schema], "$")) if strict else [])

    def _pointer(self, method: str, path: str, status: int) -> "str | Complaint":
        """Where the schema of an answer is, as a JSON pointer."""
        template = next((each for each in self._paths if _pattern(each).fullmatch(path)), None)
        if template is None:
            return Complaint(f"no path {path}")
        operation = self._content["paths"][template].get(method.lower())
        if operation is None or str(status) not in operation["responses"]:
            return Complaint(f"{method} {template} has no answer {status}")
        place = f"/paths/{_escaped(template)}/{method.lower()}/responses/{status}"
        response = operation["responses"][str(status)]
        if "$ref" in response:
            place = response["$ref"].removeprefix("#")
            response = self._at(place)
        if JSON not in response.get("content", {}):
            return Complaint(f"{method} {template} {status} has no body")
        return f"{place}/content/{_escaped(JSON)}/schema"

    def _at(self, pointer: str) -> Any:
        found: Any = self._content
        for part in pointer.strip("/").split("/"):
            found = found[part.replace("~1", "/").replace("~0", "~")]
        return found

    def _validator(self, schema: dict[str, Any]) -> Any:
        return OAS30Validator(schema, registry=self._registry)

    def _shapes(self, value: Any, schemas: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The plain schemas that apply to a value: references followed, and of alternatives those that it fits."""
        for schema in schemas:
            if "$ref" in schema:
                yield from self._shapes(value, [self._at(schema["$ref"].partition("#")[2])])
                continue
            yield schema
            yield from self._shapes(value, schema.get("allOf", []))
            choices = [*schema.get("anyOf", []), *schema.get("oneOf", [])]
            yield from self._shapes(value, [each for each in choices if self._fits(value, each)])

    def _fits(self, value: Any, schema: dict[str, Any]) -> bool:
        absolute = {"$ref": f"{HERE}{schema['$ref']}"} if "$ref" in schema else {"$ref": self._named(schema)}
        return bool(self._validator(absolute).is_valid(value))

    def _named(self, schema: dict[str, Any]) -> str:
        """An address for a schema that stands inside another, so that its own references are found."""
        name = f"{HERE}:{id(schema)}"
        wrapped = Resource.opaque({**self._content, "inner": schema})
        self._registry = self._registry.with_resource(name, wrapped)
        return f"{name}#/inner"

    def _strangers(self, value: Any, schemas: list[dict[str, Any]], place: str) -> Iterator[str]:
        """The keys of an answer that the description does not know."""
        shapes = list(self._shapes(value, schemas))
        if isinstance(value, list):
            items = [each["items"] for each in shapes if "items" in each]
            for number, each in enumerate(value):
                yield from self._strangers(each, items, f"{place}[{number}]")
        elif isinstance(value, dict):
            known = [each for each in shapes if "properties" in each]
            extra = [each["additionalProperties"] for each in shapes if each.get("additionalProperties")]
            for key, each in value.items():
                below = [shape["properties"][key] for shape in known if key in shape["properties"]]
                if below:
                    yield from self._strangers(each, below, f"{place}.{key}")
                elif known and not extra:
                    yield f"{place}.{key}: not in the description"


class Complaint(str):
    """Why there is no schema to compare with."""

    __slots__ = ()


@functools.cache
def description() -> Description:
    """The published description, read once. Raises PublishedError where it has not been fetched."""
    path = description_path()
    if path is None:
        raise PublishedError(MISSING)
    return Description(json.loads(path.read_bytes(), object_hook=_null_is_meant))


@functools.cache
def _pattern(template: str) -> re.Pattern[str]:
    """`{path}` alone holds slashes."""
    return re.compile(re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(template).replace(r"\{path\}", ".+")))


def _escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")
