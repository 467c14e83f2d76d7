"""GraphQL over the world: documents are checked against GitHub's schema, charged, and executed."""

from dataclasses import dataclass
from typing import Any

from graphql import ExecutionResult, GraphQLError, GraphQLResolveInfo, OperationDefinitionNode, execute
from graphql.execution.values import get_variable_values
from graphql.language import DocumentNode, FragmentDefinitionNode
from graphql.type import GraphQLList, GraphQLNonNull, get_named_type

from tests.double.ask import Ask, Settings
from tests.double.cost import Cost, Walk
from tests.double.fields_commit import COMMIT
from tests.double.fields_root import ACTOR, REPOSITORY, ROOT, Field, typename
from tests.double.fields_thread import COMMENT, EVENT, THREAD
from tests.double.limits import Spending
from tests.double.nouns import Actor, Comment, Commit, Event, Thread
from tests.double.paging import Edge, Page
from tests.double.refusal import Refused
from tests.double.schema import read, schema
from tests.double.search import QueryError
from tests.double.tokens import Token
from tests.double.world import Repository, World

PAGE: dict[str, Field] = {
    "nodes": lambda page, _: page.nodes,
    "edges": lambda page, _: [
        Edge(page.typename.replace("Connection", "Edge"), node, cursor)
        for node, cursor in zip(page.nodes, page.cursors, strict=True)
    ],
    "totalCount": lambda page, _: page.total,
    "pageInfo": lambda page, _: {
        "__typename": "PageInfo",
        "startCursor": page.cursors[0] if page.cursors else None,
        "endCursor": page.cursors[-1] if page.cursors else None,
        "hasNextPage": page.more_after,
        "hasPreviousPage": page.more_before,
    },
}
EDGE: dict[str, Field] = {"node": lambda edge, _: edge.node, "cursor": lambda edge, _: edge.cursor}

FIELDS: dict[type, dict[str, Field]] = {
    Thread: THREAD,
    Comment: COMMENT,
    Event: EVENT,
    Commit: COMMIT,
    Repository: REPOSITORY,
    Actor: ACTOR,
    Page: PAGE,
    Edge: EDGE,
    type(None): ROOT,
}


@dataclass
class Charged:
    """The answer to a query: GitHub's JSON, the budget after it, and what it cost (0 where it was not run)."""

    answer: dict[str, Any]
    points: int
    headers: dict[str, str]
    cost: Cost


def resolve(source: Any, at: GraphQLResolveInfo[Ask], **arguments: Any) -> Any:
    """The value of one field. What the world has no notion of is not there: null, false, no nodes."""
    name = at.field_name
    if isinstance(source, dict) and name in source:
        return source[name]
    if isinstance(source, Page) and name in source.counts:
        return source.counts[name]
    field = FIELDS.get(type(source), {}).get(name)
    return _nothing(at) if field is None else field(source, at.context, **arguments)


def _nothing(at: GraphQLResolveInfo[Ask]) -> Any:
    named = get_named_type(at.return_type)
    if named.name.endswith("Connection"):
        return Page(named.name, [], [], 0, more_after=False, more_before=False)
    if not isinstance(at.return_type, GraphQLNonNull):
        return None
    if named.name == "Boolean":
        return False
    if isinstance(at.return_type.of_type, GraphQLList):
        return []
    raise Refused("NOT_IMPLEMENTED", f"the double has no {at.parent_type.name}.{at.field_name}")


def _typename(value: Any, *_: Any) -> str:
    return value.typename if isinstance(value, Edge) else typename(value)


def answer(world: World, token: Token, settings: Settings, spending: Spending, asked: dict[str, Any]) -> Charged:
    """Answer one request as GitHub does, with HTTP 200 for nearly everything that is wrong with it."""
    now = world.clock.now()
    who = token.value
    idle = spending.look(who, "graphql", now).headers()
    text = asked.get("query")
    if not isinstance(text, str):
        message = "A query attribute must be specified and must be a string."
        return Charged({"errors": [{"message": message}]}, 0, idle, Cost())
    document, wrong = read(text)
    if document is None or wrong:
        return Charged({"errors": [_shape(each) for each in wrong]}, 0, idle, Cost())
    try:
        cost = price(document, asked.get("operationName"), asked.get("variables") or {})
    except Refused as refused:
        return Charged({"errors": [{"type": refused.kind, "message": str(refused)}]}, 0, idle, Cost())
    except GraphQLError as error:
        return Charged({"errors": [_shape(error)]}, 0, idle, Cost())
    budget, granted = spending.spend(who, "graphql", cost.points, now)
    if not granted:
        refusal = {
            "type": "RATE_LIMITED",
            "message": f"API rate limit exceeded for user ID {world.account(token.login).database_id}.",
        }
        return Charged({"errors": [refusal]}, 0, {**budget.headers(), "X-RateLimit-Remaining": "0"}, cost)
    done = _run(Ask(world, token, settings, cost, budget), document, asked)
    return Charged(done, cost.points, budget.headers(), cost)


def _run(ask: Ask, document: DocumentNode, asked: dict[str, Any]) -> dict[str, Any]:
    """Execute a query while the world stands still."""
    with ask.world.lock:
        done = execute(
            schema(),
            document,
            context_value=ask,
            variable_values=asked.get("variables") or {},
            operation_name=asked.get("operationName"),
            field_resolver=resolve,
            type_resolver=_typename,
        )
    assert isinstance(done, ExecutionResult)
    made: dict[str, Any] = {"data": done.data}
    if done.errors:
        made["errors"] = [_shape(each) for each in done.errors]
    return made


def price(document: DocumentNode, operation_name: str | None, variables: dict[str, Any]) -> Cost:
    """The cost of the operation. Raises Refused where a limit is passed, GraphQLError for variables that don't fit."""
    operations = [each for each in document.definitions if isinstance(each, OperationDefinitionNode)]
    named = [each for each in operations if operation_name is None or (each.name and each.name.value == operation_name)]
    if len(named) != 1:
        raise GraphQLError(
            f"No operation named {operation_name!r}" if operation_name else "An operation name is required"
        )
    given = get_variable_values(schema(), named[0].variable_definitions or (), variables)
    if isinstance(given, list):
        raise given[0]
    fragments = {each.name.value: each for each in document.definitions if isinstance(each, FragmentDefinitionNode)}
    return Walk(schema(), fragments, given).cost(named[0])


def _shape(error: GraphQLError) -> dict[str, Any]:
    """An error as GitHub writes it. One that is neither the client's nor ours to give is a fault of the double."""
    original = error.original_error
    made: dict[str, Any] = {}
    if isinstance(original, Refused):
        made["type"] = original.kind
    elif isinstance(original, QueryError):
        made["type"] = "INVALID_SEARCH"
    elif original is not None and not isinstance(original, GraphQLError):
        raise original
    elif error.extensions and "type" in error.extensions:
        made["type"] = error.extensions["type"]
    if error.path:
        made["path"] = error.path
    if error.locations:
        made["locations"] = [{"line": each.line, "column": each.column} for each in error.locations]
    return {**made, "message": error.message}
