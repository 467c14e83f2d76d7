"""What Python asks of torch: "xpu" becomes the device that stands for it, and autocast does its casts.

A function mode sees every call of torch's own API before C++ reads its arguments.
"""

from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from . import autocast
from .device import STAND_IN, is_xpu, stand_in
from .tensor import Tensor, set_data

_TEXT_TAKEN = frozenset({"to", "type"})
"""Methods that take a device as a plain string in the first place."""


class FunctionMode(TorchFunctionMode):
    """Rewrites the device of a call. What torch's own Python code calls below is seen by the dispatcher only."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """The call with its device replaced."""
        kwargs = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        if func is torch.device:
            return func(*args, **kwargs)
        instead = _instead(func, name, args)
        if instead is not None:
            return instead(*args, **kwargs)
        kwargs.pop("pin_memory", None)
        text_at = 1 if name in _TEXT_TAKEN else None
        args = tuple(
            stand_in(one) if isinstance(one, torch.device) or place == text_at else one
            for place, one in enumerate(args)
        )
        if "device" in kwargs:
            kwargs["device"] = stand_in(_numbered(kwargs["device"]))
        if name == "type" and len(args) > 1 and str(args[1]).startswith("torch.xpu."):
            return args[0].to(STAND_IN).type(args[1]) if not isinstance(args[0], Tensor) else args[0].type(args[1])
        try:
            return autocast.called(func, name, args, kwargs)
        except RuntimeError as error:
            raise _named(error) from error.__cause__


def _instead(func: Any, name: str, args: tuple[Any, ...]) -> Any:
    """What answers in place of a function that torch answers in C++, by the device or by the class; None for most."""
    if not args or not isinstance(args[0], torch.Tensor):
        return None
    if name == "_has_compatible_shallow_copy_type" and any(isinstance(one, Tensor) for one in args):
        return _compatible
    if name == "__set__" and getattr(func, "__self__", None) is _DATA:
        return set_data
    if name in _OF_ANY:
        return None if isinstance(args[0], Tensor) and name != "xpu" else _OF_ANY[name]
    return _OWN.get(name) if isinstance(args[0], Tensor) else None


_DATA = torch._C.TensorBase.data


def _new_tensor(like: Tensor, content: Any, **options: Any) -> torch.Tensor:
    options = {"dtype": like.dtype, "device": STAND_IN} | {key: one for key, one in options.items() if one is not None}
    return torch.tensor(content, **{**options, "device": stand_in(options["device"])})


def _new(like: Tensor, *content: Any, **options: Any) -> torch.Tensor:
    if len(content) == 1 and not isinstance(content[0], int | torch.Size):
        return _new_tensor(like, content[0], **options)
    return torch.empty(*content, dtype=like.dtype, device=STAND_IN)


def _ctc_loss(
    log_probs: Tensor, targets: Any, input_lengths: Any, target_lengths: Any, *rest: Any, **named: Any
) -> Any:
    """Lengths may lie on the CPU. Torch reads them there, but not for a class of tensors that it doesn't know."""
    lengths = [tuple(one.tolist()) if isinstance(one, torch.Tensor) else one for one in (input_lengths, target_lengths)]
    return torch.nn.functional.ctc_loss(log_probs, targets, *lengths, *rest, **named)


_OWN = {"new_tensor": _new_tensor, "new": _new, "ctc_loss": _ctc_loss}


def _named(error: RuntimeError) -> RuntimeError:
    """The same error with the device's own name in its text."""
    if error.args and isinstance(error.args[0], str):
        text = error.args[0]
        for inside, outside in (("meta:1", "xpu:0"), ("[Meta", "[XPU"), ("device type 'meta'", "device type 'xpu'")):
            text = text.replace(inside, outside)
        error.args = (text, *error.args[1:])
    return error


def _numbered(device: Any) -> Any:
    """`0` means the accelerator's first device."""
    return f"xpu:{device}" if isinstance(device, int) else device


def constructor(device: Any) -> Any:
    """What a default device is to the functions that make tensors."""
    return stand_in(device) if is_xpu(device) else device


def _compatible(*_: Any) -> bool:
    """`Module.to` then exchanges the data of its parameters, which `set_data` can."""
    return True


def _xpu(tensor: torch.Tensor, device: Any = None, non_blocking: bool = False, **_: Any) -> torch.Tensor:
    return tensor.to(STAND_IN if device is None else stand_in(_numbered(device)), non_blocking=non_blocking)


def _is_pinned(tensor: torch.Tensor, *_: Any, **__: Any) -> bool:
    return bool(getattr(tensor, "_simulated_pinned", False))


def _pin_memory(tensor: torch.Tensor, *_: Any, **__: Any) -> torch.Tensor:
    """Memory that the device could read faster: an ordinary copy that says it is pinned."""
    copied: Any = tensor.clone()
    copied._simulated_pinned = True
    return copied


_OF_ANY = {"xpu": _xpu, "is_pinned": _is_pinned, "pin_memory": _pin_memory}
"""Methods of CPU tensors too."""
