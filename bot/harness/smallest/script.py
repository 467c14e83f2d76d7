"""A call as a script that stands alone: inputs, the call, the expected value, an exit code."""

from typing import Any

import torch

from ..calls import dtype_name
from ..reference import written
from .probe import Variant

LITERALS = 64
"""Elements of a tensor that are written out."""


def script_of(variant: Variant, fields: dict[str, Any], device: str) -> str | None:
    """The script, or None where its numbers are too many or its result has no plain place."""
    tensors = {id(one): place for place, one in reversed(list(enumerate(variant.tensors)))}
    lines = ["import sys", "", "import torch", "", f'device = sys.argv[1] if len(sys.argv) > 1 else "{device}"']
    for key, place in sorted(tensors.items(), key=lambda one: one[1]):
        made = _made(next(one for one in variant.tensors if id(one) == key))
        if made is None:
            return None
        lines.append(f"x{place} = {made}")
    names = [_spelled(one, tensors) for one in variant.args]
    names += [f"{name}={_spelled(one, tensors)}" for name, one in variant.kwargs.items()]
    call = f"torch.ops.{variant.func._schema.name.replace('::', '.')}.{variant.func._overloadname or 'default'}"
    call = f"{call}({', '.join(names)})"
    check = _CHECKS.get(fields["kind"], _check_value)(call, variant, fields, tensors)
    return None if check is None else "\n".join([*lines, *check, ""])


def _made(tensor: torch.Tensor) -> str | None:
    dtype, shape = f"dtype=torch.{dtype_name(tensor.dtype)}, device=device", tuple(tensor.shape)
    numbers = tensor.detach().to("cpu")
    if not numbers.numel():
        return f"torch.empty({shape}, {dtype})"
    for dim in range(numbers.dim()):
        if along(numbers, dim):
            numbers = numbers.narrow(dim, 0, 1)
    if numbers.numel() == 1 and tensor.dim():
        text = f"torch.full({shape}, {_number(numbers.item())}, {dtype})"
    elif numbers.numel() <= LITERALS:
        text = f"torch.tensor({_number(numbers.tolist())}, {dtype})"
        text += f".expand{shape}.contiguous()" if tuple(numbers.shape) != shape else ""
    else:
        return None
    if not tensor.is_contiguous():
        text = f"torch.empty_strided({shape}, {tuple(tensor.stride())}, {dtype}).copy_({text})"
    return text


def along(tensor: torch.Tensor, dim: int) -> bool:
    """Is the tensor the same everywhere along a dimension?"""
    return bool((tensor == tensor.narrow(dim, 0, 1)).all())


def _number(number: Any) -> str:
    """As Python writes it, with names for what has no literal."""
    text = repr(number)
    if "inf" not in text and "nan" not in text:
        return text
    return text.replace("inf", "float('inf')").replace("nan", "float('nan')")


def _spelled(leaf: Any, tensors: dict[int, int]) -> str:
    if isinstance(leaf, torch.Tensor):
        return f"x{tensors[id(leaf)]}"
    if isinstance(leaf, list | tuple):
        return f"[{', '.join(_spelled(one, tensors) for one in leaf)}]"
    if isinstance(leaf, torch.device):
        return "device"
    return _number(leaf)


def _place(variant: Variant, fields: dict[str, Any], tensors: dict[int, int]) -> str | None:
    """How the output that is off is named after `results = ...`."""
    returns, output = variant.func._schema.returns, fields["output"]
    if output < len(returns):
        if any(str(one.type) != "Tensor" for one in returns):
            return None
        return "results" if len(returns) == 1 else f"results[{output}]"
    there = [id(one) for one in written(variant.func, variant.args, variant.kwargs)]
    left = output - len(returns)
    return f"x{tensors[there[left]]}" if left < len(there) and there[left] in tensors else None


Checked = list[str] | None


