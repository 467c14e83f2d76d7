"""owner: whose code has the fault, told by names and paths before anything runs.

A fix in code that the target builds too reaches it without anybody's help; one in a kernel that it keeps apart doesn't.
No source is read here: who knows better is the kernel's source, and a run.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache

from bot.model import Item, ItemClass, Owned, Ownership, Ruling, Target
from bot.stages.family import RUNS_AS, stem

Owner = Callable[[Sequence[Item], Ruling], Owned]
ELSEWHERE = (Ownership.SHARED_UPSTREAM, Ownership.VENDOR)
"""Not the target's own code: it is watched, and never run."""
ASIDE = re.compile(
    r"(?:test|tests|docs|benchmarks|torch/testing|\.github|\.ci)/|.*(?:\.(?:md|rst|txt|pyi)|/(?:test_\w+\.py|native_functions\.yaml))$"
)
"""Changed files that say nothing of whose fault it is."""
TAG = re.compile(r"\[[^\[\]]{1,60}\]|^\s{0,4}[\w/.-]{1,30}:")
"""Where a title says what it is about, before it says what is wrong."""
STATUS = re.compile(r"_[A-Z_]+$|Status[A-Z]")
"""An error that the library itself gave: `CUDNN_STATUS_NOT_SUPPORTED`."""
KERNEL = re.compile(r"_?kernels?(?:impl)?$|cuda|hip|_")


def owner(target: Target) -> Owner:
    """What tells, of a chain's items and its ruling, whose code it is about."""
    kernels = _Kernels(target)

    def own(items: Sequence[Item], ruling: Ruling) -> Owned:
        files = [file.path for item in items for file in item.files if not ASIDE.match(file.path)]
        return kernels.by_files(sorted(set(files)), ruling) or kernels.by_words(items, ruling)

    return own


def covering(path: str, target: Target) -> str:
    """Why an upstream file is built for the target too; empty where it isn't, or where that is not known."""
    if path in target.headers:
        return "its sources include it"
    if _any_of(target.shared).match(path):
        return "it stands above all devices"
    return ""


def counterparts(path: str, target: Target) -> list[str]:
    """The target's files of the same name in the folder that the map names."""
    return _Kernels(target).counterparts(path)


