"""The world behind the double: repositories, accounts, tokens and a clock, in memory and safe for threads.

Nothing here knows HTTP. What happens in the world (an issue is opened, a commit lands) is in `changes.py`.
"""

import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from tests.double.clock import Clock
from tests.double.nouns import Actor, Commit, Kind, Thread, node_id
from tests.double.tokens import App, Installation, Token

LIMITS = {"core": 5000, "graphql": 5000, "search": 30}
"""Points or requests in a rate-limit window: an hour, for `search` a minute."""

FIRST_NUMBER = 170_000


@dataclass(eq=False)
class Repository:
    """A repository: threads by number (one sequence for all kinds), and the commits of its default branch in order."""

    name: str
    database_id: int
    world: "World" = field(repr=False)
    default_branch: str = "main"
    renamed_branches: dict[str, str] = field(default_factory=dict)
    archived: bool = False
    private: bool = False
    restricted: bool = False
    """Whether even reading needs a fine-grained token with the permission for what is read."""
    next_number: int = FIRST_NUMBER
    threads: dict[int, Thread] = field(default_factory=dict, repr=False)
    commits: list[Commit] = field(default_factory=list, repr=False)
    blobs: dict[str, str] = field(default_factory=dict, repr=False)
    """Text of files at any commit, by path."""
    by_oid: dict[str, Commit] = field(default_factory=dict, repr=False)
    version: int = 0
    """Counts changes, so that what was sorted is sorted again only after one."""
    _sorted: dict[tuple[str, str], tuple[int, list[Thread]]] = field(default_factory=dict, repr=False)

    @property
    def owner(self) -> str:
        """The account before the slash."""
        return self.name.partition("/")[0]

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("Repository", self.database_id)

    @property
    def head(self) -> Commit | None:
        """The newest commit of the default branch."""
        return self.commits[-1] if self.commits else None

    def thread(self, number: int, *kinds: Kind) -> Thread | None:
        """The visible thread of that number, if it is one of the kinds."""
        found = self.threads.get(number)
        return found if found is not None and found.here and found.kind in kinds else None

    def listed(self, kind: Kind | None, order: str) -> list[Thread]:
        """Visible issues or pull requests (None: both), ascending by `created_at`, `updated_at` or `comments`."""
        key = (kind or "", order)
        kept = self._sorted.get(key)
        if kept is not None and kept[0] == self.version:
            return kept[1]
        kinds = (kind,) if kind else (Kind.ISSUE, Kind.PULL)
        found = sorted(
            (each for each in self.threads.values() if each.here and each.kind in kinds),
            key=lambda each: (sort_key(each, order), each.database_id),
        )
        self._sorted[key] = (self.version, found)
        return found

    def commit(self, name: str) -> Commit | None:
        """The commit of a branch, `HEAD` or a digest (seven digits or more)."""
        if name in {self.default_branch, f"refs/heads/{self.default_branch}", "HEAD"}:
            return self.head
        if name in self.by_oid:
            return self.by_oid[name]
        if len(name) < 7:
            return None
        return next((each for oid, each in self.by_oid.items() if oid.startswith(name)), None)

    def history(self, oid: str) -> list[Commit]:
        """The commits from one back to the first, newest first."""
        place = self.commits.index(self.by_oid[oid])
        return self.commits[place::-1]

    def touched(self) -> None:
        """Something changed."""
        self.version += 1


def sort_key(thread: Thread, order: str) -> datetime | int:
    """What a thread is sorted by."""
    if order == "comments":
        return len(thread.comments)
    return thread.updated_at if order == "updated_at" else thread.created_at


class World:
    """Everything the double answers from. `lock` is held by whoever reads or changes more than one thing."""

    def __init__(self, now: datetime | None = None) -> None:
        self.clock = Clock(now)
        self.lock = threading.RLock()
        self.repositories: dict[str, Repository] = {}
        self.renamed: dict[str, str] = {}
        """Old full names and the ones that replaced them."""
        self.accounts: dict[str, Actor] = {}
        self.tokens: dict[str, Token] = {}
        self.apps: dict[int, App] = {}
        self.installations: dict[int, Installation] = {}
        self.anonymous = False
        """Whether REST answers without a token."""
        self.cursors = "position"
        """`position` (what is created or deleted while paging moves the pages) or `keyset`: see `paging.py`."""
        self.follows_transfers = False
        """Whether GraphQL gives a transferred issue under its old number."""
        self.limits = dict(LIMITS)
        self._issued = Counter[str]()
        self.token = self.add_token(Token(value="ghp_" + "r" * 36, login="reader", scopes=("public_repo",)))
        """A token that may read everything public, and write."""

    def add_repository(self, name: str, **fields: object) -> Repository:
        """A new, empty repository."""
        with self.lock:
            made = Repository(name=name, database_id=self.issue_id("repository", 65_600_000), world=self)
            for field_name, content in fields.items():
                if not hasattr(made, field_name):
                    raise TypeError(f"a repository has no {field_name}")
                setattr(made, field_name, content)
            self.repositories[name.lower()] = made
            return made

    def repository(self, name: str, *, follow: bool = True) -> Repository | None:
        """By full name, in any case; by an old name too if `follow`."""
        known = self.repositories.get(name.lower())
        if known is None and follow and name.lower() in self.renamed:
            return self.repository(self.renamed[name.lower()])
        return known

    def repository_by_id(self, database_id: int) -> Repository | None:
        """By its number."""
        return next((each for each in self.repositories.values() if each.database_id == database_id), None)

    def account(self, login: str) -> Actor:
        """The account of that name; made if new."""
        with self.lock:
            if login not in self.accounts:
                kind = "Bot" if login.endswith("[bot]") else "User"
                self.accounts[login] = Actor(login, self.issue_id("account", 1_000), kind)
            return self.accounts[login]

    def add_token(self, token: Token) -> str:
        """Let a token in; gives its value."""
        self.tokens[token.value] = token
        return token.value

    def add_app(self, public_key: str, app_id: int = 4_001, slug: str = "alignbot") -> App:
        """Register an app by its public key (PEM)."""
        self.apps[app_id] = App(app_id, slug, public_key)
        return self.apps[app_id]

    def install(self, app: App, *repositories: str, **permissions: str) -> Installation:
        """Install an app on repositories of one account: `install(app, "intel/torch-xpu-ops", issues="write")`."""
        number = self.issue_id("installation", 70_001)
        granted = {"metadata": "read", **permissions}
        made = Installation(number, app.app_id, repositories[0].partition("/")[0], repositories, granted)
        self.installations[number] = made
        return made

    def issue_id(self, what: str, first: int) -> int:
        """The next number of a sequence that starts at `first`."""
        with self.lock:
            self._issued[what] += 1
            return first + self._issued[what] - 1

    def threads(self) -> Iterator[Thread]:
        """All threads of all repositories, visible or not."""
        for each in self.repositories.values():
            yield from each.threads.values()