def _check_value(call: str, variant: Variant, fields: dict[str, Any], tensors: dict[int, int]) -> Checked:
    place = _place(variant, fields, tensors)
    if place is None or not fields.get("expected") or len(fields["observed"]) != len(fields["expected"]):
        return None
    pairs = list(zip(fields["observed"], fields["expected"], strict=True))
    worst = max(range(len(pairs)), key=lambda at: _far(*pairs[at]))
    flat = worst
    for size, index in zip(_strides(fields["shape"]), fields["where"], strict=True):
        flat += size * index
    result = f"torch.view_as_real({place})" if "complex" in str(fields.get("dtype")) else place
    got = [f"results = {call}", f"got = {result}.flatten()[{flat}].item()"]
    if fields["kind"] == "nan-inf":
        return [
            *got,
            f"expected = {_number(pairs[worst][1])}",
            'print(f"got {got}, expected {expected}")',
            "finite = (got - got == 0, expected - expected == 0)",
            "same = all(finite) or got == expected or (got != got and expected != expected)",
            "sys.exit(0 if same else 1)",
        ]
    allowed = fields.get("budget") or 0.0
    return [
        *got,
        f"expected, allowed = {_number(pairs[worst][1])}, {_number(float(allowed))}",
        'print(f"got {got}, expected {expected}, off by at most {allowed:.3g}")',
        "same = got == expected or (got != got and expected != expected)",
        "sys.exit(0 if same or abs(got - expected) <= allowed else 1)",
    ]


def _strides(shape: list[int]) -> list[int]:
    steps: list[int] = []
    size = 1
    for one in reversed(shape):
        steps.insert(0, size)
        size *= one
    return steps


def _far(observed: Any, expected: Any) -> float:
    gap = abs(float(observed) - float(expected))
    return gap if gap == gap else float("inf")  # noqa: PLR0124  the one number that differs from itself


def _check_missing(call: str, _: Variant, fields: dict[str, Any], __: dict[int, int]) -> Checked:
    name = str(fields["raised"]).partition(":")[0]
    return [
        "try:",
        f"    results = {call}",
        f"except {name} as error:",
        '    print("raised", error)',
        "    sys.exit(0)",
        f'print("accepted, where the CPU raises {name}:", results)',
        "sys.exit(1)",
    ]


def _check_needless(call: str, _: Variant, fields: dict[str, Any], __: dict[int, int]) -> Checked:
    name = str(fields["raised"]).partition(":")[0]
    return [
        "try:",
        f"    results = {call}",
        f"except {name} as error:",
        '    print("raised, where the CPU does not:", error)',
        "    sys.exit(1)",
        "print(results)",
    ]


def _check_again(call: str, variant: Variant, fields: dict[str, Any], tensors: dict[int, int]) -> Checked:
    place = _place(variant, fields, tensors)
    if place is None or not place.startswith("results"):
        return None
    return [
        "def once():",
        f"    results = {call}",
        f"    return {place}.cpu()",
        "",
        "first = once()",
        "others = [once() for _ in range(100)]",
        "differ = sum(not torch.equal(first, other) for other in others)",
        'print(differ, "of 100 calls give other bits than the first")',
        "sys.exit(1 if differ else 0)",
    ]


def _check_form(call: str, variant: Variant, fields: dict[str, Any], tensors: dict[int, int]) -> Checked:
    place = _place(variant, fields, tensors)
    if place is None:
        return None
    told = {"stride": "stride()", "dtype": "dtype", "device": "device.type", "shape": "shape"}[fields["kind"]]
    expected = {
        "stride": f"{tuple(fields.get('expected') or ())}",
        "shape": f"torch.Size({fields.get('expected')})",
        "dtype": f"torch.{str(fields.get('raised')).rpartition(' ')[2]}",
        "device": "torch.device(device).type",
    }[fields["kind"]]
    return [
        f"results = {call}",
        f"got, expected = {place}.{told}, {expected}",
        'print(f"got {got}, expected {expected}")',
        "sys.exit(0 if got == expected else 1)",
    ]


_CHECKS = {
    "error-missing": _check_missing,
    "error-extra": _check_needless,
    "nondeterministic": _check_again,
    **dict.fromkeys(("stride", "dtype", "device", "shape"), _check_form),
}
