"""Sources at frozen commits: real git over real HTTP on loopback."""

import multiprocessing
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.edges.git_trees import GitTrees
from bot.errors import ForgeError, InputError
from tests.kernel_trees import TREES, commit, git, repository, serving

ROOTS = ("src/ATen/native/xpu",)
TARGET = "intel/torch-xpu-ops"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, list[str], str, Path]]:
    """Address, what was asked, the commit, and the folder of repositories."""
    base = tmp_path / "served"
    sha = repository(base, TARGET, TREES / "target")
    with serving(base) as (address, asked):
        yield address, asked, sha, base


def test_reads_a_commit_whole(served: tuple[str, list[str], str, Path], tmp_path: Path) -> None:
    """Every file below the roots comes with git's name of its content and the very text that was committed."""
    address, _, sha, _ = served
    found = GitTrees(tmp_path / "sources", address).read(TARGET, sha, ROOTS)
    assert [one.path for one in found] == sorted(
        path.relative_to(TREES / "target").as_posix() for path in (TREES / "target").rglob("*.cpp")
    )
    for one in found:
        assert one.text == (TREES / "target" / one.path).read_text()
        assert one.digest == git(tmp_path, "hash-object", str(TREES / "target" / one.path))


def test_a_head_is_fetched_once(served: tuple[str, list[str], str, Path], tmp_path: Path) -> None:
    """The second reading asks nothing of the network, and an offline one succeeds after it."""
    address, asked, sha, _ = served
    trees = GitTrees(tmp_path / "sources", address)
    trees.read(TARGET, sha, ROOTS)
    before = len(asked)
    trees.read(TARGET, sha, ROOTS)
    assert len(GitTrees(tmp_path / "sources", address, offline=True).read(TARGET, sha, ROOTS)) == 3
    assert len(asked) == before


