"""Commands that only look: config, db, version."""

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
