"""dispatch: where torch's dispatcher sends an operator on a target, from `native_functions.yaml` and what a target
registers itself; and what a gradient is made of, from `derivatives.yaml`.

Both files come parsed, as YAML has them; nothing of torch is imported.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.cpp import read
from bot.model import Derivative, Dispatched, DispatchHow

NATIVE_FUNCTIONS = "aten/src/ATen/native/native_functions.yaml"
DERIVATIVES = "tools/autograd/derivatives.yaml"
NAME = re.compile(r"(?:\w+::)?(?P<base>\w+)(?:\.(?P<overload>\w+))?")
ENTRY = re.compile(r"- (?:func|name): ")
NO_FORMULA = frozenset({"name", "output_differentiability", "dispatch"})
COMPOSITE = {
    "CompositeImplicitAutograd": "it is made of other operators, their gradients too",
    "CompositeExplicitAutograd": "it is made of other operators, with a gradient of its own",
    "CompositeExplicitAutogradNonFunctional": "it is made of other operators, with a gradient of its own",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One overload in `native_functions.yaml`."""

    name: str
    overload: str
    line: int
    dispatch: Mapping[str, str] = field(default_factory=dict)
    """Key -> kernel."""
    delegate: str = ""
    """`base.overload` of the structured one that it is made from."""
    structured: bool = False


@dataclass(frozen=True, slots=True)
class Registered:
    """What a target's own sources say of an operator."""

    path: str
    line: int
    kernel: str = ""
    """Empty: it is run on the CPU."""


class Dispatch:
    """The tables of one torch, with what a target registers beside them."""

    def __init__(
        self,
        key: str,
        functions: Sequence[Entry],
        derivatives: Mapping[str, Derivative],
        fallbacks: Mapping[str, Registered],
        registered: Mapping[str, Registered],
        listed: Mapping[str, str],
    ) -> None:
        """`listed`: operators of the target's profile, name -> kernel; the last resort, for a torch that is older."""
        self._key = key
        self._entries: dict[str, list[Entry]] = {}
        for one in functions:
            self._entries.setdefault(one.name, []).append(one)
        self._derivatives, self._fallbacks = derivatives, fallbacks
        self._registered, self._listed = registered, listed

    def names(self) -> list[str]:
        """Base names of all operators, sorted."""
        return sorted(self._entries.keys() | self._registered.keys())

    def of(self, op: str) -> Dispatched:
        """Where an operator goes, by `name` or `name.overload`. Where overloads differ, those with a kernel speak."""
        base, _, overload = op.partition(".")
        entries = [one for one in self._entries.get(base, ()) if not overload or one.overload == overload]
        return (
            self._native(base, entries)
            or self._by_target(base, entries)
            or self._composite(base, entries)
            or self._by_list(base, entries)
        )

    def gradient(self, op: str) -> Derivative | None:
        """The operators that an operator's gradient calls."""
        return self._derivatives.get(op.partition(".")[0])

    def _entry(self, qualified: str) -> Entry | None:
        base, _, overload = qualified.partition(".")
        return next((one for one in self._entries.get(base, ()) if one.overload == overload), None)

    def _native(self, base: str, entries: Sequence[Entry]) -> Dispatched | None:
        found = [(one, table) for one in entries if self._key in (table := self._table(one))]
        if not found:
            return None
        entry, table = found[0]
        by = f" by its structured delegate {entry.delegate}" if self._key not in entry.dispatch else ""
        return self._told(
            base,
            DispatchHow.NATIVE,
            entry,
            f"native_functions.yaml sends {base} on {self._key}{by} to {table[self._key]}",
            kernel=table[self._key],
            delegate=entry.delegate if by else None,
            structured=entry.structured or bool(by),
            overloads=_some(entries, [one for one, _ in found]),
        )

    def _table(self, entry: Entry) -> Mapping[str, str]:
        """Key -> kernel: what its structured delegate has, and what it says itself."""
        delegate = self._entry(entry.delegate) if entry.delegate else None
        return {**(delegate.dispatch if delegate else {}), **entry.dispatch}

    def _by_target(self, base: str, entries: Sequence[Entry]) -> Dispatched | None:
        for names, how in ((self._registered, DispatchHow.NATIVE), (self._fallbacks, DispatchHow.FALLBACK)):
            keys = [base, *(f"{base}.{one.overload}" for one in entries if one.overload)]
            found = [(key, names[key]) for key in keys if key in names]
            if found:
                key, place = found[0]
                what = f"registers {place.kernel} for" if place.kernel else "lists for the CPU fallback:"
                return Dispatched(
                    op=base, how=how, key=self._key, kernel=place.kernel or None, path=place.path, line=place.line,
                    in_target=True, why=f"{place.path}:{place.line} {what} {key}",
                    overloads=() if key == base and len(found) == len(keys) else tuple(key for key, _ in found),
                )  # fmt: skip
        return None

    def _composite(self, base: str, entries: Sequence[Entry]) -> Dispatched | None:
        for entry in entries:
            table = self._table(entry)
            key = next((one for one in COMPOSITE if one in table), None)
            if key is None and (table or entry.structured or entry.delegate):
                continue
            told = COMPOSITE[key or "CompositeImplicitAutograd"]
            why = (
                f"native_functions.yaml has {base} as {key or 'CompositeImplicitAutograd (no dispatch table)'}: {told}"
            )
            return self._told(base, DispatchHow.COMPOSITE, entry, why, kernel=table.get(key or ""))
        return None

    def _by_list(self, base: str, entries: Sequence[Entry]) -> Dispatched:
        if base in self._listed:
            kernel = self._listed[base].partition(" ")[0]
            read_ = f"the native_functions.yaml that was read names no {self._key} kernel"
            why = f"the profile lists {kernel} for {base}; {read_}"
            return Dispatched(op=base, how=DispatchHow.NATIVE, key=self._key, kernel=kernel, why=why)
        if not entries:
            why = f"native_functions.yaml has no operator {base}"
            return Dispatched(op=base, how=DispatchHow.NONE, key=self._key, why=why)
        others = ", ".join(sorted({key for one in entries for key in self._table(one)})[:6])
        why = f"native_functions.yaml has {base} for {others} and not for {self._key}"
        return self._told(base, DispatchHow.NONE, entries[0], why)

    def _told(self, base: str, how: DispatchHow, entry: Entry, why: str, **more: Any) -> Dispatched:
        return Dispatched(op=base, how=how, key=self._key, path=NATIVE_FUNCTIONS, line=entry.line, why=why, **more)


