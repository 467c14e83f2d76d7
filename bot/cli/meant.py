"""What `findings` needs to record a person's word: which finding is meant, of what, by whom, and what follows."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.edges.store import SqlStore
    from bot.model import Decision


def whole(prints: "Iterable[str]", typed: str) -> str | None:
    """The fingerprint that begins so; None, and a line that says so, where there is none. Raises InputError."""
    import sys

    from bot.errors import InputError

    found = {one for one in prints if typed and one.startswith(typed)}
    if len(found) > 1:
        raise InputError(f"{len(found)} findings begin with {typed}: give more digits")
    if not found:
        print(f"alignbot: no finding {typed}; `alignbot findings list` shows all", file=sys.stderr)  # noqa: T201
        return None
    return found.pop()


def known(store: "SqlStore") -> set[str]:
    """The fingerprints of all findings, those included that were merged because they are told already."""
    from bot.model import Finding

    merged = {case.finding.fingerprint for case in store.merged() if isinstance(case.finding, Finding)}
    return merged | {finding.fingerprint for finding, _, _ in store.findings()}


def ask_again(store: "SqlStore", said: "Decision") -> None:
    """Have the windows followed on whose cases wait for this word: the next scan asks again where they belong."""
    from bot.model import DecisionKind, Finding

    if said.kind is DecisionKind.UNDUPLICATE:
        for case in store.merged():
            if isinstance(case.finding, Finding) and case.finding.fingerprint == said.fingerprint:
                store.finish_scan(case.window, case.device, "stale")


def number_of(typed: str | None) -> int | None:
    """`5508` of `#5508` or `5508`. Raises InputError."""
    from bot.errors import InputError

    if typed is None:
        return None
    digits = typed.strip().removeprefix("#")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10 and int(digits) > 0):
        raise InputError(f"--of {typed[:40]!r} is no number of an issue or pull request: write #5508")
    return int(digits)


def myself() -> str:
    """The name that this person is logged in by; empty where the machine has none."""
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def is_text(typed: str) -> bool:
    """Bytes of a command line that are no UTF-8 arrive as halves of characters, which nothing can store."""
    try:
        typed.encode()
    except UnicodeEncodeError:
        return False
    return True
