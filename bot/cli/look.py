"""Commands that only look: findings, config, db, version."""

from typing import Annotated

import typer

from bot.cli.stages import Json

findings = typer.Typer(help="The queue of findings.")
config = typer.Typer(help="The configuration in force.")
db = typer.Typer(help="The database.")


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(findings, name="findings")
    app.add_typer(config, name="config")
    app.add_typer(db, name="db")
    app.command()(version)


def version(json: Json = False) -> int:
    """Print the version."""
    from bot import __version__

    print(f'{{"version": "{__version__}"}}' if json else f"alignbot {__version__}")  # noqa: T201
    return 0


@findings.command("list")
def findings_list(json: Json = False) -> int:
    """All findings, newest window first."""
    from bot import config as configuration
    from bot import wire
    from bot.cli.printing import emit, print_findings

    settings, _ = configuration.load()
    with wire.store(settings) as store:
        found = store.findings()
    if json:
        emit([_facts(*one) for one in found])
    else:
        print_findings(found)
    return 0


@findings.command("show")
def findings_show(
    fingerprint: Annotated[str, typer.Argument(help="A fingerprint, or its first digits.")], json: Json = False
) -> int:
    """One finding: its draft. Exit code 1 when there is no such finding."""
    import sys

    from bot import config as configuration
    from bot import wire
    from bot.cli.printing import emit
    from bot.errors import InputError

    settings, _ = configuration.load()
    with wire.store(settings) as store:
        chosen = [one for one in store.findings() if fingerprint and one[0].fingerprint.startswith(fingerprint)]
    if len(chosen) > 1:
        raise InputError(f"{len(chosen)} findings begin with {fingerprint}: give more digits")
    if not chosen:
        print(f"alignbot: no finding {fingerprint}; `alignbot findings list` shows all", file=sys.stderr)  # noqa: T201
        return 1
    _, draft, _ = chosen[0]
    if json:
        emit(_facts(*chosen[0]))
    else:
        sys.stdout.write(f"# {draft.title}\n\n{draft.body}")
    return 0


def _facts(finding: object, draft: object, case: object) -> dict[str, object]:
    from bot.model import Case, Draft, Finding

    assert isinstance(finding, Finding)  # noqa: S101
    assert isinstance(draft, Draft)  # noqa: S101
    assert isinstance(case, Case)  # noqa: S101
    return {
        "fingerprint": finding.fingerprint,
        "window": str(case.window),
        "upstream": [item.key for item in case.items],
        **draft.as_json(),
        "finding": finding.as_json(),
    }


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
