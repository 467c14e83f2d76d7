"""`findings`: the queue, a finding, what maintainers said of it, and that as labelled items."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.stages import Json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from bot.model import Case, Decision, DecisionKind, Draft, Finding

findings = typer.Typer(help="The queue of findings.")
Fingerprint = Annotated[str, typer.Argument(help="A fingerprint, or its first digits.")]
Reason = Annotated[str, typer.Option("--reason", help="Why, for whoever reads it next.")]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(findings, name="findings")


@findings.command("list")
def findings_list(json: Json = False) -> int:
    """All findings, newest window first, with the last decision on each."""
    from bot.cli.printing import emit, print_findings

    found, history = _read()
    if json:
        emit([_facts(one, history) for one in found])
    else:
        last = {fingerprint: said[-1].kind.value for fingerprint, said in history.items()}
        print_findings(found, last)
    return 0


@findings.command("show")
def findings_show(fingerprint: Fingerprint, json: Json = False) -> int:
    """One finding: its draft, and what was decided. Exit code 1 when there is no such finding."""
    import sys

    from bot.cli.printing import emit
    from bot.model import rfc3339
    from bot.stages.markup import visible

    found, history = _read()
    chosen = _chosen(found, fingerprint)
    if chosen is None:
        return 1
    if json:
        emit(_facts(chosen, history))
        return 0
    finding, draft, _ = chosen
    sys.stdout.write(f"# {draft.title}\n\n{draft.body}")
    for said in history.get(finding.fingerprint, ()):
        sys.stdout.write(f"\n{rfc3339(said.decided_at)} {said.kind.value}: {visible(said.reason)}\n")
    return 0


@findings.command("reject")
def findings_reject(
    fingerprint: Fingerprint,
    reason: Reason,
    item_class: Annotated[
        str, typer.Option("--class", help="What the item is instead, e.g. shared-upstream.")
    ] = "other",
    json: Json = False,
) -> int:
    """Record that a finding is none. Exit code 1 when there is no such finding."""
    from bot.errors import InputError
    from bot.model import DecisionKind, ItemClass

    if item_class not in set(ItemClass) - {ItemClass.CANDIDATE}:
        classes = ", ".join(one.value for one in ItemClass if one is not ItemClass.CANDIDATE)
        raise InputError(f"a rejected finding's item is no '{item_class}': give one of {classes}")
    return _decide(fingerprint, DecisionKind.REJECT, reason, item_class, json=json)


@findings.command("duplicate")
def findings_duplicate(fingerprint: Fingerprint, reason: Reason, json: Json = False) -> int:
    """Record that a finding was told before. Exit code 1 when there is no such finding."""
    from bot.model import DecisionKind

    return _decide(fingerprint, DecisionKind.DUPLICATE, reason, None, json=json)


@findings.command("export")
def findings_export(
    output: Annotated[Path | None, typer.Option(help="A file to write; standard output if it isn't given.")] = None,
) -> int:
    """Print the items of decided findings with what they are, as JSON Lines: `alignbot evaluate --train` reads them."""
    import json as encoder
    import sys

    from bot.edges.whole import write_whole
    from bot.stages.feedback import labelled

    found, history = _read()
    lines = labelled((case for _, _, case in found), history)
    text = "".join(f"{encoder.dumps(line, ensure_ascii=False)}\n" for line in lines)
    if output is None:
        sys.stdout.write(text)
    else:
        write_whole(output, text, "--output")
    return 0


def _read() -> "tuple[list[tuple[Finding, Draft, Case]], dict[str, list[Decision]]]":
    """All findings, and all that was said of them."""
    from bot import config, wire

    settings, _ = config.load()
    with wire.store(settings) as store:
        return store.findings(), wire.decisions(store).history()


def _chosen(found: "Sequence[tuple[Finding, Draft, Case]]", fingerprint: str) -> "tuple[Finding, Draft, Case] | None":
    """The finding that is meant; None, and a line that says so, where there is none."""
    import sys

    from bot.errors import InputError

    chosen = [one for one in found if fingerprint and one[0].fingerprint.startswith(fingerprint)]
    if len(chosen) > 1:
        raise InputError(f"{len(chosen)} findings begin with {fingerprint}: give more digits")
    if not chosen:
        print(f"alignbot: no finding {fingerprint}; `alignbot findings list` shows all", file=sys.stderr)  # noqa: T201
        return None
    return chosen[0]


def _decide(fingerprint: str, kind: "DecisionKind", reason: str, item_class: str | None, *, json: bool) -> int:
    return decide(fingerprint, reason, json=json, kind=kind, item_class=item_class)


def decide(fingerprint: str, reason: str, *, json: bool, **said: "Any") -> int:
    """Record a decision and say so: `said` are further fields of a Decision."""
    from bot import config, wire
    from bot.cli.printing import emit
    from bot.errors import InputError
    from bot.model import Decision, rfc3339

    if not reason.strip():
        raise InputError("say why: --reason TEXT")
    if not _is_text(reason):
        raise InputError("the reason is no UTF-8 text: type it anew")
    settings, _ = config.load()
    with wire.store(settings) as store:
        chosen = _chosen(store.findings(), fingerprint)
        if chosen is None:
            return 1
        whole = chosen[0].fingerprint
        now = wire.SystemClock().now()
        decision = Decision(fingerprint=whole, reason=reason.strip(), decided_at=now, **said)
        wire.decisions(store).decide(decision)
    if json:
        emit(decision.as_json())
    else:
        print(f"{whole}: {decision.kind.value}{f' until {rfc3339(decision.until)}' if decision.until else ''}")  # noqa: T201
    return 0


def _is_text(typed: str) -> bool:
    """Bytes of a command line that are no UTF-8 arrive as halves of characters, which nothing can store."""
    try:
        typed.encode()
    except UnicodeEncodeError:
        return False
    return True


def _facts(found: "tuple[Finding, Draft, Case]", history: "Mapping[str, Sequence[Decision]]") -> dict[str, object]:
    finding, draft, case = found
    said = [one.as_json() for one in history.get(finding.fingerprint, ())]
    return {
        "fingerprint": finding.fingerprint,
        "window": str(case.window),
        "upstream": [item.key for item in case.items],
        **draft.as_json(),
        "finding": finding.as_json(),
        "decision": said[-1] if said else None,
        "decisions": said,
    }
