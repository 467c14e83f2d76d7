"""`bench`: how long operators take on a device, beside the CPU or a stored run."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.scan import Device, Unsandboxed
from bot.cli.stages import Json

KEPT = "kept"
"""Stands for the file of these cases and this device in the state folder."""
CPU = "cpu"


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(bench)


def bench(  # noqa: PLR0913, PLR0917  an option is an argument
    cases: Annotated[str, typer.Argument(help="A TOML or JSON file, or the name of cases that ship with alignbot.")],
    device: Device = "xpu",
    against: Annotated[str | None, typer.Option(help="`cpu`, a file that --save wrote, or `kept`.")] = None,
    save: Annotated[str | None, typer.Option(help="A file for the times, or `kept`: in the state folder.")] = None,
    slower_than: Annotated[float, typer.Option(help="Factor above which a case is slower.", min=0.001)] = 1.5,
    seconds: Annotated[float, typer.Option(help="For one case.", min=0.01, max=3_600)] = 5.0,
    calls: Annotated[int, typer.Option(help="Of one case, at most.", min=3, max=100_000)] = 100,
    repeat: Annotated[int | None, typer.Option(help="Fresh processes.", min=1, max=100)] = None,
    script: Annotated[bool, typer.Option("--script", help="Print the script instead of running it.")] = False,
    json: Json = False,
    unsandboxed: Unsandboxed = False,
) -> int:
    """Time operators. Exit code 1 when a case is slower than its reference, 3 when that is unclear for one."""
    from bot import config, wire
    from bot.cli.printing import emit
    from bot.cli.timing import Order, print_compared, read_baseline, read_benchmark, store
    from bot.errors import InputError
    from bot.stages.timing import compared

    settings, _ = config.load()
    place = settings.state / "baselines" / f"{Path(cases).stem}-{device.replace(':', '-')}.json"
    if against == CPU and device.partition(":")[0] == CPU:
        raise InputError("--against cpu is for other devices: give another --device, or a file that --save wrote")
    stored = None if against in (None, CPU) else read_baseline(place if against == KEPT else Path(str(against)))
    order = Order(read_benchmark(cases), device, seconds, calls, beside=CPU if against == CPU else None)
    if script:
        sys.stdout.write(order.script)
        return 0
    run = order.run(
        wire.executor(settings, device, unsandboxed=unsandboxed), repeat or settings.run.repeats, settings.run.memory
    )
    if save is not None:
        store(run.mine, place if save == KEPT else Path(save))
    there = run.beside if stored is None else run.comparable(stored, str(against))
    found = compared(run.mine.rows, there, slower_than)
    if json:
        emit({**run.mine.as_json(), "rows": [one.as_json() for one in found], "why": run.why})
    else:
        print_compared(run.mine, found, asked=against is not None)
    if run.why:
        print(f"alignbot: the benchmark did not come to its end: {run.why}", file=sys.stderr)  # noqa: T201
    return _code([str(one.fast_enough) for one in found], whole=not run.why and run.whole, asked=against is not None)


def _code(answers: list[str], *, whole: bool, asked: bool) -> int:
    """1 where one is slower; 3 where rows are missing, or one that was to be compared could not be told."""
    if asked and "no" in answers:
        return 1
    return 3 if not whole or (asked and {"unclear", "absent"} & set(answers)) else 0
