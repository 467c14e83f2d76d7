"""Pages of answers, each asked of GitHub once: what a window has already is read from the store.

That is all that resuming takes: a reading that was killed is begun anew, gets the pages that it had without a
request, and goes on where it stopped. A page's key names its place in the listing and the document, not its size, so
that a page which came smaller than planned is found again too. An answer that lacks something is not remembered for
ever: what GitHub denies today it may show tomorrow.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bot.edges.github.documents import Document
from bot.edges.github.graphql import Answer, GraphQL, TooHeavyError
from bot.edges.github.rest import Response, Rest
from bot.errors import ForgeError
from bot.model import Window
from bot.seams import Clock, Readings

LARGEST = 100
"""Nodes of a page: GitHub's own limit."""
SMALLEST = 5
"""A page that is still too heavy with so few is given up."""

Json = Mapping[str, Any]
Ask = Callable[[Sequence[Any]], Json]
Check = Callable[[Answer], None]
"""Looks at a fresh answer; one for which it raises is not kept."""


class Pages:
    """The pages of one window, or of none: those are asked for each time, and not stored."""

    def __init__(self, graphql: GraphQL, readings: Readings, window: Window | None, clock: Clock) -> None:
        self._graphql = graphql
        self._readings = readings
        self._window = window
        self._clock = clock
        self._size = LARGEST
        self._passing: dict[str, bytes] = {}
        """Answers that are not whole, for as long as this lives: each pass over a listing has to see the same."""

    def once(
        self,
        document: Document,
        variables: Mapping[str, Any],
        place: str,
        *,
        keep: bool = True,
        check: Check | None = None,
    ) -> Json:
        """`data` of an answer, from the store where it is there. `keep=False` asks anew and stores nothing."""
        key = f"{document.name}:{short(document.text)}:{place}"
        body = self._had(key) if keep else None
        if body is None:
            answer = self._graphql.ask(document.text, variables, document.name)
            if check is not None:
                check(answer)
            body = answer.raw
            if keep:
                self._keep(key, body, whole=not answer.errors)
        content: Json = _read(body)["data"]
        return content

    def rest_once(
        self, rest: Rest, path: str, version: str, check: Callable[[Response], None] | None = None, **parameters: Any
    ) -> Any:
        """The JSON of a REST answer, likewise; `version` names what it changes with. None where nothing is there."""
        key = f"REST:{path}:{version}:{short(json.dumps(parameters, sort_keys=True))}"
        body = self._had(key)
        if body is None:
            response = rest.get_json(path, **parameters)
            if check is not None:
                check(response)
            there = response.status == 200
            body = json.dumps(response.data if there else None).encode()
            self._keep(key, body, whole=there)
        return _read(body)

    def note(self, key: str, content: Any) -> None:
        """Remember something of our own beside the pages; again replaces it."""
        if self._window is not None:
            self._readings.keep_page(self._window, key, json.dumps(content).encode(), self._clock.now())

    def noted(self, key: str) -> Any:
        """What was noted, None where nothing was."""
        body = self._readings.page(self._window, key) if self._window is not None else None
        return None if body is None else json.loads(body)

    def _had(self, key: str) -> bytes | None:
        if self._window is None:
            return None
        return self._passing[key] if key in self._passing else self._readings.page(self._window, key)

    def _keep(self, key: str, body: bytes, *, whole: bool) -> None:
        if self._window is None:
            return
        if whole:
            self._readings.keep_page(self._window, key, body, self._clock.now())
        else:
            self._passing[key] = body

    def sized(
        self,
        document: Document,
        variables: Mapping[str, Any],
        place: str,
        *,
        keep: bool = True,
        check: Check | None = None,
    ) -> Json:
        """Likewise a page of as many nodes (`$first`) as GitHub can answer; what was too many once stays so."""
        while True:
            try:
                return self.once(document, {**variables, "first": self._size}, place, keep=keep, check=check)
            except TooHeavyError as error:
                if self._size <= SMALLEST:
                    told = f"GitHub can't answer {document.name} even for {self._size} items: {error}"
                    raise ForgeError(told) from error
                self._size = max(SMALLEST, self._size // 2)

    def paged(self, document: Document, variables: Mapping[str, Any], path: Sequence[str]) -> Iterator[Json]:
        """The connection at `path` page by page, each with its `nodes`."""
        after, asked = None, short(json.dumps(variables, sort_keys=True))
        while True:
            place = f"{asked}:{after or 'first'}"
            page = at(self.sized(document, {**variables, "after": after}, place), path)
            yield page
            if not page["pageInfo"]["hasNextPage"]:
                return
            after = page["pageInfo"]["endCursor"]

    def batched(
        self, numbers: Sequence[Any], ask: Ask, size: int, *, alone: Json | None = None
    ) -> Iterator[tuple[Sequence[Any], Json]]:
        """Answers to batches of what `ask` makes a document for; a batch that is too heavy is halved.

        For one that is too heavy alone the answer is `alone`. Raises ForgeError where that is not given.
        """
        waiting = [numbers[start : start + size] for start in range(0, len(numbers), size)]
        while waiting:
            batch = waiting.pop(0)
            try:
                answer = ask(batch)
            except TooHeavyError as error:
                if len(batch) == 1 and alone is not None:
                    yield batch, alone
                elif len(batch) == 1:
                    raise ForgeError(f"GitHub can't answer about {batch[0]} alone: {error}") from error
                else:
                    waiting[:0] = [batch[: len(batch) // 2], batch[len(batch) // 2 :]]
            else:
                yield batch, answer


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


def _read(body: bytes) -> Any:
    """The JSON of a body. Half a character, where GitHub cut a text, becomes U+FFFD: nothing could store it."""
    content = json.loads(body)
    if b"\\ud" not in body and b"\\uD" not in body:
        return content
    text = json.dumps(content, ensure_ascii=False)
    return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
