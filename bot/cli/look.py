"""Commands that only look: config, db, version."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.stages import Json

config = typer.Typer(help="The configuration in force.")
db = typer.Typer(help="The database.")


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(config, name="config")
    app.add_typer(db, name="db")
    app.command()(version)


def version(json: Json = False) -> int:
    """Print the version."""
    from bot import __version__

    print(f'{{"version": "{__version__}"}}' if json else f"alignbot {__version__}")  # noqa: T201
    return 0


@config.command("show")
def config_show(json: Json = False) -> int:
    """Every key with its value and where it comes from. Secrets are not among them."""
    from bot import config as configuration
    from bot.cli.printing import emit, print_table

    settings, path = configuration.load()
    rows = [(key, content, configuration.source_of(key, path)) for key, content in configuration.shown(settings)]
    if json:
        emit([{"key": key, "value": content, "source": source} for key, content, source in rows])
    else:
        print_table(["key", "value", "source"], [[key, str(content), source] for key, content, source in rows])
    return 0


@config.command("check")
def config_check() -> int:
    """Read the configuration; exit code 2 with the reason when it can't be used."""
    from bot import config as configuration

    _, path = configuration.load()
    print(f"{path or 'no file: defaults and variables'}: in order")  # noqa: T201
    return 0


@db.command("upgrade")
def db_upgrade() -> int:
    """Bring the database to this version's schema, making it if there is none."""
    from bot import config as configuration
    from bot import wire

    settings, _ = configuration.load()
    with wire.store(settings):
        print(f"{configuration.without_password(str(settings.database))}: up to date")  # noqa: T201
    return 0


@db.command("backup")
def db_backup(output: Annotated[Path, typer.Option(help="The file to write.")], json: Json = False) -> int:
    """Copy the database as it is at this moment, while others may use it."""
    from bot import config as configuration
    from bot.cli.printing import emit
    from bot.edges.upkeep import backup

    settings, _ = configuration.load()
    size = backup(settings.database, output)
    if json:
        emit({"path": str(output), "bytes": size})
    else:
        print(f"{output}: {size} bytes")  # noqa: T201
    return 0


@db.command("check")
def db_check(json: Json = False) -> int:
    """Look at the file, its schema and every row, and change nothing. Exit code 1 when something is wrong."""
    from bot import config as configuration
    from bot.cli.printing import emit
    from bot.edges.upkeep import check

    settings, _ = configuration.load()
    found = check(settings.database)
    if json:
        emit({"state": "wrong" if found.faults else "ok", "faults": found.faults, "rows": found.rows})
    else:
        for fault in found.faults:
            print(fault)  # noqa: T201
        rows = ", ".join(f"{count} {table}" for table, count in found.rows.items())
        print(f"{'wrong' if found.faults else 'in order'}: {rows or 'no rows'}")  # noqa: T201
    return 1 if found.faults else 0


@db.command("rebuild")
def db_rebuild(json: Json = False) -> int:
    """Make a new database of the rows that can be read; the old file is put aside. Exit code 3 when some are lost."""
    from bot import config as configuration
    from bot import wire
    from bot.cli.printing import emit
    from bot.edges.lock import only_one
    from bot.edges.upkeep import rebuild

    settings, _ = configuration.load()
    with only_one(settings.state.expanduser()):
        done = rebuild(settings.database, wire.SystemClock().now())
    if json:
        emit({"kept": done.kept, "lost": done.lost, "aside": str(done.aside)})
    else:
        for one in done.lost:
            print(f"lost: {one}")  # noqa: T201
        print(f"{sum(done.kept.values())} rows kept, {len(done.lost)} lost; the old file is {done.aside}")  # noqa: T201
    return 3 if done.lost else 0
