"""Reading kernel trees: what stands in a checkout, what the rules say of it, and what is remembered of both.

What was read before is answered from memory without loading the model or the grammar: that takes a tenth of the time.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bot import registry, targets
from bot.edges.memory import Memory, digest_of
from bot.edges.pool import spread
from bot.edges.sources import SourceFile, committed, list_tree, read_files
from bot.edges.stat_cache import StatCache
from bot.errors import InputError

if TYPE_CHECKING:
    from bot.stages.analyse import Examined

KIND = "kernel"
HERE = Path(__file__).parent
MADE_BY = (
    "cpp/*.py", "rules/kernel/*.py", "stages/analyse.py", "stages/web.py", "stages/kernel_pairs.py",
    "stages/operators.py", "model/kernel.py", "targets/*.t*", "analysing.py",
)  # fmt: skip
"""Files of this package on which a reading hangs: when one changes, nothing remembered is true."""


class Analysis(NamedTuple):
    """What a tree gives."""

    findings: list[dict[str, Any]]
    """As in `--json`; `ops` are all operators that come to the place."""
    unread: list[tuple[str, int, int, str]]
    """Path, first and last line, and why."""
    files: int


def analyse(target: Path, upstream: Path | None, device: str) -> Analysis:
    """Everything that the rules say of a tree. Raises InputError for folders and files that can't be read."""
    profile = profile_of(device)
    folder = state_folder() / "kernels"
    memory = Memory(folder, _version())
    trees = [_Tree(folder, target, profile["source_roots"], "--target-source")]
    trees += [_Tree(folder, upstream, counterparts_of(device), "--upstream-source")] if upstream else []
    plain = memory.tree(_name(device, trees))
    if plain is None:
        plain = _settled(trees[0].files(), trees[1].files() if upstream else [], device, memory)
        memory.keep_tree(_name(device, trees), plain)
    links = committed(target, profile["tracker"])
    found = [_linked(one, trees[0].digests, links) for one in plain["findings"]]
    return Analysis(found, plain["unread"], len(trees[0].digests))


def remembered(files: Sequence[SourceFile], others: Sequence[SourceFile], device: str) -> dict[str, Any]:
    """What the rules say of these files: `findings` and `unread`; from memory where it was asked before."""
    memory = _memory()
    name = digest_of([device, *_told(files), *(_told(others) if others else ())])
    plain = memory.tree(name)
    if plain is None:
        plain = _settled(files, others, device, memory)
        memory.keep_tree(name, plain)
    return plain


def examined(files: Sequence[SourceFile]) -> "list[Examined]":
    """What each file gives by itself, likewise."""
    return _examined(files, [], _memory())[0]


def _memory() -> Memory:
    return Memory(state_folder() / "kernels", _version())


def _told(files: Sequence[SourceFile]) -> list[str]:
    return [f"{one.digest} {one.path}" for one in (*files, SourceFile("", "", ""))]


class _Tree:
    """The kernel files of a folder; they are read only if they may have changed or if somebody needs their texts."""

    def __init__(self, memory: Path, folder: Path, roots: Sequence[str], what: str) -> None:
        self._folder = folder
        self._paths = list_tree(folder, roots, what)
        self._cache = StatCache(memory, folder)
        self._files: list[SourceFile] | None = None
        self.digests: Mapping[str, str] = self._cache.digests(self._cache.stamps(self._paths)) or {}
        """Path -> what git calls its content."""
        if not self.digests:
            self.files()

    def files(self) -> list[SourceFile]:
        """All of them, with their texts."""
        if self._files is None:
            stamps = self._cache.stamps(self._paths)
            self._files = read_files(self._folder, self._paths)
            self.digests = {one.path: one.digest for one in self._files}
            self._cache.keep(stamps, self.digests)
        return self._files


def _name(device: str, trees: Sequence[_Tree]) -> str:
    """One name for what the trees hold."""
    told = [f"{digest} {path}" for tree in trees for path, digest in (*tree.digests.items(), ("", ""))]
    return digest_of([device, *told])


def _linked(finding: dict[str, Any], digests: Mapping[str, str], links: Mapping[str, str]) -> dict[str, Any]:
    """A finding with the link to its lines, if the file is as it was committed."""
    digest, _, url = links.get(finding["path"], "").partition(" ")
    same = url and digests.get(finding["path"]) == digest
    lines = f"L{finding['line']}" + (f"-L{finding['end_line']}" if finding["end_line"] > finding["line"] else "")
    return {**finding, "permalink": f"{url}#{lines}" if same else None}


def _settled(files: Sequence[SourceFile], others: Sequence[SourceFile], device: str, memory: Memory) -> dict[str, Any]:
    """Examine what is new, then settle what hangs together."""
    from bot.stages import analyse as stage  # noqa: PLC0415
    from bot.stages.kernel_pairs import pairs  # noqa: PLC0415
    from bot.stages.operators import reaching  # noqa: PLC0415
    from bot.stages.web import Web  # noqa: PLC0415

    rules = registry.rules(KIND)
    examined, counterparts = _examined(files, others, memory)
    web = Web(one.facts for one in examined)
    ops = reaching(web, targets.kernels(device)["operators"], device)
    found = stage.findings(examined, web, ops)
    if counterparts:
        texts = {one.path: one.text for one in files}
        found += stage.unchecked(pairs(web, Web(one.facts for one in counterparts), device), rules, texts, ops)
    unread = [(one.facts.path, *place) for one in examined for place in one.facts.unread]
    return {"findings": [one.as_json() for one in stage.ordered(found)], "unread": unread}


