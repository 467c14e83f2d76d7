"""Where templates, migrations, samples and kept reproducers lie: in a checkout at its top, else in the package."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(name: str) -> Path:
    """The folder or file `name` (e.g. `templates/issue`). Raises FileNotFoundError for a broken installation."""
    for root in (_PACKAGE, _PACKAGE.parent):
        path = root / name
        if path.exists():
            return path
    raise FileNotFoundError(f"{name} is missing from the installation at {_PACKAGE}; install alignbot again")
