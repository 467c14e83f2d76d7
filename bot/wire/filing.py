"""What the filer works with: gate, exit, outbox, switch, caps, and GitHub with the token that may write."""

import os
import platform
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from bot.config import Settings
from bot.edges.decisions import SqlDecisions
from bot.edges.github.access import Access
from bot.edges.outbox import SqlOutbox
from bot.edges.stop import StopSwitch
from bot.edges.store import SqlStore
from bot.errors import InputError, LimitedError
from bot.filing import Rules
from bot.model import Case, DefectKind, Finding, Go, Limits, Mode, Moment, Policy, Wait, Window
from bot.sanitising import SHORTEST_SECRET, ExitRules, leaving
from bot.seams import Gate, Sanitiser
from bot.stages.gate import gate as gated
from bot.wire.line import SystemClock, register, target

if TYPE_CHECKING:
    from bot.edges.github.connect import Forge


def outbox(opened: SqlStore) -> SqlOutbox:
    """What is to be written on the tracker, in the same database."""
    return SqlOutbox(opened.engine)


def stop(settings: Settings) -> StopSwitch:
    """The switch that stops all writing."""
    return StopSwitch(settings.state.expanduser(), os.environ, SystemClock())


def limits(settings: Settings) -> Limits:
    """The most that may be written."""
    return Limits(**settings.filing.caps.model_dump())


def policy(settings: Settings) -> Policy:
    """What the configuration says of filing. Raises InputError for a kind of defect that there isn't."""
    filing = settings.filing
    unknown = sorted(filing.kinds.keys() - set(DefectKind))
    if unknown:
        raise InputError(f"filing.kinds has '{unknown[0]}': give one of {', '.join(DefectKind)}")
    return Policy(
        mode=Mode(filing.mode.value),
        kinds={DefectKind(kind): Mode(mode.value) for kind, mode in filing.kinds.items()},
        muted=filing.muted,
        quiet=filing.quiet,
        hardening=filing.hardening,
        most_a_window=filing.caps.per_window,
        rehearsal=filing.rehearsal,
    )


def gate(settings: Settings, opened: SqlStore, forge: "Forge | None" = None) -> Gate:
    """Whether something about a finding may leave now; asked each time, so that a late word counts.

    With `forge` the tracker is read up to now and searched once more: what a draft says of it may be a week old.
    """
    chosen = policy(settings)
    known = register(settings, opened, github=(lambda: forge)) if forge is not None else None

    @cache
    def found() -> dict[str, tuple[Finding, Case]]:
        return {finding.fingerprint: (finding, case) for finding, _, case in opened.findings()}

    @cache
    def in_window(window: Window) -> int:
        here = (one for one, case in found().values() if case.window == window)
        return sum(one.fileable or chosen.rehearsal for one in here)

    def asked(fingerprint: str) -> Go | Wait:
        if fingerprint not in found():
            return Wait(reason="the store has no such finding")
        finding, case = found()[fingerprint]
        if known is not None:
            case = case.model_copy(update={"matches": known.search(case, finding)})
        now = SystemClock().now()
        moment = Moment(now=now, found_at=opened.found_at(fingerprint), in_window=in_window(case.window))
        return gated(finding, case, SqlDecisions(opened.engine).history().get(fingerprint, ()), chosen, moment)

    return asked


def sanitiser(settings: Settings) -> Sanitiser:
    """The exit: what no text may bring along, this machine's own names and secrets among it."""
    from bot.edges.github.tokens import FILER, READER, find_token  # noqa: PLC0415

    files = ((settings.github.token_file, READER), (settings.filing.token_file, FILER))
    tokens = [token for file, place in files if (token := find_token(file, os.environ, place))]
    secrets = {token.source: token.authorization().partition(" ")[2] for token in tokens}
    short = next((source for source, secret in secrets.items() if len(secret) < SHORTEST_SECRET), None)
    if short is not None:
        raise InputError(f"what {short} has is no token: it is shorter than {SHORTEST_SECRET} characters")
    allowed = ExitRules(
        repository=settings.target.repo,
        references=frozenset(settings.filing.references),
        upstream=frozenset({settings.upstream.repo}),
        upstream_reference="no-backlink" if settings.filing.no_backlink else "code",
        secrets=frozenset(map(SecretStr, secrets.values())),
        home_paths=frozenset({str(Path.home()), str(settings.state.expanduser())}),
        host_names=frozenset({platform.node()} - {"", "localhost"}),
    )
    return lambda title, body: leaving(title, body, allowed)


def rules_of_filing(settings: Settings, opened: SqlStore) -> Rules:
    """What holds for every issue that is filed."""
    labels = target("xpu").labels
    filing = settings.filing
    return Rules(settings.target.repo, labels, gate(settings, opened), sanitiser(settings), filing.rehearsal)


def writing_forge(settings: Settings) -> "Forge":
    """GitHub for the filer: with its own token, and a client that sends nothing twice.

    While it waits for GitHub's limits the switch is asked, so that nothing leaves after it. Raises InputError when
    there is no write token.
    """
    from bot.edges.github.connect import connect  # noqa: PLC0415
    from bot.edges.github.tokens import FILER, find_token  # noqa: PLC0415

    switch = stop(settings)

    def sleep(seconds: float) -> None:
        time.sleep(seconds)
        if why := switch.why():
            raise LimitedError(why, SystemClock().now())

    told = settings.github.model_dump() | {"token_file": settings.filing.token_file}
    told |= {"app_id": None, "app_key_file": None, "app_installation_id": None}
    if find_token(settings.filing.token_file, os.environ, FILER) is None:
        raise InputError(
            f"nothing is filed without a write token: make one that may write issues of {settings.target.repo}, and "
            f"put it into a file that {FILER.setting} names, or into {FILER.variable}"
        )
    return connect(Access(**told), settings.target.repo, SystemClock(), sleep=sleep, place=FILER, writes=True)
