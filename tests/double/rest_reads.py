"""The routes that read a repository, and the search."""

from typing import Any
from urllib.parse import quote

from tests.double import changes, search
from tests.double.exchange import Answer, as_json, refusal
from tests.double.fields_thread import timeline
from tests.double.nouns import Comment, Commit, Kind, Thread, moment
from tests.double.rest import Call, Ended, Route, missing, moved, route
from tests.double.shapes_place import whole_repository
from tests.double.shapes_thread import comment, file, issue, pull, reaction, whole_file, whole_issue
from tests.double.shapes_timeline import branch, commit, line

BOTH = (Kind.ISSUE, Kind.PULL)
SORTS = {"created": "created_at", "updated": "updated_at", "comments": "comments"}


def repository(call: Call) -> Answer:
    return as_json(200, whole_repository(call.repository, call.base))


def one_issue(call: Call, number: str) -> Answer:
    call.may_read("issues")
    return as_json(200, whole_issue(call.thread(number, *BOTH), call.repository, call.base))


def issues(call: Call) -> Answer:
    """The list of issues, pull requests among them, newest first and only open ones unless asked otherwise."""
    call.may_read("issues")
    query = call.exchange.query
    wanted = [each for each in call.repository.listed(None, SORTS[query.get("sort", "created")]) if _kept(call, each)]
    if query.get("direction", "desc") == "desc":
        wanted.reverse()
    return call.page(wanted, lambda each: issue(each, call.repository, call.base))


def _kept(call: Call, thread: Thread) -> bool:
    query = call.exchange.query
    labels = [each for each in query.get("labels", "").split(",") if each]
    creator = query.get("creator")
    return (
        query.get("state", "open") in {"all", "open" if thread.open else "closed"}
        and set(labels) <= set(thread.labels)
        and (not creator or (thread.author is not None and thread.author.login.lower() == creator.lower()))
        and ("since" not in query or thread.updated_at >= _moment(query["since"]))
    )


def _moment(text: str) -> Any:
    try:
        return moment(text)
    except ValueError as error:
        raise Ended(refusal(422, f"{text} is not a date")) from error


def comments(call: Call, number: str) -> Answer:
    call.may_read("issues")
    items = call.thread(number, *BOTH).comments
    since = call.exchange.query.get("since")
    kept = [each for each in items if since is None or each.updated_at >= _moment(since)]
    return call.page(kept, lambda each: comment(each, call.repository, call.base))


def one_comment(call: Call, number: str) -> Answer:
    call.may_read("issues")
    found = changes.comment_of(call.repository, int(number))
    return missing() if found is None else as_json(200, comment(found, call.repository, call.base))


def reactions_to_issue(call: Call, number: str) -> Answer:
    return _reactions(call, call.thread(number, *BOTH))


def reactions_to_comment(call: Call, number: str) -> Answer:
    found = changes.comment_of(call.repository, int(number))
    return missing() if found is None else _reactions(call, found)


def _reactions(call: Call, to: Thread | Comment) -> Answer:
    call.may_read("issues")
    content = call.exchange.query.get("content")
    kept = [each for each in to.reactions if content in {None, each.content}]
    return call.page(kept, lambda each: reaction(each, call.repository, call.base))


def events(call: Call, number: str) -> Answer:
    call.may_read("issues")
    items = timeline(call.thread(number, *BOTH))
    return call.page(items, lambda each: line(each, call.repository, call.base))


def one_pull(call: Call, number: str) -> Answer:
    call.may_read("pull_requests")
    return as_json(200, pull(call.thread(number, Kind.PULL), call.repository, call.base))


def files(call: Call, number: str) -> Answer:
    call.may_read("pull_requests")
    thread = call.thread(number, Kind.PULL)
    return call.page(thread.files, lambda each: file(each, thread.head_oid, call.repository, call.base))


def contents(call: Call, path: str) -> Answer:
    """A file at the head of a pull request, in a fork too, or at a commit; it is given as base64 up to a megabyte."""
    call.may_read("contents")
    ref = call.exchange.query.get("ref", "HEAD")
    pulls = (each.files for each in call.repository.threads.values() if each.head_oid == ref)
    made = call.repository.commit(ref)
    changed = next(pulls, made.files if made else None)
    if changed is None:
        return refusal(404, f"No commit found for the ref {ref}")
    found = next((each for each in changed if each.path == path and each.text is not None), None)
    return missing() if found is None else as_json(200, whole_file(found, ref, call.repository, call.base))


