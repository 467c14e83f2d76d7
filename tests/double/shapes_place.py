"""REST's shapes of accounts and repositories. `base` is the server's own address: every link leads back to it."""

from typing import Any

from tests.double.nouns import Actor, Kind, node_id, rfc3339
from tests.double.world import Repository

BORN = "2016-08-13T05:26:41Z"


def account(actor: Actor, base: str) -> dict[str, Any]:
    """An account as it stands inside other things."""
    url = f"{base}/users/{actor.login}"
    return {
        "login": actor.login,
        "id": actor.database_id,
        "node_id": node_id("Account", actor.database_id),
        "avatar_url": f"https://avatars.githubusercontent.com/u/{actor.database_id}?v=4",
        "gravatar_id": "",
        "url": url,
        "html_url": f"https://github.com/{actor.login}",
        "followers_url": f"{url}/followers",
        "following_url": f"{url}/following{{/other_user}}",
        "gists_url": f"{url}/gists{{/gist_id}}",
        "starred_url": f"{url}/starred{{/owner}}{{/repo}}",
        "subscriptions_url": f"{url}/subscriptions",
        "organizations_url": f"{url}/orgs",
        "repos_url": f"{url}/repos",
        "events_url": f"{url}/events{{/privacy}}",
        "received_events_url": f"{url}/received_events",
        "type": actor.kind,
        "user_view_type": "public",
        "site_admin": False,
    }


def whole_account(actor: Actor, base: str) -> dict[str, Any]:
    """An account as `/user` gives it."""
    unsaid = dict.fromkeys(("name", "company", "location", "email", "hireable", "bio", "twitter_username"))
    counts = dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0)
    return {**account(actor, base), **unsaid, "blog": "", **counts, "created_at": BORN, "updated_at": BORN}


LINKS = {
    "archive_url": "/{archive_format}{/ref}", "assignees_url": "/assignees{/user}", "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}", "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}", "commits_url": "/commits{/sha}", "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}", "contributors_url": "/contributors", "deployments_url": "/deployments",
    "downloads_url": "/downloads", "events_url": "/events", "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}", "git_refs_url": "/git/refs{/sha}", "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks", "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}", "issues_url": "/issues{/number}", "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}", "languages_url": "/languages", "merges_url": "/merges",
    "milestones_url": "/milestones{/number}", "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}", "releases_url": "/releases{/id}", "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}", "subscribers_url": "/subscribers", "subscription_url": "/subscription",
    "tags_url": "/tags", "teams_url": "/teams", "trees_url": "/git/trees{/sha}",
}  # fmt: skip


def owner(repository: Repository, base: str) -> dict[str, Any]:
    """The organization that a repository belongs to."""
    return account(Actor(repository.owner, repository.database_id % 100_000, "Organization"), base)


def short_repository(repository: Repository, base: str) -> dict[str, Any]:
    """A repository with its links only."""
    url = f"{base}/repos/{repository.name}"
    return {
        "id": repository.database_id,
        "node_id": repository.node_id,
        "name": repository.name.partition("/")[2],
        "full_name": repository.name,
        "private": repository.private,
        "owner": owner(repository, base),
        "html_url": f"https://github.com/{repository.name}",
        "description": "Made up for tests",
        "fork": False,
        "url": url,
        **{name: f"{url}{path}" for name, path in LINKS.items()},
    }


def middle_repository(repository: Repository, base: str) -> dict[str, Any]:
    """A repository as it stands inside a pull request."""
    opened = sum(each.open for each in repository.listed(None, "created_at"))
    head = repository.head
    pushed = rfc3339(head.committed_at) if head else BORN
    page = f"https://github.com/{repository.name}"
    flags = ("has_issues", "has_projects", "has_wiki", "has_discussions", "allow_forking")
    counts = ("forks", "forks_count", "stargazers_count", "watchers", "watchers_count", "size")
    return {
        **short_repository(repository, base),
        "clone_url": f"{page}.git",
        "git_url": f"git://github.com/{repository.name}.git",
        "ssh_url": f"git@github.com:{repository.name}.git",
        "svn_url": page,
        "default_branch": repository.default_branch,
        **dict.fromkeys(flags, True),
        **dict.fromkeys(counts, 0),
        "has_pages": False,
        "has_downloads": True,
        "homepage": None,
        "language": "Python",
        "archived": repository.archived,
        "disabled": False,
        "mirror_url": None,
        "open_issues": opened,
        "open_issues_count": opened,
        "license": None,
        "is_template": False,
        "web_commit_signoff_required": False,
        "topics": [],
        "visibility": "private" if repository.private else "public",
        "pushed_at": pushed,
        "created_at": BORN,
        "updated_at": pushed,
    }


def whole_repository(repository: Repository, base: str) -> dict[str, Any]:
    """A repository as `/repos/{owner}/{repo}` gives it."""
    threads = (each for each in repository.threads.values() if each.kind is not Kind.DISCUSSION)
    return {
        **middle_repository(repository, base),
        "network_count": 0,
        "subscribers_count": len({each.author.login for each in threads if each.author}),
        "temp_clone_token": None,
        "organization": owner(repository, base),
    }
