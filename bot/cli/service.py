"""`daemon` and `dashboard`: what runs for long."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.ending import Terminated
from bot.cli.scan import Device, Unsandboxed


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(daemon)
    app.command()(dashboard)


def daemon(
    once: Annotated[bool, typer.Option("--once", help="One tick, then end with its exit code.")] = False,
    sample: Annotated[bool, typer.Option("--sample", help="The window that ships with alignbot.")] = False,
    archive: Annotated[Path | None, typer.Option(help="Items from a file.")] = None,
    device: Device = "xpu",
    out: Annotated[Path | None, typer.Option(help="Folder for the results of an archive or the sample.")] = None,
    unsandboxed: Unsandboxed = False,
) -> int:
    """Read and scan what is due at every tick of the schedule, until stopped: GitHub, an archive or the sample."""
    from bot import config, logs
    from bot import daemon as service
    from bot.errors import InputError
    from bot.scanning import Order

    logs.configure()
    settings, _ = config.load()
    order = Order(sample=sample, archive=archive, device=device, out=out, unsandboxed=unsandboxed, quiet=True)
    if out is not None and order.reads_github:
        raise InputError("--out is for --archive and --sample: a window of GitHub has its own folder below STATE/scans")
    return service.once(settings, order) if once else service.forever(settings, order)


def dashboard(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.", min=0, max=65535)] = None,
) -> int:
    """Serve the pages of findings and windows, until stopped."""
    from bot import config, logs, wire
    from bot.dashboard.serve import serve

    logs.configure()
    settings, _ = config.load()
    pages = settings.dashboard
    with wire.store(settings) as store, suppress(Terminated):
        chosen = pages.port if port is None else port
        serve(store, host or pages.host, chosen, pages.hosts, announce=_announce)
    return 0


def _announce(address: str) -> None:
    print(f"open {address}", flush=True)  # noqa: T201
