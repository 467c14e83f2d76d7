"""What a query costs and how many nodes it may give, by the rules that GitHub documents.

A connection is asked for once per node of the connection above it; the points are the sum of these, divided by a
hundred, rounded, at least one. The nodes are the products of the page sizes. `nodes(ids:)` counts as that many nodes
above what it holds, which GitHub does not document.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
)
from graphql.execution.values import VariableValues, get_argument_values, get_directive_values
from graphql.type import (
    GraphQLIncludeDirective,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSkipDirective,
    get_named_type,
)

from tests.double.refusal import Refused

NODE_LIMIT = 500_000
PAGE_LIMIT = 100


@dataclass
class Cost:
    """Requests of connections, nodes, and the largest page asked for."""

    requests: int = 0
    nodes: int = 0
    largest_page: int = 0

    @property
    def points(self) -> int:
        """What the query takes off the budget."""
        return max(1, round(self.requests / 100))


@dataclass
class Walk:
    """The query, its fragments and its variables."""

    schema: GraphQLSchema
    fragments: dict[str, FragmentDefinitionNode]
    variables: VariableValues | None

    def cost(self, operation: OperationDefinitionNode) -> Cost:
        """Add everything up. Raises Refused for a page or a total that is too large."""
        root = self.schema.get_root_type(operation.operation)
        assert root is not None
        total = Cost()
        self._visit([(root, operation.selection_set)], 1, total)
        if total.nodes > NODE_LIMIT:
            message = (
                f"This query requests up to {total.nodes:,} possible nodes which exceeds the maximum limit of "
                f"{NODE_LIMIT:,}."
            )
            raise Refused("MAX_NODE_LIMIT_EXCEEDED", message)
        return total

    def _visit(self, sets: Iterable[tuple[GraphQLNamedType, SelectionSetNode]], times: int, total: Cost) -> None:
        """Fields of the same type and name are one field, however often it is selected."""
        merged: dict[tuple[str, str], list[tuple[GraphQLNamedType, FieldNode]]] = {}
        for owner, selections in sets:
            for holder, node in self._fields(owner, selections):
                key = (holder.name, (node.alias or node.name).value)
                merged.setdefault(key, []).append((holder, node))
        for same in merged.values():
            holder, node = same[0]
            if not isinstance(holder, GraphQLObjectType | GraphQLInterfaceType) or node.name.value.startswith("__"):
                continue
            definition = holder.fields[node.name.value]
            below = get_named_type(definition.type)
            arguments = get_argument_values(definition, node, self.variables)
            inside = times * self._multiplier(node.name.value, below, arguments, times, total)
            deeper = [(below, each.selection_set) for _, each in same if each.selection_set is not None]
            self._visit(deeper, inside, total)

    def _multiplier(
        self, name: str, below: GraphQLNamedType, arguments: dict[str, Any], times: int, total: Cost
    ) -> int:
        """By how much a field multiplies what is below it; a connection is counted."""
        if name == "nodes" and "ids" in arguments:
            return max(1, len(arguments["ids"]))
        if not below.name.endswith("Connection"):
            return 1
        side = "first" if arguments.get("first") is not None else "last"
        page = arguments.get(side)
        if page is None:
            return 1
        if page > PAGE_LIMIT:
            message = (
                f"Requesting {page} records on the `{name}` connection exceeds the `{side}` limit of "
                f"{PAGE_LIMIT} records."
            )
            raise Refused("EXCESSIVE_PAGINATION", message)
        if page < 1:
            raise Refused("INVALID_PAGINATION", f"`{side}` on the `{name}` connection must be 1 or more.")
        total.requests += times
        total.nodes += times * page
        total.largest_page = max(total.largest_page, page)
        return int(page)

    def _fields(
        self, owner: GraphQLNamedType, selections: SelectionSetNode
    ) -> Iterator[tuple[GraphQLNamedType, FieldNode]]:
        """All fields below, those of fragments with the type of the fragment."""
        for node in selections.selections:
            if self._left_out(node):
                continue
            if isinstance(node, FieldNode):
                yield owner, node
            elif isinstance(node, FragmentSpreadNode):
                fragment = self.fragments[node.name.value]
                yield from self._fields(
                    self.schema.type_map[fragment.type_condition.name.value], fragment.selection_set
                )
            elif isinstance(node, InlineFragmentNode):
                condition = node.type_condition
                inside = self.schema.type_map[condition.name.value] if condition else owner
                yield from self._fields(inside, node.selection_set)

    def _left_out(self, node: Any) -> bool:
        skipped = get_directive_values(GraphQLSkipDirective, node, self.variables)
        included = get_directive_values(GraphQLIncludeDirective, node, self.variables)
        return bool(skipped and skipped["if"]) or bool(included and not included["if"])
