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
By = Annotated[str, typer.Option("--by", help="Who says so; by default the name that you are logged in by.")]
Of = Annotated[str | None, typer.Option("--of", help="Number of the target's issue or pull request, e.g. #5508.")]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(findings, name="findings")


@findings.command("list")
def findings_list(json: Json = False) -> int:
    """All findings, newest window first, with the last decision on each."""
    from bot.cli.printing import emit, print_findings
    from bot.stages.prints import superseded

    found, history = _read()
    by = superseded(finding for finding, _, _ in found)
    if json:
        emit([{**_facts(one, history), "superseded_by": by.get(one[0].fingerprint)} for one in found])
    else:
        last = {fingerprint: f"superseded by {other}" for fingerprint, other in by.items()}
        last |= {fingerprint: said[-1].kind.value for fingerprint, said in history.items()}
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
        of, by = f" of #{said.of}" if said.of else "", f" ({visible(said.by)})" if said.by else ""
        sys.stdout.write(f"\n{rfc3339(said.decided_at)} {said.kind.value}{of}: {visible(said.reason)}{by}\n")
    return 0


@findings.command("reject")
def findings_reject(
    fingerprint: Fingerprint,
    reason: Reason,
    item_class: Annotated[
        str, typer.Option("--class", help="What the item is instead, e.g. shared-upstream.")
    ] = "other",
    by: By = "",
    json: Json = False,
) -> int:
    """Record that a finding is none. Exit code 1 when there is no such finding."""
    from bot.errors import InputError
    from bot.model import DecisionKind, ItemClass

    if item_class not in set(ItemClass) - {ItemClass.CANDIDATE}:
        classes = ", ".join(one.value for one in ItemClass if one is not ItemClass.CANDIDATE)
        raise InputError(f"a rejected finding's item is no '{item_class}': give one of {classes}")
    return decide(fingerprint, DecisionKind.REJECT, reason, item_class=item_class, json=json, by=by)


@findings.command("duplicate")
def findings_duplicate(fingerprint: Fingerprint, reason: Reason, of: Of = None, by: By = "", json: Json = False) -> int:
    """Record that a finding was told before, with --of where. Exit code 1 when there is no such finding."""
    from bot.cli.meant import number_of
    from bot.model import DecisionKind

    return decide(fingerprint, DecisionKind.DUPLICATE, reason, json=json, by=by, of=number_of(of))


@findings.command("unduplicate")
def findings_unduplicate(
    fingerprint: Fingerprint, reason: Reason, of: Of = None, by: By = "", json: Json = False
) -> int:
    """Take a merge back, alignbot's own or a person's: the next scan of its window tells the finding.

    Without --of it is none of all that the tracker has by now. Exit code 1 when there is no such finding.
    """
    from bot.cli.meant import number_of
    from bot.model import DecisionKind

    return decide(fingerprint, DecisionKind.UNDUPLICATE, reason, json=json, by=by, of=number_of(of))


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
    from bot.cli.meant import whole

    chosen = whole((finding.fingerprint for finding, _, _ in found), fingerprint)
    return next((one for one in found if one[0].fingerprint == chosen), None)


def decide(fingerprint: str, kind: "DecisionKind", reason: str, *, json: bool, **more: "Any") -> int:
    """Record a decision and say so: `more` are further fields of a Decision."""
    from bot import config, wire
    from bot.cli.meant import ask_again, is_text, known, myself, whole
    from bot.cli.printing import emit
    from bot.errors import InputError
    from bot.model import Decision, rfc3339

    by = str(more.pop("by", "")).strip()
    if not reason.strip():
        raise InputError("say why: --reason TEXT")
    if not (is_text(reason) and is_text(by)):
        raise InputError("the reason is no UTF-8 text: type it anew")
    settings, _ = config.load()
    with wire.store(settings) as store:
        chosen = whole(known(store), fingerprint)
        if chosen is None:
            return 1
        now, who = wire.SystemClock().now(), by or myself()
        said = Decision(fingerprint=chosen, kind=kind, reason=reason.strip(), decided_at=now, by=who, **more)
        wire.decisions(store).decide(said)
        ask_again(store, said)
    if json:
        emit(said.as_json())
    else:
        until = f" until {rfc3339(said.until)}" if said.until else ""
        print(f"{chosen}: {kind.value}{f' of #{said.of}' if said.of else ''}{until}")  # noqa: T201
    return 0


def _facts(found: "tuple[Finding, Draft, Case]", history: "Mapping[str, Sequence[Decision]]") -> dict[str, object]:
    finding, draft, case = found
    said = [one.as_json() for one in history.get(finding.fingerprint, ())]
    return {
        "fingerprint": finding.fingerprint,
        "window": str(case.window),
        "upstream": [item.key for item in case.items],
        **draft.as_json(),
        "matches": case.matches.as_json() if case.matches else None,
        "finding": finding.as_json(),
        "decision": said[-1] if said else None,
        "decisions": said,
    }