def _some(entries: Sequence[Entry], found: Sequence[Entry]) -> tuple[str, ...]:
    """The overloads that are meant, where not all are."""
    return tuple(one.overload or "default" for one in found) if len(found) < len(entries) else ()


def entries_of(text: str, parsed: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """The overloads of a `native_functions.yaml`, from its text (for the lines) and as YAML has it."""
    return [
        Entry(
            name=match["base"],
            overload=match["overload"] or "",
            line=line,
            dispatch=_by_key(one.get("dispatch") or {}),
            delegate=one.get("structured_delegate") or "",
            structured=bool(one.get("structured")),
        )
        for line, one in zip(_lines(text), parsed, strict=True)
        if (match := NAME.match(str(one.get("func", ""))))
    ]  # fmt: skip


def derivatives_of(text: str, parsed: Sequence[Mapping[str, Any]], operators: Iterable[str]) -> dict[str, Derivative]:
    """Base name -> what its gradients call, of those that call an operator."""
    known = frozenset(operators)
    found: dict[str, Derivative] = {}
    for line, one in zip(_lines(text), parsed, strict=True):
        match = NAME.match(str(one.get("name", "")))
        if match is None or match["base"] in found:
            continue
        formulas = [str(told) for key, told in one.items() if key not in NO_FORMULA]
        for table in (one.get("dispatch") or {}).values():
            formulas += map(str, table.values()) if isinstance(table, dict) else []
        calls = tuple(dict.fromkeys(name for formula in formulas for name in _called(formula) if name in known))
        if calls:
            found[match["base"]] = Derivative(op=match["base"], calls=calls, line=line)
    return found


def _by_key(dispatch: Mapping[str, str]) -> dict[str, str]:
    """`CPU, CUDA: kernel` as two entries."""
    return {key.strip(): str(kernel) for keys, kernel in dispatch.items() for key in keys.split(",")}


def _lines(text: str) -> list[int]:
    """Where each entry begins, 1-based."""
    return [at for at, line in enumerate(text.split("\n"), 1) if ENTRY.match(line)]


def _called(formula: str) -> list[str]:
    """The functions that a formula, a C++ expression, calls; methods of tensors too."""
    return [call.name for call in read("formula.cpp", f"void gradient() {{ auto result = {formula}; }}").calls]
