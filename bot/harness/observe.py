"""Entry point: `python -I -u observe.py JOB.json SCRIPT.py CHANNEL CRUMB` runs a script and
reports on the descriptor CHANNEL; CRUMB is a page of memory that says which call is running.

Isolated mode leaves the folder of this file out of `sys.path`, and a script may have a module of any name, so the
package is imported by path and the path is taken out again before the script starts.
"""

import importlib
import sys
from pathlib import Path


def _load_session() -> object:
    folder = Path(__file__).resolve().parent
    sys.path.insert(0, str(folder.parent))
    try:
        return importlib.import_module(f"{folder.name}.session")
    finally:
        sys.path.pop(0)


if __name__ == "__main__":
    sys.exit(_load_session().main(sys.argv[1:]))  # type: ignore[attr-defined]
