"""Pages of answers, each asked of GitHub once: what a window has already is read from the store.

That is all that resuming takes: a reading that was killed is begun anew, gets the pages that it had without a
request, and goes on where it stopped. A page's key names its place in the listing and the document, not its size, so
that a page which came smaller than planned is found again too.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bot.edges.github.documents import Document
from bot.edges.github.graphql import GraphQL, TooHeavyError
from bot.edges.github.rest import Rest
from bot.errors import ForgeError
from bot.model import Window
from bot.seams import Clock, Readings

LARGEST = 100
"""Nodes of a page: GitHub's own limit."""
SMALLEST = 5
"""A page that is still too heavy with so few is given up."""

Json = Mapping[str, Any]
Ask = Callable[[Sequence[Any]], Json]


class Pages:
    """The pages of one window, or of none: those are asked for each time, and not stored."""

    def __init__(self, graphql: GraphQL, readings: Readings, window: Window | None, clock: Clock) -> None:
        self._graphql = graphql
        self._readings = readings
        self._window = window
        self._clock = clock
        self._size = LARGEST

    def once(self, document: Document, variables: Mapping[str, Any], place: str, *, keep: bool = True) -> Json:
        """`data` of an answer, from the store where it is there. `keep=False` asks anew and stores nothing."""
        key = f"{document.name}:{short(document.text)}:{place}"
        body = self._fetched(key, lambda: self._graphql.ask(document.text, variables, document.name).raw, keep=keep)
        content: Json = json.loads(body)["data"]
        return content

    def rest_once(self, rest: Rest, path: str, version: str, **parameters: Any) -> Any:
        """The JSON of a REST answer, likewise; `version` names what it changes with. None where nothing is there."""
        key = f"REST:{path}:{version}:{short(json.dumps(parameters, sort_keys=True))}"
        body = self._fetched(key, lambda: json.dumps(rest.get_json(path, **parameters).data).encode(), keep=True)
        return json.loads(body)

    def _fetched(self, key: str, ask: Callable[[], bytes], *, keep: bool) -> bytes:
        if self._window is None or not keep:
            return ask()
        body = self._readings.page(self._window, key)
        if body is None:
            body = ask()
            self._readings.keep_page(self._window, key, body, self._clock.now())
        return body

    def sized(self, document: Document, variables: Mapping[str, Any], place: str, *, keep: bool = True) -> Json:
        """Likewise a page of as many nodes (`$first`) as GitHub can answer; what was too many once stays so."""
        while True:
            try:
                return self.once(document, {**variables, "first": self._size}, place, keep=keep)
            except TooHeavyError as error:
                if self._size <= SMALLEST:
                    told = f"GitHub can't answer {document.name} even for {self._size} items: {error}"
                    raise ForgeError(told) from error
                self._size = max(SMALLEST, self._size // 2)

    def paged(
        self, document: Document, variables: Mapping[str, Any], path: Sequence[str], *, keep: bool = True
    ) -> Iterator[Json]:
        """The connection at `path` page by page, each with its `nodes`."""
        after, asked = None, short(json.dumps(variables, sort_keys=True))
        while True:
            place = f"{asked}:{after or 'first'}"
            page = at(self.sized(document, {**variables, "after": after}, place, keep=keep), path)
            yield page
            if not page["pageInfo"]["hasNextPage"]:
                return
            after = page["pageInfo"]["endCursor"]

    def batched(self, numbers: Sequence[Any], ask: Ask, size: int) -> Iterator[tuple[Sequence[Any], Json]]:
        """Answers to batches of what `ask` makes a document for; a batch that is too heavy is halved."""
        waiting = [numbers[start : start + size] for start in range(0, len(numbers), size)]
        while waiting:
            batch = waiting.pop(0)
            try:
                yield batch, ask(batch)
            except TooHeavyError as error:
                if len(batch) == 1:
                    raise ForgeError(f"GitHub can't answer about {batch[0]} alone: {error}") from error
                waiting[:0] = [batch[: len(batch) // 2], batch[len(batch) // 2 :]]


def short(text: str) -> str:
    """12 hexadecimal digits that stand for a text in a page's key."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def at(data: Json, path: Sequence[str]) -> Json:
    """The object at a path. Raises ForgeError where GitHub gave null on the way."""
    found: Any = data
    for name in path:
        found = found.get(name) if found is not None else None
    if found is None:
        raise ForgeError(f"GitHub's answer has no {'.'.join(path)}")
    content: Json = found
    return content