class _Kernels:
    """What a target has of its own, ready to be asked."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._name = target.stands_in_for or target.name
        self._title = self._name.upper()
        self._shared = _any_of(target.shared)
        self._host = _any_of(target.host)
        self._vendor = _any_of(target.vendor)
        self._words = re.compile(target.vendor_words) if target.vendor_words else None
        self._roots = tuple(f"{root}/" for root in target.upstream_roots)
        self._folders = sorted(target.path_map, key=len, reverse=True)
        self._stems: dict[str, list[str]] = {}
        for name in target.operators:
            self._stems.setdefault(stem(name), []).append(name)
        self._files: dict[str, list[str]] = {}
        for path in sorted(target.sources, key=lambda path: (not path.endswith(".cpp"), "/sycl/" not in path, path)):
            self._files.setdefault(_file_stem(path), []).append(path)

    def by_files(self, files: Sequence[str], ruling: Ruling) -> Owned | None:
        """By what was changed; None where no changed file tells."""
        own = next((path for path in files if path.startswith(self._roots)), None) if self._roots else None
        if own:
            why = f"{own} is {self._title}'s own kernel in the upstream repository"
            return Owned(ownership=Ownership.TARGET, why=why, path=own)
        vendor = next((path for path in files if self._vendor.match(path)), None)
        kernels = [path for path in files if self._folder(path) and not self._vendor.match(path)]
        if kernels:
            return self._apart(next(filter(self._counterpart, kernels), kernels[0]), ruling)
        if vendor:
            why = f"{vendor} calls a library that {self._title} does not use"
            return Owned(ownership=Ownership.VENDOR, why=why)
        return self._common(files, ruling)

    def by_words(self, items: Sequence[Item], ruling: Ruling) -> Owned:
        """By what is named, where no changed file tells."""
        if ruling.item_class is ItemClass.SHARED_UPSTREAM:
            why = "it is about code above all devices, which the upstream fix covers"
            return Owned(ownership=Ownership.SHARED_UPSTREAM, why=why)
        found = self._operator(ruling.ops)
        told = self._vendors(items, in_passing=found is None)
        if told:
            return Owned(ownership=Ownership.VENDOR, why=f"{told}, a library that {self._title} does not use")
        if found:
            return self._owned(found, "")
        fallen = next((op for op in ruling.ops if op in self.target.fallbacks), None)
        if fallen:
            return _unknown(f"{self._title} runs {fallen} on the CPU: there is no kernel of its own")
        what = f"of {', '.join(ruling.ops[:3])}" if ruling.ops else "without an operator"
        return _unknown(f"no kernel list of {self._title} tells who owns the code {what}")

    def _vendors(self, items: Sequence[Item], *, in_passing: bool) -> str | None:
        """Who says that it is another vendor's library. Of an operator with a kernel of its own a word in passing says
        nothing: faults of the kernel are found by turning the library off. Its tag and its own error do."""
        if self._words is None:
            return None
        for title in (item.title[:512] for item in items):
            tags = [match.span() for match in TAG.finditer(title)]
            for match in self._words.finditer(title):
                tagged = any(start <= match.start() and match.end() <= end for start, end in tags)
                if in_passing or tagged or STATUS.search(match.group()):
                    return f"the title names {match.group()}"
        labels = (label for item in items for label in item.labels if in_passing and self._words.search(label))
        return next((f"the label {label!r} names it" for label in labels), None)

    def _apart(self, kernel: str, ruling: Ruling) -> Owned:
        """A CUDA or ROCm kernel was changed: the target's is another file, where there is one."""
        other, found = self._counterpart(kernel), self._operator(ruling.ops)
        if found:
            return self._owned(found, f"; {kernel} is the counterpart of its {other}" if other else "")
        if other:
            why = f"{kernel} has a counterpart of its own in {self._title}: {other}"
            return Owned(ownership=Ownership.TARGET, why=why, path=other)
        return _unknown(f"{kernel} is a kernel that {self._title} does not build, and no counterpart is known")

    def _common(self, files: Sequence[str], ruling: Ruling) -> Owned | None:
        """Only code that is not a device's was changed, or some that says nothing."""
        telling = [path for path in files if self._covers(path) or self._host.match(path)]
        if not telling or len(telling) < len(files):
            return None
        found = self._operator(ruling.ops)
        if found and not any(map(self._covers, telling)) and self._has_host_function(found):
            return self._owned(found, f" with a host function that {telling[0]} is not part of")
        why = f"{telling[0]} is built for {self._title} too: the upstream fix covers it"
        return Owned(ownership=Ownership.SHARED_UPSTREAM, why=why)

    def _covers(self, path: str) -> bool:
        return path in self.target.headers or bool(self._shared.match(path))

    def _has_host_function(self, name: str) -> bool:
        """Is its kernel a function of the target's own, and not one that the operator's structure calls?"""
        kernel, *rest = self.target.operators[name].split()
        return self._name in kernel.split("_") and "structured" not in rest

    def _owned(self, name: str, further: str) -> Owned:
        kernel, path, *_ = self.target.operators[name].split()
        place = f" in {path}" if path != "-" else ""
        why = f"{self._title} has its own kernel of {name}: the dispatcher calls {kernel}{place}{further}"
        return Owned(ownership=Ownership.TARGET, why=why, kernel=kernel, path=path if place else None)

    def _operator(self, ops: Sequence[str]) -> str | None:
        """The first of the operators that has a kernel here, as the dispatcher names it."""
        for op in ops:
            if op in self.target.operators:
                return op
        for op in ops:
            if op in self.target.fallbacks:
                continue
            for kin in (stem(op), *RUNS_AS.get(stem(op), ())):
                names = self._stems.get(kin) or self._beginning(kin)
                if names:
                    return min(names, key=lambda name: (("backward" in name) != ("backward" in op), len(name), name))
        return None

    def _beginning(self, kin: str) -> list[str]:
        return (
            [name for one, names in self._stems.items() if one.startswith(kin) for name in names]
            if kin.endswith("_")
            else []
        )

    def _folder(self, path: str) -> str | None:
        return next((folder for folder in self._folders if path.startswith(f"{folder}/")), None)

    def _counterpart(self, path: str) -> str | None:
        return next(iter(self.counterparts(path)), None)

    def counterparts(self, path: str) -> list[str]:
        """The target's files of the same name in the folder that the map names, kernels first."""
        folder = self._folder(path)
        mapped = f"{self.target.path_map[folder]}/" if folder else None
        return [one for one in self._files.get(_file_stem(path), ()) if mapped and one.startswith(mapped)]


@cache
def _file_stem(path: str) -> str:
    """`gridsampler` for `…/GridSampler.cu` and for `…/GridSamplerKernels.cpp`."""
    return KERNEL.sub("", path.rpartition("/")[2].partition(".")[0].lower())


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) if patterns else r"(?!)")


def _unknown(why: str) -> Owned:
    return Owned(ownership=Ownership.UNKNOWN, why=why)
