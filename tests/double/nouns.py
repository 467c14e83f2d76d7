"""What the double's world is made of: plain values that both interfaces, GraphQL and REST, are views of."""

import base64
import binascii
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum


class Kind(StrEnum):
    """What a number of a repository stands for, in GraphQL's words. All three share one sequence of numbers."""

    ISSUE = "Issue"
    PULL = "PullRequest"
    DISCUSSION = "Discussion"


class Presence(StrEnum):
    """What became of a number: only what is HERE is listed, found or counted."""

    HERE = "here"
    DELETED = "deleted"
    TRANSFERRED = "transferred"
    HIDDEN = "hidden"


@dataclass(slots=True, eq=False)
class Actor:
    """An account. An app's account is `name[bot]` in REST and plain `name` in GraphQL, as on GitHub."""

    login: str
    database_id: int
    kind: str = "User"

    @property
    def graphql_login(self) -> str:
        """The login as GraphQL gives it."""
        return self.login.removesuffix("[bot]")


@dataclass(slots=True, eq=False)
class Reaction:
    """What somebody thinks of an issue or a comment: `+1`, `eyes`, …"""

    database_id: int
    author: Actor
    content: str
    created_at: datetime


@dataclass(slots=True, eq=False)
class Comment:
    """A comment of a thread."""

    database_id: int
    author: Actor | None
    association: str
    created_at: datetime
    updated_at: datetime
    body: str
    thread: "Thread"
    minimized: bool = False
    reactions: list["Reaction"] = field(default_factory=list)


@dataclass(slots=True)
class File:
    """A file that a pull request changes; `change` in GraphQL's words (ADDED, MODIFIED, DELETED, RENAMED)."""

    path: str
    additions: int
    deletions: int
    patch: str = ""
    change: str = "MODIFIED"
    text: str | None = None
    """What the file is with the change, where somebody may ask for it."""


@dataclass(slots=True, eq=False)
class Commit:
    """A commit of the default branch."""

    oid: str
    message: str
    author_name: str
    author_email: str
    author: Actor | None
    authored_at: datetime
    committed_at: datetime
    parents: tuple[str, ...] = ()
    files: list[File] = field(default_factory=list)

    @property
    def headline(self) -> str:
        """The first line of the message."""
        return self.message.partition("\n")[0]

    @property
    def message_body(self) -> str:
        """The message without its first line and the blank one."""
        return self.message.partition("\n")[2].lstrip("\n")


@dataclass(slots=True, eq=False)
class Event:
    """A line of a thread's timeline; `kind` is GraphQL's type (ClosedEvent), the fields are those of all kinds."""

    kind: str
    database_id: int
    created_at: datetime
    actor: Actor | None
    thread: "Thread"
    label: str = ""
    commit: "Commit | None" = None
    closer: "Commit | Thread | None" = None
    source: "Thread | None" = None
    will_close: bool = False
    state_reason: str | None = None
    previous_title: str = ""
    current_title: str = ""
    from_repository: str = ""


@dataclass(slots=True, eq=False)
class Thread:
    """An issue, a pull request or a discussion; `repository` is the name it now goes by."""

    repository: str
    number: int
    kind: Kind
    database_id: int
    author: Actor | None
    association: str
    title: str
    body: str
    created_at: datetime
    updated_at: datetime
    labels: list[str] = field(default_factory=list)
    open: bool = True
    state_reason: str | None = None
    closed_at: datetime | None = None
    comments: list[Comment] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    presence: Presence = Presence.HERE
    moved_to: "tuple[str, int] | None" = None
    # of a pull request
    files: list[File] = field(default_factory=list)
    base_ref: str = ""
    head_ref: str = ""
    head_oid: str = ""
    draft: bool = False
    merged_at: datetime | None = None
    merge_commit: Commit | None = None
    landed: list[Commit] = field(default_factory=list)
    closes: list[int] = field(default_factory=list)
    """Issues of the repository that the pull request says it closes, as GitHub links them."""
    closed_by: list[int] = field(default_factory=list)
    """Of an issue: the pull requests that say they close it."""

    @property
    def here(self) -> bool:
        """Whether the thread is visible."""
        return self.presence is Presence.HERE

    @property
    def state(self) -> str:
        """OPEN, CLOSED or MERGED, in GraphQL's words."""
        if self.merged_at is not None:
            return "MERGED"
        return "OPEN" if self.open else "CLOSED"


def rfc3339(moment: datetime | None) -> str | None:
    """A moment as GitHub writes it: UTC, whole seconds, Z."""
    return None if moment is None else f"{moment.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def moment(text: str) -> datetime:
    """Read an RFC 3339 time, UTC where it has no zone. Raises ValueError."""
    read = datetime.fromisoformat(text)
    return (read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)).replace(microsecond=0)


PREFIX = {"Issue": "I", "PullRequest": "PR", "Discussion": "D", "Repository": "R", "IssueComment": "IC", "Commit": "C"}
NODE_ID = re.compile(r"[A-Z]+_kw([A-Za-z0-9_-]+)")


def node_id(typename: str, *parts: object) -> str:
    """The global id of a thing: opaque to a client, read again by `read_node_id`."""
    text = ":".join([typename, *map(str, parts)])
    coded = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    return f"{PREFIX.get(typename, 'X')}_kw{coded}"


def read_node_id(text: str) -> list[str] | None:
    """Type and parts of a global id; None where it is none of ours."""
    match = NODE_ID.fullmatch(text)
    if match is None:
        return None
    coded = match[1] + "=" * (-len(match[1]) % 4)
    try:
        return base64.urlsafe_b64decode(coded).decode().split(":")
    except (binascii.Error, UnicodeDecodeError):
        return None
