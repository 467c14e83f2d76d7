"""`classify`, `extract`, `port`, `run`: each stage of the line alone, for scripts, tests and people."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.scan import Device, Unsandboxed
from bot.cli.simulating import Simulate, Simulating

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    for command in (classify, extract, port):
        app.command()(command)
    app.command(cls=Simulating)(run)


def classify(
    file: Annotated[Path, typer.Argument(help="Items: .jsonl, .jsonl.gz or .jsonl.zst; - reads standard input.")],
    json: Json = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say it to people: what speaks for and against.")] = False,
    device: Device = "xpu",
) -> int:
    """Say of each item what it is about and whether it concerns XPU's own kernels: a ruling a line, as JSON."""
    import json as encoder

    from bot import wire
    from bot.cli.explaining import print_known
    from bot.cli.reading import read_items
    from bot.errors import InputError
    from bot.registry import rules
    from bot.stages.classify import rule_on
    from bot.stages.explain import known

    if json and explain:
        raise InputError("--explain is for people and --json for programs: give one of them")
    target, items, found = wire.target(device), read_items(file), rules("classify")
    for one in known(items, [rule_on(item, found) for item in items], target):
        if explain:
            print_known(one, found)
        else:
            print(encoder.dumps(one.as_json(), ensure_ascii=False))  # noqa: T201
    return 0


def extract(
    file: Annotated[Path | None, typer.Argument(help="Markdown; - reads standard input.")] = None,
    item: Annotated[Path | None, typer.Option(help="Items instead of Markdown; - reads standard input.")] = None,
    json: Json = False,  # noqa: ARG001
) -> int:
    """List the code of a thread, best first, as JSON; what was passed over goes to standard error."""
    from bot.cli.printing import emit
    from bot.cli.reading import read_items, read_text
    from bot.errors import InputError
    from bot.registry import rules
    from bot.stages.extract import extract_item, extract_text

    if file is not None and item is None:
        found, passed = extract_text(read_text(file), rules("extract"))
        listed = [one.as_json() for one in found]
    elif item is not None and file is None:
        listed, passed = [], []
        for one in read_items(item):
            found, over = extract_item(one, rules("extract"))
            listed += [{**each.as_json(), "item": one.key} for each in found]
            passed += [f"{one.key}, {line}" for line in over]
    else:
        raise InputError("give either a Markdown file (- for standard input) or --item FILE.jsonl")
    emit(listed)
    for text in passed:
        print(f"passed over: {text}", file=sys.stderr)  # noqa: T201
    return 0


def port(
    file: Annotated[Path, typer.Argument(help="Python source; - reads standard input.")],
    device: Device = "xpu",
    json: Json = False,
) -> int:
    """Rewrite a script for another device. Exit code 3 when something could not be carried over."""
    from bot import wire
    from bot.cli.printing import emit
    from bot.cli.reading import name_of, read_text
    from bot.errors import InputError
    from bot.registry import rules
    from bot.stages.port import PortError
    from bot.stages.port import port as ported

    try:
        result = ported(read_text(file), wire.target(device), rules("port"))
    except PortError as error:
        raise InputError(f"{name_of(file)} is no Python: {error}") from error
    if json:
        emit(result.as_json())
    else:
        sys.stdout.write(result.code)
    for left in result.leftovers:
        print(f"left over: line {left.line}: {left.text}: {left.why}", file=sys.stderr)  # noqa: T201
    return 3 if result.leftovers else 0


def run(
    file: Annotated[Path, typer.Argument(help="Python source, run as it is; - reads standard input.")],
    device: Device = "xpu",
    simulate: Simulate = None,
    repeat: Annotated[int | None, typer.Option(help="Fresh processes.", min=1, max=100)] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds for one process.", min=0.1, max=86_400)] = None,
    smallest: Annotated[
        bool, typer.Option("--smallest", help="Look for the smallest form of what diverges, and for its relatives.")
    ] = False,
    json: Json = False,
    unsandboxed: Unsandboxed = False,
) -> int:
    """Run a script in the sandbox under the shadow oracle. Exit code 1 when it was refused."""
    from bot import config, wire
    from bot.cli.printing import emit, print_evidence
    from bot.cli.reading import read_text
    from bot.cli.simulating import plan_of
    from bot.model import Job
    from bot.stages.judge import judge

    settings, _ = config.load()
    plan = plan_of(simulate)
    executor = wire.executor(settings, device, unsandboxed=unsandboxed, simulate=plan)
    job = Job(
        script=read_text(file),
        device=device,
        repeats=repeat or settings.run.repeats,
        timeout_s=timeout or settings.run.timeout_s,
        memory_bytes=settings.run.memory,
        smallest=smallest,
        simulate=plan,
    )
    evidence = executor.run(job)
    judgement = judge(evidence)
    evidence = evidence.model_copy(
        update={
            "bucket": judgement.bucket,
            "verdict": judgement.verdict,
            "oracle": judgement.oracle,
            "why": judgement.why,
        }
    )
    if json:
        emit(evidence.as_json())
    else:
        print_evidence(evidence)
    return 1 if evidence.status == "refused" else 0
