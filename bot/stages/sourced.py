"""sourced: what source says of a case's operators, put together from what was read of both trees."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.model import (
    Commit,
    DefectKind,
    Derivative,
    Dispatched,
    DispatchHow,
    HostSide,
    Item,
    KernelFinding,
    SourceEvidence,
    Target,
)
from bot.registry import Rule
from bot.stages.changed import changes, place_of, settled
from bot.stages.dispatch import Dispatch
from bot.stages.family import related
from bot.stages.kernel_pairs import host_side
from bot.stages.operators import roots
from bot.stages.web import Web

CAUSES: Mapping[DefectKind, tuple[str, ...]] = {
    DefectKind.PRECISION: ("narrow-accumulator",),
    DefectKind.SILENT_WRONG_RESULT: (
        "narrow-accumulator", "int32-index", "nan-handling", "uninitialised-output", "unguarded-index",
    ),
    DefectKind.OVERFLOW: ("int32-index", "narrow-accumulator"),
    DefectKind.MEMORY_ERROR: ("unguarded-index", "int32-index", "uninitialised-output", "missing-check"),
    DefectKind.MISSING_CHECK: ("missing-check", "dtype-gap", "unguarded-index"),
    DefectKind.NAN: ("nan-handling", "uninitialised-output"),
    DefectKind.DETERMINISM: ("nondeterminism-unflagged",),
    DefectKind.DTYPE_SHAPE: ("dtype-gap", "missing-check"),
    DefectKind.CRASH: ("empty-input", "unguarded-index", "dtype-gap", "missing-check", "int32-index"),
}  # fmt: skip
"""Which rules may tell why a kernel has such a defect, the likeliest first."""
MOST_KIN = 6
"""Operators of the dispatcher that one public name may stand for."""
HEADERS = (".h", ".hpp", ".cuh", ".inl")
SHARED = ("ATen/", "c10/", "torch/")
APART = ("/xpu/", "sycl", "ATen/ops/")


@dataclass(frozen=True, slots=True)
class Tree:
    """A target's kernel tree as read, with torch's tables."""

    target: Commit
    upstream: Commit | None
    files: int
    web: Web
    findings: tuple[KernelFinding, ...]
    unread: tuple[tuple[str, int, int, str], ...]
    dispatch: Dispatch


def sourced(
    named: Sequence[str],
    items: Sequence[Item],
    tree: Tree,
    target: Target,
    kernel_rules: Sequence[Rule],
    change_rules: Sequence[Rule],
) -> SourceEvidence:
    """The evidence for the operators that a case names or ran, and for what its chain's patches change."""
    ops = resolved(named, tree.dispatch)
    derivatives = [found for op in ops if (found := tree.dispatch.gradient(op))]
    dispatch = [tree.dispatch.of(op) for op in (*ops, *_backward(derivatives, ops))]
    hosts = {one.op: _hosts(one, tree, target) for one in dispatch}
    sides = [side for found in hosts.values() for side in found]
    asked = {one.op for one in dispatch}
    kernels = [one for one in tree.findings if asked & set(one.ops)]
    paths = {one.path for one in kernels} | {one.path for one in sides}
    made = (settled(one, target, tree.findings, hosts, kernel_rules) for one in changes(items, change_rules))
    return SourceEvidence(
        target=tree.target,
        upstream=tree.upstream,
        files=tree.files,
        dispatch=tuple(dispatch),
        derivatives=tuple(derivatives),
        hosts=tuple(place_of(one) for one in sides),
        kernels=tuple(kernels),
        changes=tuple(made),
        unread=tuple(one for one in tree.unread if one[0] in paths),
        includes=tuple(_shared(tree.web, paths)),
    )


def resolved(named: Iterable[str], dispatch: Dispatch) -> list[str]:
    """The dispatcher's names for what people name: itself, else its nearest kin that has a kernel."""
    known = dispatch.names()
    names = frozenset(known)
    found: dict[str, None] = {}
    for name in named:
        if name in names:
            found[name] = None
            continue
        kin = [one for one in known if related(one, [name]) and dispatch.of(one).how is DispatchHow.NATIVE]
        backward = "backward" in name
        kin.sort(key=lambda one: (("backward" in one) != backward, one.startswith("_"), len(one), one))
        found.update(dict.fromkeys(kin[:MOST_KIN]))
    return list(found)


def _backward(derivatives: Iterable[Derivative], ops: Sequence[str]) -> list[str]:
    """Operators that gradients of these call, where they are kernels of gradients."""
    called = (name for one in derivatives for name in one.calls if "backward" in name)
    return [name for name in dict.fromkeys(called) if name not in ops]


def _hosts(one: Dispatched, tree: Tree, target: Target) -> list[HostSide]:
    """An operator's host functions in the target's tree."""
    if one.how is not DispatchHow.NATIVE or one.kernel is None:
        return []
    found: list[HostSide] = []
    for name in roots(one.op, one.kernel, target.stands_in_for or target.name)[:1]:
        for path, unit in tree.web.units.get(name, ()):
            if not (unit.functor or path.endswith(HEADERS)):
                found.append(host_side(tree.web, path, unit, everywhere=True)[0])
    return found


def _shared(web: Web, paths: Iterable[str]) -> list[str]:
    """Upstream headers that files include, sorted."""
    wanted = set(paths)
    named = {header for one in web.files if one.path in wanted for header in one.includes}
    return sorted(one for one in named if one.startswith(SHARED) and not any(part in one for part in APART))


def causes(source: SourceEvidence, op: str, defect: DefectKind, sibling: str = "") -> list[KernelFinding]:
    """What the rules say of one operator's kernels that may cause such a defect, the likeliest and nearest first."""
    rules = CAUSES.get(defect, ())
    order: Mapping[str, int] = {rule: at for at, rule in enumerate(rules)}
    found = [one for one in source.kernels if op in one.ops and one.rule in order]
    mode = sibling.partition("=")[2]

    def nearness(one: KernelFinding) -> tuple[object, ...]:
        return order[one.rule], one.ops.index(op), bool(mode) and mode not in one.symbol, one.path, one.line

    return sorted(found, key=nearness)
