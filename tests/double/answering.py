"""From a request to its answer: who asks, what it costs, and which of the two interfaces speaks."""

import hashlib
from datetime import timedelta
from email.utils import format_datetime

from tests.double import graphql, rest_routes
from tests.double.exchange import Answer, Exchange, as_json, refusal
from tests.double.limits import Spending
from tests.double.world import World

FREE = {"/rate_limit"}
ANYBODY = {"/", "/meta", "/rate_limit", "/zen"}
"""What GitHub shows to who has no token, whatever else it asks one for."""

NAMELESS = (
    "Request forbidden by administrative rules. Please make sure your request has a User-Agent header "
    "(https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required)."
)


class Answering:
    """Answers requests from a world, and keeps what each token has spent."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.spending = Spending(world.limits)

    def answer(self, exchange: Exchange) -> Answer:
        """GitHub's answer."""
        made = self._answer(exchange)
        ahead = timedelta(seconds=exchange.settings.clock_ahead_s)
        made.headers.setdefault("Date", format_datetime(self.world.clock.now() + ahead, usegmt=True))
        made.headers.setdefault("X-GitHub-Media-Type", "github.v3; format=json")
        if exchange.token is not None:
            for name, text in exchange.token.headers().items():
                made.headers.setdefault(name, text)
        return made

    def _answer(self, exchange: Exchange) -> Answer:
        if "user-agent" not in exchange.headers:
            return refusal(
                403, "Request forbidden by administrative rules. Please make sure your request has a User-Agent header"
            )
        refused = self._identify(exchange)
        if refused is not None:
            return refused
        if exchange.path == "/graphql":
            return self._graphql(exchange)
        return self._rest(exchange)

    def _identify(self, exchange: Exchange) -> Answer | None:
        """Note whose token was sent; an answer where that ends the matter."""
        if rest_routes.needs_app(exchange.path):
            return None
        if "authorization" not in exchange.headers:
            return self._anonymous(exchange)
        token = self.world.tokens.get(exchange.credentials)
        if token is None or (token.expires_at is not None and token.expires_at <= self.world.clock.now()):
            return refusal(401, "Bad credentials")
        exchange.token = token
        return None

    def _anonymous(self, exchange: Exchange) -> Answer | None:
        if exchange.path == "/graphql":
            return refusal(401, "This endpoint requires you to be authenticated.")
        if self.world.anonymous or exchange.path in ANYBODY:
            return None
        return refusal(401, "Requires authentication")

    def _graphql(self, exchange: Exchange) -> Answer:
        if exchange.method != "POST":
            return refusal(404, "Not Found")
        asked = exchange.graphql
        if asked is None:
            return refusal(400, "Problems parsing JSON")
        assert exchange.token is not None
        charged = graphql.answer(self.world, exchange.token, exchange.settings, self.spending, asked)
        exchange.points = charged.points
        return as_json(200, charged.answer, charged.headers)

    def _rest(self, exchange: Exchange) -> Answer:
        who = exchange.token.value if exchange.token else ""
        resource = "search" if exchange.path.startswith("/search/") else "core"
        now = self.world.clock.now()
        price = 0 if exchange.path in FREE else 1
        budget, granted = self.spending.spend(who, resource, price, now)
        if not granted:
            name = f"user ID {self.world.account(exchange.token.login).database_id}" if exchange.token else "127.0.0.1"
            headers = {**budget.headers(), "X-RateLimit-Remaining": "0"}
            return refusal(403, f"API rate limit exceeded for {name}.", headers)
        with self.world.lock:
            made = rest_routes.answer(self.world, self.spending, exchange)
        made.headers.update(budget.headers())
        return _unless_known(exchange, made)


def _unless_known(exchange: Exchange, made: Answer) -> Answer:
    """304 where the client has what it asks for already."""
    if exchange.method != "GET" or made.status != 200:
        return made
    tag = f'W/"{hashlib.sha256(made.body).hexdigest()}"'
    if exchange.headers.get("if-none-match") == tag:
        kept = {name: text for name, text in made.headers.items() if name != "Content-Type"}
        return Answer(304, b"", {**kept, "ETag": tag})
    made.headers["ETag"] = tag
    return made
