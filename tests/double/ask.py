"""One question to the world: who asks, under which settings, at what cost."""

from dataclasses import dataclass
from datetime import datetime

from tests.double.cost import Cost
from tests.double.limits import Budget
from tests.double.refusal import Refused
from tests.double.tokens import Token
from tests.double.world import Repository, World


@dataclass
class Settings:
    """What a fault may change about how one request is answered."""

    indexed_until: datetime | None = None
    """Search knows nothing that was opened later."""
    incomplete: bool = False
    """Search says that it ran out of time."""
    clock_ahead_s: float = 0.0
    """By how much the `Date` header is off."""


@dataclass
class Ask:
    """The context of a GraphQL query."""

    world: World
    token: Token
    settings: Settings
    cost: Cost
    budget: Budget

    def need(self, repository: Repository, permission: str) -> None:
        """Raise Refused where the token may not read that kind of thing there."""
        refused = denied(self.token, repository, permission)
        if refused:
            raise Refused(*refused)


SCOPES = (
    "Your token has not been granted the required scopes to execute this query. This repository requires one of the "
    "following scopes: ['repo'], but your token has only been granted the: {held} scopes. Please modify your token's "
    "scopes."
)


def visible(token: Token | None, repository: Repository) -> bool:
    """Whether a repository exists for who asks: a private one only for those whom it was given to."""
    if not repository.private:
        return True
    if token is None or (token.repositories is not None and repository.name not in token.repositories):
        return False
    return token.kind != "classic" or "repo" in token.scopes


def denied(token: Token | None, repository: Repository, permission: str) -> tuple[str, str] | None:
    """Type and message of GitHub's refusal to let a token read; None where it may."""
    if token is None or not (repository.restricted or repository.private):
        return None
    if token.kind == "classic":
        if "repo" in token.scopes:
            return None
        return "INSUFFICIENT_SCOPES", SCOPES.format(held=list(token.scopes))
    if token.may(permission, "read", repository.name):
        return None
    return "FORBIDDEN", token.refusal
