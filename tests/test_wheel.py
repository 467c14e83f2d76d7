"""What is installed from a wheel is whole: templates, migrations, sample, kept reproducers, console script."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this tree, by the build backend of this environment: the network is not asked."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    command += ["--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_every_resource_is_in_it(wheel: Path) -> None:
    """Each template, migration, kept reproducer, target and sample of the tree is in the wheel, and no test is."""
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    for top, inside in (
        ("templates", "bot/templates"),
        ("migrations", "bot/migrations"),
        ("reproducers", "bot/reproducers"),
    ):
        for path in (ROOT / top).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert f"{inside}/{path.relative_to(ROOT / top)}" in names
    for pattern in (
        "bot/targets/*.toml",
        "bot/benchmarks/*.toml",
        "bot/sample/*.json*",
        "bot/rules/classify/*.txt",
        "bot/rules/*.json",
        "bot/harness/*.py",
    ):
        assert {str(path.relative_to(ROOT)) for path in ROOT.glob(pattern)} <= names
    assert not [name for name in names if name.startswith(("tests/", "templates/", "deploy/"))]


def test_it_works_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """Unpacked elsewhere, the tree out of reach, it migrates a database, renders, and has the sample's items."""
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    code = f"""
import sys
sys.path = [{str(site)!r}, *[path for path in sys.path if path and not path.startswith({str(ROOT / "bot")!r})]]
sys.meta_path = [finder for finder in sys.meta_path if "editable" not in repr(finder)]
import bot
assert bot.__file__.startswith({str(site)!r}), bot.__file__
from pathlib import Path
from bot import wire
from bot.edges.archive import Archive
from bot.edges.store import SqlStore
from bot.resources import resource
SqlStore("sqlite:///{tmp_path}/alignbot.db").close()
wire.templates().get_template("report/report.md.j2")
archive, window = wire.archive(None, None, sample=True)
assert len(list(archive.items())) == 18
assert next(resource("reproducers").glob("*.py"))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
