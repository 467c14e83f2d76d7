"""Who asks: the kinds of token that GitHub gives out, and what each may do."""

from dataclasses import dataclass, field
from datetime import datetime

READS = {"metadata": "read", "issues": "read", "pull_requests": "read", "contents": "read"}
"""The permissions of a token that only reads."""


@dataclass(frozen=True)
class Token:
    """A token. `classic` has scopes, `fine-grained` and `installation` have permissions (`{"issues": "write"}`)."""

    value: str
    login: str
    kind: str = "classic"
    scopes: tuple[str, ...] = ()
    permissions: dict[str, str] = field(default_factory=lambda: dict(READS))
    repositories: tuple[str, ...] | None = None
    """Of a fine-grained or installation token: the repositories it was given (None: all of them)."""
    expires_at: datetime | None = None

    @property
    def refusal(self) -> str:
        """What GitHub answers where the token's rights end."""
        who = "integration" if self.kind == "installation" else "personal access token"
        return f"Resource not accessible by {who}"

    def headers(self) -> dict[str, str]:
        """What an answer tells about the token: a classic one's scopes, and when a person's token ends."""
        told = {"X-OAuth-Scopes": ", ".join(self.scopes)} if self.kind == "classic" else {}
        if self.expires_at is not None and self.kind != "installation":
            told["GitHub-Authentication-Token-Expiration"] = f"{self.expires_at:%Y-%m-%d %H:%M:%S} UTC"
        return told

    def may(self, permission: str, level: str, repository: str) -> bool:
        """Whether the token may `read` or `write` a kind of thing in a repository."""
        if self.kind == "classic":
            return level == "read" or not {"repo", "public_repo"}.isdisjoint(self.scopes)
        if self.repositories is not None and repository not in self.repositories:
            return False
        held = self.permissions.get(permission, "")
        return held == "write" or (held == "read" and level == "read")


@dataclass(frozen=True)
class App:
    """A GitHub App: its public key proves who asks for an installation's token."""

    app_id: int
    slug: str
    public_key: str


@dataclass(frozen=True)
class Installation:
    """An app on an account, with the repositories and permissions it was given."""

    installation_id: int
    app_id: int
    account: str
    repositories: tuple[str, ...]
    permissions: dict[str, str]


def masked(value: str) -> str:
    """A token as a log may show it: its kind and nothing else."""
    kind, underscore, _ = value.partition("_")
    return f"{kind}_***" if underscore and len(kind) <= len("github") else "***" * bool(value)