def _examined(
    files: Sequence[SourceFile], others: Sequence[SourceFile], memory: Memory
) -> "tuple[list[Examined], list[Examined]]":
    """What each file gives, from memory where its text was read before; of the others only their own facts."""
    from bot.stages.analyse import Examined  # noqa: PLC0415

    known = memory.files()
    wanted = {_key(one, ruled): (one, ruled) for ruled in (True, False) for one in (files if ruled else others)}
    new = sorted((key for key in wanted if key not in known), key=lambda key: -len(wanted[key][0].text))
    if new:
        known |= dict(zip(new, spread(_read_one, [wanted[key] for key in new]), strict=True))
        memory.keep_files({key: known[key] for key in wanted} if len(known) > MOST_KEPT else known)
    made = partial(_made, known, Examined.of_json)
    return [made(one, True) for one in files], [made(one, False) for one in others]


def _key(file: SourceFile, ruled: bool) -> str:
    return file.digest + ("" if ruled else "-facts")


MOST_KEPT = 4_000
"""Texts that are remembered; beyond that those of this tree alone."""


def _made(
    known: Mapping[str, str],
    made: "Callable[[str, dict[str, Any]], Examined]",
    file: SourceFile,
    ruled: bool,
) -> "Examined":
    return made(file.path, json.loads(known[_key(file, ruled)]))


def _read_one(asked: tuple[SourceFile, bool]) -> str:
    """In a process of its own: what one file gives, with or without the rules' word, as JSON on one line."""
    from bot.stages.analyse import examine  # noqa: PLC0415

    file, ruled = asked
    found = examine(file.path, file.text, registry.rules(KIND) if ruled else ())
    return json.dumps(found.as_json(), separators=(",", ":"))


def chosen(analysis: Analysis, ops: Sequence[str], rules: Sequence[str], device: str) -> list[dict[str, Any]]:
    """The findings of these operators and rules; of all where none is named."""
    asked = [operator_named(op, device) for op in ops]
    found = [one for one in analysis.findings if not rules or one["rule"] in rules]
    if not asked:
        return found
    return [{**one, "op": op} for op in dict.fromkeys(asked) for one in found if op in one["ops"]]


def check_rule(name: str) -> None:
    """Raises InputError with the nearest names for a rule that there isn't."""
    _known(name, registry.names(KIND), "kernel rule")


def operator_named(op: str, device: str) -> str:
    """An operator's base name, as the kernel list has it. Raises InputError with the nearest names."""
    listed = targets.kernels(device)
    name = op.rpartition("::")[2].partition(".")[0]
    if name in listed["fallbacks"]:
        raise InputError(f"{name} runs on the CPU: {device} has no kernel for it")
    _known(name, tuple(listed["operators"]), f"operator with a kernel on {device}")
    return name


def _known(name: str, names: Sequence[str], what: str) -> None:
    """Raises InputError for a name that is none of these."""
    from difflib import get_close_matches  # noqa: PLC0415

    if name not in names:
        near = get_close_matches(name, names, n=3, cutoff=0.5)
        hint = f"; near it: {', '.join(near)}" if near else f"; there are {', '.join(names[:12])}"
        raise InputError(f"no {what} is called '{name}'{hint}")


@cache
def profile_of(device: str) -> dict[str, Any]:
    """A device's profile as it is written. Raises InputError for one without kernels of its own."""
    try:
        profile = targets.written(device)
    except KeyError as error:
        raise InputError(f"no target profile for '{device}'; there are {', '.join(targets.names())}") from error
    if not profile.get("source_roots"):
        raise InputError(f"the profile of {device} names no folders of kernels")
    return profile


def counterparts_of(device: str) -> tuple[str, ...]:
    """Folders of upstream that a device's kernels have counterparts in. Raises InputError where there are none."""
    folders = profile_of(device).get("path_map")
    if not folders:
        raise InputError(f"the profile of {device} names no counterparts of its kernels: leave --upstream-source out")
    return tuple(folders)


def state_folder() -> Path:
    """Where things are remembered; the configuration is only loaded where a file may say something else."""
    import platformdirs  # noqa: PLC0415

    named = os.environ.get("ALIGNBOT_STATE")
    if named and not os.environ.get("ALIGNBOT_CONFIG"):
        return Path(named).expanduser().resolve()
    places = (
        Path("alignbot.toml"),
        Path(platformdirs.user_config_dir("alignbot")),
        Path(platformdirs.site_config_dir("alignbot")),
    )
    if os.environ.get("ALIGNBOT_CONFIG") or any(place.exists() for place in places):
        from bot.config import load  # noqa: PLC0415

        return load()[0].state.expanduser().resolve()
    return Path(platformdirs.user_state_dir("alignbot")).resolve()


@cache
def _version() -> str:
    """One name for the rules, the grammar and everything else on which a reading hangs."""
    paths = sorted(path for pattern in MADE_BY for path in HERE.glob(pattern))
    texts = [f"{path.relative_to(HERE)} {path.read_text('utf-8')}" for path in paths]
    return digest_of([*map(_installed, ("tree_sitter", "tree_sitter_cpp")), *texts])[:12]


def _installed(package: str) -> str:
    """When and where a package was installed: asking for its version takes longer than all the rest."""
    spec = find_spec(package)
    place = Path(spec.origin) if spec is not None and spec.origin else HERE
    return f"{place} {place.stat().st_mtime_ns}"