def test_only_what_changed_is_fetched_of_the_next_head(
    served: tuple[str, list[str], str, Path], tmp_path: Path
) -> None:
    """Of a head where one file changed, one more blob is here; the others are found by their names."""
    address, _, sha, base = served
    trees = GitTrees(tmp_path / "sources", address)
    trees.read(TARGET, sha, ROOTS)
    changed = tmp_path / "changed"
    shutil.copytree(TREES / "target", changed)
    with (changed / "src/ATen/native/xpu/GridSampler.cpp").open("a") as stream:
        stream.write("// One more line.\n")
    later = commit(base / f"{TARGET}.git", changed)
    entries = {one.path: one.blob for one in trees.listed(TARGET, later, ROOTS)}
    clone = tmp_path / "sources" / "intel+torch-xpu-ops.git"
    here = git(clone, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    assert sum(blob not in here for blob in entries.values()) == 1
    assert trees.read(TARGET, later, ROOTS)[1].text.endswith("// One more line.\n")


@pytest.mark.parametrize(
    ("sha", "error", "said"),
    [
        ("0" * 40, ForgeError, "not our ref"),
        ("main", InputError, "is no full commit"),
        ("--upload-pack=x", InputError, "is no full commit"),
    ],
)
def test_a_commit_that_is_not_there(
    sha: str, error: type[Exception], said: str, served: tuple[str, list[str], str, Path], tmp_path: Path
) -> None:
    """A missing commit, or what is none, ends in one line that says so."""
    with pytest.raises(error, match=said) as raised:
        GitTrees(tmp_path / "sources", served[0]).read(TARGET, sha, ROOTS)
    assert "\n" not in str(raised.value)


def _cut(clone: Path, ending: str) -> None:
    for path in clone.glob(f"objects/pack/*.{ending}"):
        content = path.read_bytes()
        path.chmod(0o644)
        path.write_bytes(content[: len(content) // 2])


DAMAGE: dict[str, Callable[[Path], object]] = {
    "an empty HEAD": lambda clone: (clone / "HEAD").write_text(""),
    "no objects": lambda clone: shutil.rmtree(clone / "objects"),
    "no references": lambda clone: shutil.rmtree(clone / "refs"),
    "half a configuration": lambda clone: (clone / "config").write_text("[core\n"),
    "an empty reference": lambda clone: next((clone / "refs/frozen").iterdir()).write_text(""),
    "half a pack": lambda clone: _cut(clone, "pack"),
    "half an index": lambda clone: _cut(clone, "idx"),
    "no shallow commit": lambda clone: (clone / "shallow").write_text("zzz\n"),
    "a file": lambda clone: (shutil.rmtree(clone), clone.write_text("")),
    "a link": lambda clone: (shutil.rmtree(clone), clone.symlink_to("nowhere")),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_clone_is_fetched_again(
    damage: str, served: tuple[str, list[str], str, Path], tmp_path: Path
) -> None:
    """Whatever is broken in a clone, the next reading gives the same files; offline it fails and removes nothing."""
    address, _, sha, _ = served
    trees = GitTrees(tmp_path / "sources", address)
    before = trees.read(TARGET, sha, ROOTS)
    clone = tmp_path / "sources" / "intel+torch-xpu-ops.git"
    DAMAGE[damage](clone)
    with pytest.raises(ForgeError):
        GitTrees(tmp_path / "sources", address, offline=True).read(TARGET, sha, ROOTS)
    assert clone.exists() or clone.is_symlink()
    assert trees.read(TARGET, sha, ROOTS) == before


def test_the_locks_of_a_dead_git(served: tuple[str, list[str], str, Path], tmp_path: Path) -> None:
    """A fetch that was killed leaves lock files; the next reading removes them and succeeds."""
    address, _, sha, base = served
    trees = GitTrees(tmp_path / "sources", address)
    trees.read(TARGET, sha, ROOTS)
    for name in ("config.lock", "shallow.lock"):
        (tmp_path / "sources" / "intel+torch-xpu-ops.git" / name).touch()
    changed = tmp_path / "changed"
    shutil.copytree(TREES / "target", changed)
    (changed / "NOTE").touch()
    later = commit(base / f"{TARGET}.git", changed)
    assert trees.read(TARGET, later, ROOTS) == trees.read(TARGET, sha, ROOTS)


def test_a_sound_clone_stays_when_the_network_fails(served: tuple[str, list[str], str, Path], tmp_path: Path) -> None:
    """A commit that can't be had throws nothing away: what was fetched before is still read offline."""
    address, _, sha, _ = served
    trees = GitTrees(tmp_path / "sources", address)
    trees.read(TARGET, sha, ROOTS)
    with pytest.raises(ForgeError):
        trees.read(TARGET, "0" * 40, ROOTS)
    assert GitTrees(tmp_path / "sources", address, offline=True).read(TARGET, sha, ROOTS)


def test_offline_asks_nothing(served: tuple[str, list[str], str, Path], tmp_path: Path) -> None:
    """What was not fetched before is refused without a request."""
    address, asked, sha, _ = served
    with pytest.raises(ForgeError, match="is not here"):
        GitTrees(tmp_path / "sources", address, offline=True).read(TARGET, sha, ROOTS)
    assert not asked


def test_a_folder_without_sources(served: tuple[str, list[str], str, Path], tmp_path: Path) -> None:
    """A commit that has no C++ below the roots is not taken for a kernel tree."""
    with pytest.raises(InputError, match="it is not what kernels are read from"):
        GitTrees(tmp_path / "sources", served[0]).read(TARGET, served[2], ("docs",))


def test_large_and_undecodable_files(tmp_path: Path) -> None:
    """A file beyond the limit and one that is no text are refused by name."""
    source = tmp_path / "tree" / "src" / "ATen" / "native" / "xpu"
    source.mkdir(parents=True)
    (source / "A.cpp").write_bytes(b"\xff\xfe no text")
    sha = repository(tmp_path / "served", TARGET, tmp_path / "tree")
    (source / "A.cpp").write_bytes(b"//" + b"x" * (5 << 20))
    large = commit(tmp_path / "served" / f"{TARGET}.git", tmp_path / "tree")
    with serving(tmp_path / "served") as (address, _):
        trees = GitTrees(tmp_path / "sources", address)
        with pytest.raises(InputError, match=r"A\.cpp, line 1: no UTF-8 text"):
            trees.read(TARGET, sha, ROOTS)
        with pytest.raises(InputError, match=r"A\.cpp is larger than 4 MiB"):
            trees.read(TARGET, large, ROOTS)


def test_links_are_no_sources(tmp_path: Path) -> None:
    """A symbolic link in a commit is not followed and not read."""
    source = tmp_path / "tree" / "src" / "ATen" / "native" / "xpu"
    source.mkdir(parents=True)
    (source / "A.cpp").write_text("int a;\n")
    (source / "B.cpp").symlink_to("/etc/passwd")
    sha = repository(tmp_path / "served", TARGET, tmp_path / "tree")
    with serving(tmp_path / "served") as (address, _):
        found = GitTrees(tmp_path / "sources", address).read(TARGET, sha, ROOTS)
    assert [one.path for one in found] == ["src/ATen/native/xpu/A.cpp"]


def test_a_repository_cannot_make_git_run_anything(
    served: tuple[str, list[str], str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a configuration of the user's nor variables of the environment reach the git that reads."""
    mark = tmp_path / "ran"
    configuration = tmp_path / "gitconfig"
    configuration.write_text(f'[core]\n\tsshCommand = touch {mark}\n[http]\n\tproxy = "http://127.0.0.1:1"\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(configuration))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", f"touch {mark}")
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    assert len(GitTrees(tmp_path / "sources", served[0]).read(TARGET, served[2], ROOTS)) == 3
    assert not mark.exists()


def test_other_protocols_are_refused(tmp_path: Path) -> None:
    """A base that is no http(s) address is not followed."""
    repository(tmp_path / "served", TARGET, TREES / "target")
    with pytest.raises(ForgeError, match="not allowed"):
        GitTrees(tmp_path / "sources", f"file://{tmp_path / 'served'}").read(TARGET, "1" * 40, ROOTS)


def _read(folder: Path, address: str, sha: str) -> int:
    return len(GitTrees(folder, address).read(TARGET, sha, ROOTS))


def test_several_processes_share_a_clone(served: tuple[str, list[str], str, Path], tmp_path: Path) -> None:
    """Four processes that begin at once all read the tree, and leave a clone that git finds whole."""
    address, _, sha, _ = served
    folder = tmp_path / "sources"
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        assert pool.starmap(_read, [(folder, address, sha)] * 4) == [3] * 4
    clone = folder / "intel+torch-xpu-ops.git"
    subprocess.run(["git", "-C", str(clone), "fsck", "--connectivity-only"], check=True, capture_output=True)
