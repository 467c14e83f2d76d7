"""`classify --explain`: what is known of each item, for people."""

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence

from bot.model import Claim
from bot.registry import Rule
from bot.stages.explain import Known, claims, speaks_for_candidate
from bot.stages.markup import visible

QUOTED = 60
"""Characters of a span that are shown."""
NARROW, WIDE = 40, 120


def print_known(known: Known, rules: Sequence[Rule]) -> None:
    """One item: verdict, claims, chain, state, owner; wrapped to the terminal, and in colour only on one."""
    width = max(NARROW, min(WIDE, shutil.get_terminal_size().columns))
    bold, plain = ("\x1b[1m", "\x1b[0m") if sys.stdout.isatty() else ("", "")
    title = f"{known.item.key} {known.item.kind.value}: {known.item.title}"
    sys.stdout.write(f"{bold}{_wrapped(title, '', width)}{plain}\n")
    for label, text in lines(known, claims(known.item, rules)):
        sys.stdout.write(_wrapped(text, f"  {label:<10}", width) + "\n")
    sys.stdout.write("\n")


def lines(known: Known, said: Sequence[tuple[str, Claim]]) -> Iterator[tuple[str, str]]:
    """Labels and texts."""
    ruling = known.ruling
    kind = f", {ruling.defect_kind.value}" if ruling.defect_kind != "none" else ""
    yield "class", f"{ruling.item_class.value}{kind}, score {ruling.score:.2f}"
    if ruling.ops:
        yield "operators", ", ".join(ruling.ops)
    for rule, claim in (one for one in said if one[1].item_class or one[1].defect_kind or one[1].ops):
        label = "veto" if claim.veto else "for" if speaks_for_candidate(claim) else "against"
        yield label, _told(rule, claim)
    if not said:
        yield "for", "no rule has anything to say"
    if ruling.chain:
        yield "chain", f"{known.leader} speaks for it and {', '.join(f'#{one}' for one in ruling.chain)}"
    for tie in known.ties:
        yield "joined", f"{tie.key} and {tie.other}: {tie.kinship.value}"
    since = f" since {known.standing.since:%Y-%m-%d}" if known.standing.since else ""
    yield "state", f"{known.standing.state.value}{since}: {known.standing.why}"
    yield "owner", f"{known.owned.ownership.value}: {known.owned.why}"
    if known.series:
        yield "series", ", ".join(known.series)


def _told(rule: str, claim: Claim) -> str:
    about = claim.item_class if claim.item_class is not None else claim.defect_kind
    span = ""
    if claim.span:
        text = claim.span.text if len(claim.span.text) <= QUOTED else claim.span.text[: QUOTED - 1] + "…"
        span = f" ({claim.span.field}: {' '.join(text.split())!r})"
    return f"{claim.weight:+.2f} {about or 'nothing'}: {claim.why}{span} [{rule}]"


def _wrapped(text: str, label: str, width: int) -> str:
    """On lines of the width; a long path or word is cut rather than left out."""
    clean = visible(" ".join(text.split()))
    cut = textwrap.wrap(
        clean, width, initial_indent=label, subsequent_indent=" " * (len(label) or 2), break_on_hyphens=False
    )
    return "\n".join(cut or [label])
