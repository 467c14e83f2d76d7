"""What a listing leaves out, for the few items that are kept: comments, files with patches, links, how it landed."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.edges.github import documents
from bot.edges.github.contents import Contents
from bot.edges.github.faults import AnswerError
from bot.edges.github.listing import Listing, own
from bot.edges.github.nodes import Node, is_closing, landing_sha, links, listed, said
from bot.edges.github.pages import short
from bot.errors import ForgeError
from bot.model import ChangedFile, Comment, Item, ItemKind, LinkKind
from bot.seams import Texts

BATCH = 25
"""Items asked for at once: with threads and timelines GitHub takes about five seconds for these, of its ten."""
FILES = 300
"""Files of one change that are read: no kernel fix is larger, and a codebase-wide edit is none."""


@dataclass(frozen=True, slots=True)
class Details:
    """Reads the details of items of one window."""

    listing: Listing
    texts: Texts

    def of(self, items: Sequence[Item]) -> Iterator[Item]:
        """The items with their details, in some order. One that GitHub knows no more stays as it was listed."""
        commits = [item for item in items if item.kind is ItemKind.COMMIT]
        for item in commits:
            yield self._with_files(item, f"commits/{item.number}", "")
        threads = {int(item.number): item for item in items if item.kind is not ItemKind.COMMIT}
        nothing: Mapping[str, Any] = {"repository": {}}
        answers = self.listing.pages.batched(list(threads), lambda some: self._ask(some, threads), BATCH, alone=nothing)
        for batch, answer in answers:
            for number in batch:
                node = answer["repository"].get(f"n{number}")
                here = node and own(node, number, self.listing.repo)
                yield self._detailed(threads[number], node) if here else threads[number]

    def _ask(self, numbers: Sequence[int], items: Mapping[int, Item]) -> Mapping[str, Any]:
        """One batch; stored under when its items were last changed, so that a later change is read anew."""
        document = documents.details({number: items[number].kind is ItemKind.PULL for number in numbers})
        ages = ",".join(str(items[number].updated_at) for number in numbers)
        return self.listing.pages.once(document, self.listing.place, short(ages))

    def _detailed(self, item: Item, node: Node) -> Item:
        repo, number = item.repo, int(item.number)
        pull = item.kind is ItemKind.PULL
        known = None if not pull or is_closing(node) else item.landed_sha
        fresh = listed(node, repo, (landing_sha(node, repo) if pull else None) or known)
        kept = tuple(one for one in item.links if one.kind in (LinkKind.REVERTS, LinkKind.REVERTED_BY))
        fresh = fresh.model_copy(
            update={
                "comments": (*said(node["comments"]["nodes"]), *self._further(node)),
                "links": tuple(dict.fromkeys((*kept, *links(node, repo, number)))),
            }
        )
        return self._with_files(fresh, f"pulls/{number}/files", str(fresh.head_sha)) if pull else fresh

    def _further(self, first: Node) -> Iterator[Comment]:
        """Comments of a long thread beyond its first page, as they are since that was changed last."""
        number, page_info = first["number"], first["comments"]["pageInfo"]
        while page_info["hasNextPage"]:
            after = page_info["endCursor"]
            variables = {**self.listing.place, "number": number, "after": after}
            answer = self.listing.pages.sized(documents.COMMENTS, variables, f"{number}:{first['updatedAt']}:{after}")
            thread = answer["repository"]["issueOrPullRequest"]
            if thread is None:
                raise ForgeError(f"GitHub lost #{number} while its comments were read; it is asked again later")
            yield from said(thread["comments"]["nodes"])
            page_info = thread["comments"]["pageInfo"]

    def _with_files(self, item: Item, path: str, head: str) -> Item:
        item = item.model_copy(update={"files": self._files(path, head)})
        return Contents(self.listing, self.texts).added(item)

    def _files(self, path: str, head: str) -> tuple[ChangedFile, ...]:
        """Changed files with their patches, as far as GitHub shows those: some changes it can't compare (422, 406)."""
        found: list[Mapping[str, Any]] = []
        for page in range(1, FILES // 100 + 1):
            place = f"/repos/{self.listing.repo}/{path}"
            try:
                fresh = self.listing.pages.rest_once(self.listing.rest, place, head, per_page=100, page=page)
            except AnswerError:
                break
            part = (fresh.get("files") if isinstance(fresh, dict) else fresh) or []
            found += part
            if len(part) < 100:
                break
        return tuple(
            ChangedFile(
                path=one["filename"], additions=one["additions"], deletions=one["deletions"], patch=one.get("patch")
            )
            for one in found
        )


def outside(items: Sequence[Item], known: Collection[str]) -> list[int]:
    """Numbers of what the items are one change with and that isn't known yet: the issue that a pull request fixes."""
    links = (
        link for item in items for link in item.links if link.repo == item.repo and link.kind is not LinkKind.MENTIONS
    )
    return list(dict.fromkeys(link.number for link in links if link.key not in known))
