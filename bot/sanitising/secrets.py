"""secrets: tokens, keys and what tells of the machine, found by value and by shape in code and in prose alike.

A table of shapes and not a library: a detector made for repositories looks for entropy and for assignments, and would
take hashes and wheel names out of a report.
"""

import html
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from urllib.parse import unquote

from bot.sanitising.rules import ExitRules, Refused

REDACTED = "redacted-secret"
HOME = "HOME"
HOST = "redacted-host"

TOKENS = re.compile(
    r"""(?<![A-Za-z0-9])(?:
      gh[pousr]_[A-Za-z0-9]{16,}
    | github_pat_[A-Za-z0-9_]{20,}
    | xox[a-z]-[A-Za-z0-9-]{10,}
    | (?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])
    | glpat-[A-Za-z0-9_-]{16,}
    | hf_[A-Za-z0-9]{20,}
    | sk-(?=[A-Za-z_-]{0,200}[0-9])[A-Za-z0-9_-]{20,}
    | eyJ[A-Za-z0-9_-]{8,4000}+\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?
    )""",
    re.VERBOSE,
)
KEYS = re.compile(
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^\x00]{0,6000}?-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|(?:\s*[A-Za-z0-9+/=]{20,})*)"
)
HEADERS = re.compile(
    rf"""(?P<name>\bauthorization["']?[ \t]*[:=][ \t]*["']?(?:(?:basic|bearer|token|digest)[ \t]+)?|\bbearer[ \t]+)
    (?!{REDACTED}|(?:basic|bearer|token|digest)\b)(?P<told>[A-Za-z0-9._~+/=:-]{{8,}})""",
    re.IGNORECASE | re.VERBOSE,
)
CREDENTIALS = re.compile(r"(?<=://)[^\s/@<>\"'`]{1,300}@")
HOMES = re.compile(
    r"(?<![\w.])(?:/(?:home|Users)/[^\s/\\\"'`<>|:;,()\[\]{}*]+|/root(?![\w.-]))"
    r"|(?<![A-Za-z0-9])[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2}[^\s\\/\"'`<>|:;,()\[\]{}*]+"
)


def redacted(text: str, rules: ExitRules) -> tuple[str, Counter[str]]:
    """The text without secrets, user info, home folders and host names, and how many of each there were."""
    counts: Counter[str] = Counter()
    for value in _known(rules):
        counts["secret"] += text.count(value)
        text = text.replace(value, REDACTED)
    for shape in (KEYS, TOKENS):
        text, found = shape.subn(REDACTED, text)
        counts["secret"] += found
    text, found = HEADERS.subn(rf"\g<name>{REDACTED}", text)
    counts["secret"] += found
    text, found = CREDENTIALS.subn("", text)
    counts["user info"] += found
    for path in sorted((path.rstrip("/\\") for path in rules.home_paths), key=len, reverse=True):
        if path:
            text, found = re.subn(rf"(?<![\w.]){re.escape(path)}(?![\w.-])", HOME, text)
            counts["home path"] += found
    text, found = HOMES.subn(HOME, text)
    counts["home path"] += found
    if rules.host_names:
        text, found = _names(rules.host_names).subn(HOST, text)
        counts["host name"] += found
    return text, +counts


def refuse_late(text: str, rules: ExitRules) -> None:
    """Raise Refused where a finished text still holds a secret, as it stands or as a reader's program decodes it."""
    for told in _readings(text):
        if TOKENS.search(told) or KEYS.search(told):
            raise Refused("the finished text still holds what looks like a token or a key; nothing is filed")
    squeezed = {_squeezed(told) for told in _readings(text)}
    for value in _known(rules):
        if any(_squeezed(value) in told for told in squeezed):
            raise Refused("the finished text still holds a secret of this installation; nothing is filed")


def _known(rules: ExitRules) -> list[str]:
    """Longest first: one may be part of another."""
    values = {one.get_secret_value().strip() for one in rules.secrets}
    return sorted(values, key=lambda one: (-len(one), one))


def _readings(text: str) -> Iterator[str]:
    yield text
    joined = re.sub(r"[\\`*~]", "", html.unescape(text))
    yield joined
    yield unquote(joined)


def _squeezed(text: str) -> str:
    """Without white space and what Markdown uses as marks, so that a value split by them is found."""
    return re.sub(r"[\s\\`*_~>|]+", "", text)


@cache
def _names(names: frozenset[str]) -> re.Pattern[str]:
    either = "|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name))))
    return re.compile(rf"(?<![\w.-])(?:{either})(?![\w-])", re.IGNORECASE)
