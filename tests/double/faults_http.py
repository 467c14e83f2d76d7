"""Faults of the server, of its limits and of the wire: they know nothing of what was asked for."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from tests.double.exchange import Answer, Delivery, Exchange, as_json, refusal
from tests.double.rules import Rule
from tests.double.world import World


def _instead(name: str, made: Answer, **when: Any) -> Rule:
    """Answer without asking the world; the answer is made anew for each request."""
    return Rule(name, before=lambda *_: replace(made, headers=dict(made.headers), delivery=Delivery()), **when)


# what the server says


def status(code: int, message: str = "Server Error", headers: dict[str, str] | None = None, **when: Any) -> Rule:
    """Any refusal, as JSON."""
    return _instead(f"status {code}", refusal(code, message, headers), **when)


def bad_gateway(**when: Any) -> Rule:
    """502 with a page of HTML, as GitHub's front end gives it."""
    page = b"<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
    return _instead("bad gateway", Answer(502, page, {"Content-Type": "text/html"}), **when)


def unavailable(retry_after_s: int | None = None, **when: Any) -> Rule:
    """503, with Retry-After if given."""
    headers = {} if retry_after_s is None else {"Retry-After": str(retry_after_s)}
    return _instead("unavailable", refusal(503, "Service unavailable", headers), **when)


def server_error(**when: Any) -> Rule:
    """500 with JSON."""
    return _instead("server error", refusal(500, "Server Error"), **when)


def html(code: int = 200, **when: Any) -> Rule:
    """A page of HTML where JSON belongs."""
    page = b"<!DOCTYPE html><html><body><h1>Unicorn!</h1></body></html>"
    return _instead(f"html {code}", Answer(code, page, {"Content-Type": "text/html; charset=utf-8"}), **when)


def empty(**when: Any) -> Rule:
    """200 without a body."""
    return _instead("empty", Answer(200, b"", {"Content-Type": "application/json; charset=utf-8"}), **when)


# limits


def _reset_at(world: World, reset_s: int) -> str:
    return str(int((world.clock.now() + timedelta(seconds=reset_s)).timestamp()))


def primary_limit(reset_s: int = 60, code: int = 403, **when: Any) -> Rule:
    """The hour's budget is spent: 403 (or 429), nothing remaining, and when that ends."""

    def before(_: Exchange, world: World) -> Answer:
        headers = {
            "X-RateLimit-Limit": "5000",
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Used": "5000",
            "X-RateLimit-Reset": _reset_at(world, reset_s),
        }
        return refusal(code, "API rate limit exceeded for user ID 1.", headers)

    return Rule("primary limit", before=before, **when)


SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to "
    "GitHub Support for help, please include the request ID."
)


def secondary_limit(retry_after_s: int | None = None, code: int = 403, **when: Any) -> Rule:
    """Too much at once: 403 (or 429), with Retry-After if given; plenty remains of the hour's budget."""
    headers = {} if retry_after_s is None else {"Retry-After": str(retry_after_s)}
    return _instead("secondary limit", refusal(code, SECONDARY, headers), **when)


def too_many(retry_after_s: int | None = None, **when: Any) -> Rule:
    """429, with Retry-After if given and else with no header at all."""
    headers = {} if retry_after_s is None else {"Retry-After": str(retry_after_s)}
    return _instead("too many", refusal(429, "Too many requests", headers), **when)


def graphql_limit(reset_s: int = 60, **when: Any) -> Rule:
    """GraphQL's way to say that the budget is spent: 200 with an error."""

    def before(_: Exchange, world: World) -> Answer:
        error = {"type": "RATE_LIMITED", "message": "API rate limit exceeded for user ID 1."}
        headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": _reset_at(world, reset_s)}
        return as_json(200, {"errors": [error]}, headers)

    return Rule("graphql limit", before=before, **when)


# the wire


def _after(name: str, change: Callable[[Answer], None], **when: Any) -> Rule:
    """Answer, with the effect of the request, and spoil the answer."""

    def after(_: Exchange, answer: Answer) -> Answer:
        change(answer)
        return answer

    return Rule(name, after=after, **when)


def delay(seconds: float, **when: Any) -> Rule:
    """The answer comes late; what was asked for is done at once."""
    return _after("delay", lambda answer: setattr(answer.delivery, "delay_s", seconds), **when)


def drip(pause_s: float, piece_bytes: int = 1, **when: Any) -> Rule:
    """The body comes in small pieces."""

    def slow(answer: Answer) -> None:
        answer.delivery.drip_s, answer.delivery.drip_bytes = pause_s, piece_bytes

    return _after("drip", slow, **when)


def cut(keep: float = 0.5, **when: Any) -> Rule:
    """The connection ends in the middle of the body, which was announced in full."""

    def shorten(answer: Answer) -> None:
        answer.delivery.sent_length = int(len(answer.body) * keep)

    return _after("cut", shorten, **when)


def cut_json(keep: float = 0.5, **when: Any) -> Rule:
    """The body is whole as HTTP sees it, and half a JSON text."""

    def shorten(answer: Answer) -> None:
        answer.body = answer.body[: int(len(answer.body) * keep)]

    return _after("cut json", shorten, **when)


def reset_before(**when: Any) -> Rule:
    """The connection is reset and nothing was done."""

    def before(_: Exchange, __: World) -> Answer:
        made = Answer(0)
        made.delivery.reset = True
        return made

    return Rule("reset before", before=before, **when)


def reset_after(**when: Any) -> Rule:
    """What was asked for is done, and the connection is reset before the answer."""
    return _after("reset after", lambda answer: setattr(answer.delivery, "reset", True), **when)


def end_after(**when: Any) -> Rule:
    """What was asked for is done, and the connection ends without a byte of the answer."""
    return _after("end after", lambda answer: setattr(answer.delivery, "ended", True), **when)


def afterwards(rule: Rule) -> Rule:
    """The same wrong answer, but what was asked for is done before it comes."""
    instead, rule.before = rule.before, lambda *_: None
    rule.after = lambda exchange, answer: instead(exchange, World()) or answer
    rule.name = f"{rule.name}, afterwards"
    return rule


def done_and_called(call: Callable[[], object], **when: Any) -> Rule:
    """What was asked for is done; something happens before the answer is sent."""

    def after(_: Answer) -> None:
        call()

    return _after("called", after, **when)


# the world


def mutate(change: Callable[[World], object], **when: Any) -> Rule:
    """Let something happen in the world right before a request is answered."""

    def before(_: Exchange, world: World) -> None:
        change(world)

    return Rule("mutate", before=before, **when)
