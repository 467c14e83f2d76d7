"""rules: what may leave, what was changed on the way out, and the refusal."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr

from bot.errors import InputError
from bot.model.base import Value

BODY_LIMIT = 65_536
"""Characters that GitHub takes in a body."""
SHORTEST_SECRET = 8
"""Characters. A shorter one would take ordinary words out with it."""
REFERENCE = re.compile(r"[\w.-]+/[\w.-]+(?:#[0-9]+|@[0-9a-f]{7,40})", re.ASCII)
REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)


class Refused(InputError, ValueError):  # noqa: N818  a refusal is what it is
    """The text must not leave; the whole filing stays here. The message is a sentence and quotes no secret."""


class TooLong(Refused):
    """The text is longer than GitHub takes."""


def _references(given: frozenset[str]) -> frozenset[str]:
    if odd := sorted(one for one in given if not REFERENCE.fullmatch(one)):
        raise ValueError(f"{odd[0]!r} is no reference: write owner/repository#number or owner/repository@sha")
    return frozenset(one.lower() for one in given)


def _repositories(given: frozenset[str]) -> frozenset[str]:
    if odd := sorted(one for one in given if not REPOSITORY.fullmatch(one)):
        raise ValueError(f"{odd[0]!r} is no repository: write owner/repository")
    return frozenset(one.lower() for one in given)


def _lower(given: frozenset[str]) -> frozenset[str]:
    return frozenset(one.strip().lower() for one in given) - {""}


def _long_enough(given: frozenset[SecretStr]) -> frozenset[SecretStr]:
    if any(len(one.get_secret_value().strip()) < SHORTEST_SECRET for one in given):
        raise ValueError(f"a secret of fewer than {SHORTEST_SECRET} characters can't be told from ordinary text")
    return given


class ExitRules(Value):
    """What a filing may say to the outside."""

    repository: str = Field(pattern=r"^[\w.-]+/[\w.-]+$")
    """Where it is filed: `#12` there is `repository#12`."""
    references: Annotated[frozenset[str], AfterValidator(_references)] = frozenset()
    """`owner/repository#12` and `owner/repository@sha` that may be linked, and so get a back-link."""
    hosts: Annotated[frozenset[str], AfterValidator(_lower)] = frozenset({"github.com"})
    """Hosts whose addresses may stay links. On github.com that means files, releases and the references above."""
    upstream: Annotated[frozenset[str], AfterValidator(_repositories)] = frozenset({"pytorch/pytorch"})
    """Repositories that `upstream_reference` is about."""
    upstream_reference: Literal["code", "no-backlink"] = "code"
    """References to upstream that are not allowed: as code, or as links over the host that makes no back-link."""
    secrets: Annotated[frozenset[SecretStr], AfterValidator(_long_enough)] = frozenset()
    """Exact values that must not leave. Never printed."""
    home_paths: frozenset[str] = frozenset()
    """Folders, beside those of the usual shapes, of which only what is below them may be told."""
    host_names: Annotated[frozenset[str], AfterValidator(_lower)] = frozenset()
    """Names of machines."""


class Change(Value):
    """How often one kind of thing was taken out or written in another way."""

    kind: str
    count: int


class Sanitised(Value):
    """A body that may leave."""

    body: str
    changes: tuple[Change, ...] = ()
    """By kind, in alphabetical order; empty where nothing was done."""
