"""GitHub's published GraphQL schema, loaded once, with the rules that it cannot express itself."""

import functools
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLError,
    GraphQLSchema,
    ValidationContext,
    ValidationRule,
    build_schema,
    parse,
    specified_rules,
    validate,
)
from graphql.type import GraphQLScalarType, get_named_type

from tests.double.nouns import moment
from tests.double.published import MISSING, PublishedError, schema_path


@functools.cache
def schema() -> GraphQLSchema:
    """The schema, about a second the first time. Raises PublishedError where it has not been fetched.

    GitHub's own file breaks rules of the language (a field defined twice), hence no check of the file itself.
    """
    path = schema_path()
    if path is None:
        raise PublishedError(MISSING)
    built = build_schema(path.read_text(encoding="utf-8"), assume_valid=True, assume_valid_sdl=True)
    for name in ("DateTime", "GitTimestamp"):
        scalar = built.type_map[name]
        assert isinstance(scalar, GraphQLScalarType)
        scalar.coerce_input_value = _read_moment
        scalar.coerce_input_literal = lambda node, _variables=None: _read_moment(node.value)
    return built


def _read_moment(text: Any) -> Any:
    try:
        return moment(text)
    except (TypeError, ValueError) as error:
        raise GraphQLError(f"{text!r} is not a valid DateTime") from error


class SaysHowMany(ValidationRule):
    """Every connection says how many nodes it wants, as GitHub demands; how many it may want is `cost.py`'s."""

    def enter_field(self, node: FieldNode, *_: Any) -> None:
        """One connection."""
        context: ValidationContext = self.context
        found = context.get_field_def()
        if found is None or not get_named_type(found.type).name.endswith("Connection"):
            return
        given = {each.name.value for each in node.arguments or ()}
        if "first" in found.args and not given & {"first", "last"}:
            name = node.name.value
            message = f"You must provide a `first` or `last` value to properly paginate the `{name}` connection."
            error = GraphQLError(message, node)
            error.extensions = {"type": "MISSING_PAGINATION_BOUNDARIES"}
            context.report_error(error)


@functools.lru_cache(maxsize=256)
def read(text: str) -> tuple[DocumentNode | None, tuple[GraphQLError, ...]]:
    """The document and what is wrong with it."""
    try:
        document = parse(text)
    except GraphQLError as error:
        return None, (error,)
    return document, tuple(validate(schema(), document, [*specified_rules, SaysHowMany]))