def commits(call: Call) -> Answer:
    """The history of the default branch or from a commit back, within `since` and `until`."""
    call.may_read("contents")
    query = call.exchange.query
    start = call.repository.commit(query.get("sha") or "HEAD")
    if start is None:
        raise Ended(missing() if call.repository.head else refusal(409, "Git Repository is empty."))
    kept = [each for each in call.repository.history(start.oid) if _within(each, query)]
    return call.page(kept, lambda each: commit(each, call.repository, call.base))


def _within(made: Commit, query: dict[str, str]) -> bool:
    path = query.get("path")
    return (
        ("since" not in query or made.committed_at >= _moment(query["since"]))
        and ("until" not in query or made.committed_at <= _moment(query["until"]))
        and (path is None or any(f"{each.path}/".startswith(f"{path}/") for each in made.files))
    )


def one_commit(call: Call, name: str) -> Answer:
    call.may_read("contents")
    found = call.repository.commit(name)
    if found is None:
        return refusal(422, f"No commit found for SHA: {name}")
    return as_json(200, commit(found, call.repository, call.base, files=True))


def one_branch(call: Call, name: str) -> Answer:
    call.may_read("contents")
    newer = call.repository.renamed_branches.get(name)
    if newer is not None:
        raise Ended(moved(f"{call.base}/repositories/{call.repository.database_id}/branches/{quote(newer, safe='')}"))
    shown = branch(call.repository, call.base)
    if shown is None or name != call.repository.default_branch:
        return refusal(404, "Branch not found")
    return as_json(200, shown)


def found_issues(call: Call) -> Answer:
    """The search. It reaches a thousand results, and refuses repositories that who asks cannot see."""
    text = call.exchange.query.get("q", "")
    if not text:
        return _invalid("q", "missing", "Search must have a query")
    try:
        unseen = search.missing(call.world, call.exchange.token, text)
        answer = search.found(
            call.world, call.exchange.token, _sorted(call, text), call.exchange.settings.indexed_until
        )
    except search.QueryError as error:
        return _invalid("q", "invalid", str(error))
    if unseen:
        message = (
            "The listed users and repositories cannot be searched either because the resources do not exist or you "
        )
        return _invalid("q", "invalid", f"{message}do not have permission to view them.")
    size, at = call.number("per_page", 30, 100), call.number("page", 1)
    if (at - 1) * size >= search.REACH:
        return refusal(422, "Only the first 1000 search results are available")
    shown = [_hit(call, each) for each in answer.reachable[(at - 1) * size : at * size]]
    content = {
        "total_count": answer.total,
        "incomplete_results": call.exchange.settings.incomplete,
        "items": shown,
        "search_type": "lexical",
    }
    return as_json(200, content, call.links(len(answer.reachable), size, at))


def _sorted(call: Call, text: str) -> str:
    """The query with the order that REST takes as parameters."""
    query = call.exchange.query
    return f"{text} sort:{query['sort']}-{query.get('order', 'desc')}" if "sort" in query else text


def _hit(call: Call, thread: Thread) -> dict[str, Any]:
    holder = call.world.repository(thread.repository)
    assert holder is not None
    return {**issue(thread, holder, call.base), "score": 1.0}


def _invalid(field: str, code: str, message: str) -> Answer:
    error = {"resource": "Search", "field": field, "code": code, "message": message}
    return refusal(422, "Validation Failed", errors=[error])


UNDER: tuple[Route, ...] = (
    route("GET", "", repository),
    route("GET", "/issues", issues),
    route("GET", "/issues/{number}", one_issue),
    route("GET", "/issues/{number}/comments", comments),
    route("GET", "/issues/{number}/timeline", events),
    route("GET", "/issues/{number}/reactions", reactions_to_issue),
    route("GET", "/issues/comments/{number}", one_comment),
    route("GET", "/issues/comments/{number}/reactions", reactions_to_comment),
    route("GET", "/pulls/{number}", one_pull),
    route("GET", "/pulls/{number}/files", files),
    route("GET", "/contents/{path}", contents),
    route("GET", "/commits", commits),
    route("GET", "/commits/{}", one_commit),
    route("GET", "/branches/{}", one_branch),
)
