"""Test files as they are at a change's head, where its patch alone does not tell what its tests use.

REST gives a file of up to a megabyte as base64 in JSON, which is asked, counted and kept like every other answer; of a
larger one it gives none.
"""

import base64
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from bot.edges.github.faults import AnswerError
from bot.edges.github.listing import Listing
from bot.model import ChangedFile, Item, ItemKind
from bot.seams import Texts


@dataclass(frozen=True, slots=True)
class Contents:
    """Reads files of the items of one window."""

    listing: Listing
    texts: Texts

    def added(self, item: Item) -> Item:
        """The item with the text of each file that is needed, as far as GitHub has it."""
        commit = str(item.number) if item.kind is ItemKind.COMMIT else item.head_sha
        wanted = self.texts.wanted(item) if commit else ()
        if not wanted:
            return item
        files = (self._with_text(one, str(commit)) if one.path in wanted else one for one in item.files)
        return item.model_copy(update={"files": tuple(files)})

    def _with_text(self, changed: ChangedFile, commit: str) -> ChangedFile:
        place = f"/repos/{self.listing.repo}/contents/{quote(changed.path)}"
        try:
            found = self.listing.pages.rest_once(self.listing.rest, place, "", ref=commit)
        except AnswerError:
            return changed
        text = self.texts.kept(changed, _text(found))
        return changed.model_copy(update={"text": text or None})


def _text(found: Any) -> str:
    """The text of GitHub's answer, empty where it gives none or it is no text."""
    if not isinstance(found, dict) or found.get("encoding") != "base64":
        return ""
    try:
        return base64.b64decode(found["content"]).decode()
    except (KeyError, TypeError, ValueError):
        return ""
