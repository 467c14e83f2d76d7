"""`classify --explain`: what is known of each item, for people."""

import shutil
import sys
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from bot.registry import Rule
from bot.stages.explain import Known, claims, speaks_for_candidate
from bot.stages.markup import on_one_line
from bot.stages.weigh import Said

QUOTED = 60
"""Characters of a span that are shown."""
SHOWN = 1_000
"""The same of anything else: titles, paths and names of branches are strangers' and may be of any length."""
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


def lines(known: Known, said: Sequence[Said]) -> Iterator[tuple[str, str]]:
    """Labels and texts."""
    ruling = known.ruling
    kind = f", {ruling.defect_kind.value}" if ruling.defect_kind != "none" else ""
    yield "class", f"{ruling.item_class.value}{kind}, score {ruling.score:.2f}"
    if ruling.ops:
        yield "operators", ", ".join(ruling.ops)
    told = [one for one in said if _label(one)]
    for one in told:
        yield _label(one), _told(one)
    if not told:
        yield "for", "no rule has anything to say"
    if ruling.chain:
        yield "chain", f"{known.leader} speaks for it and {', '.join(map(_number, ruling.chain))}"
    for tie in known.ties:
        yield "joined", f"{tie.key} and {tie.other}: {tie.kinship.value}"
    since = f" since {known.standing.since:%Y-%m-%d}" if known.standing.since else ""
    yield "state", f"{known.standing.state.value}{since}: {known.standing.why}"
    yield "owner", f"{known.owned.ownership.value}: {known.owned.why}"
    if known.series:
        yield "series", ", ".join(known.series)


def _label(one: Said) -> str:
    """On which side it is; empty where it says nothing and nothing was learned of it."""
    claim = one.claim
    if claim.item_class or claim.defect_kind or claim.ops:
        return "veto" if claim.veto else "for" if speaks_for_candidate(claim) else "against"
    return "learned" if one.learned else ""


def _told(one: Said) -> str:
    """The rule's own weight, the words, the text that made it speak, the rule, and what was learned of these words."""
    claim = one.claim
    about = claim.item_class if claim.item_class is not None else claim.defect_kind
    span = f" ({claim.span.field}: '{on_one_line(claim.span.text, QUOTED)}')" if claim.span else ""
    own = f"{claim.weight:+.2f} {about}: " if about else ""
    learned = ", ".join(f"{weight:+.2f} {name}" for name, weight in sorted(one.learned.items()))
    return f"{own}{claim.why}{span} [{one.rule}]{f'; learned: {learned}' if learned else ''}"


def _number(number: int | str) -> str:
    """`#204496`; a commit by its digits."""
    return number if isinstance(number, str) else f"#{number}"


def _wrapped(text: str, label: str, width: int) -> str:
    """On lines of the width, in cells and not in characters; a long path or word is cut rather than left out."""
    indent = " " * (len(label) or 2)
    cut = Text(on_one_line(text, SHOWN)).wrap(Console(width=width), width - len(indent))
    return "\n".join(f"{label if place == 0 else indent}{line.plain}".rstrip() for place, line in enumerate(cut))
