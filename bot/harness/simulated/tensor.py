"""Tensors of the simulated device: a shell that torch takes for a device tensor, around the CPU tensor that computes.

The shell has shape, strides, dtype and autograd; the numbers are in `inner`. What Python asks of a tensor without the
dispatcher (its device, its pointer, its numbers) is answered here.
"""

import copy
from typing import Any

import torch

from . import memory
from .device import STAND_IN, XPU

_ROOT: Any = torch._C.TensorBase
_NAMES = {
    torch.float16: "HalfTensor",
    torch.bfloat16: "BFloat16Tensor",
    torch.float32: "FloatTensor",
    torch.float64: "DoubleTensor",
    torch.uint8: "ByteTensor",
    torch.int8: "CharTensor",
    torch.int16: "ShortTensor",
    torch.int32: "IntTensor",
    torch.int64: "LongTensor",
    torch.bool: "BoolTensor",
}


class Tensor(torch.Tensor):
    """A tensor on xpu:0. The class is named as torch's own, since scripts print the type."""

    inner: torch.Tensor
    simulated_device = XPU
    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Where no mode is active: threads, printing."""
        from .dispatch import simulate

        return simulate(func, args, kwargs or {})

    @property
    def device(self) -> torch.device:
        """xpu:0."""
        return XPU

    is_xpu = property(lambda self: True)
    is_cpu = property(lambda self: False)
    is_meta = property(lambda self: False)

    @property
    def data(self) -> torch.Tensor:
        """The same numbers without a history."""
        return _ROOT.data.__get__(self)

    @data.setter
    def data(self, value: torch.Tensor) -> None:
        set_data(self, value)

    def get_device(self) -> int:
        """0: the index."""
        return 0

    def data_ptr(self) -> int:
        """Address of the first element, on the CPU."""
        return int(self.inner.data_ptr())

    def untyped_storage(self) -> Any:
        """The memory behind it, on the CPU."""
        return self.inner.untyped_storage()

    def is_pinned(self, device: Any = None) -> bool:
        """Device memory never is."""
        return False

    def pin_memory(self, device: Any = None) -> torch.Tensor:
        """Raises RuntimeError, as for every device tensor."""
        raise RuntimeError(f"cannot pin '{self.type()}' only dense CPU tensors can be pinned")

    def record_stream(self, stream: Any) -> None:
        """Nothing: there is one queue."""

    def is_shared(self) -> bool:
        """As torch answers for device memory."""
        return True

    def share_memory_(self) -> "Tensor":
        """The tensor itself, as for device memory."""
        return self

    def type(self, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
        """`torch.xpu.FloatTensor`, or the tensor in another dtype."""
        if dtype is None:
            return f"torch.xpu.{_NAMES.get(self.dtype, str(self.dtype).removeprefix('torch.'))}"
        if isinstance(dtype, str) and dtype.startswith("torch.xpu."):
            dtype = next(kind for kind, name in _NAMES.items() if dtype.endswith(f".{name}"))
        if isinstance(dtype, torch.dtype):
            return self.to(dtype, non_blocking=non_blocking)
        return self.cpu().type(dtype, **kwargs)

    def tolist(self) -> Any:
        """Nested lists of numbers, copied from the device first."""
        return self.detach().cpu().tolist()

    def numpy(self, *, force: bool = False) -> Any:
        """Raises TypeError unless forced: NumPy can't read device memory."""
        if not force:
            raise TypeError(
                f"can't convert {XPU} device type tensor to numpy. "
                "Use Tensor.cpu() to copy the tensor to host memory first."
            )
        return self.detach().cpu().numpy(force=True)

    def __dlpack__(self, **_: Any) -> Any:
        """Raises BufferError: no capsule can carry a simulated device."""
        raise BufferError("a tensor of the simulated XPU can't be exported")

    def __dlpack_device__(self) -> Any:
        """Raises BufferError, as `__dlpack__`."""
        raise BufferError("a tensor of the simulated XPU can't be exported")

    def __repr__(self, *, tensor_contents: str | None = None) -> str:
        """As for a plain tensor on xpu:0."""
        shown = self.detach().requires_grad_(self.requires_grad) if self._is_parameter() else self
        text = torch._tensor_str._str(shown, tensor_contents=tensor_contents).replace("Tensor(", "tensor(", 1)
        return f"Parameter containing:\n{text}" if self._is_parameter() else text

    def _is_parameter(self) -> bool:
        return bool(getattr(self, "_is_param", False))

    def __format__(self, spec: str) -> str:
        """A 0-dim tensor as its number, others as their text."""
        return format(self.item(), spec) if self.dim() == 0 else object.__format__(self, spec)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """A leaf with numbers of its own. Raises RuntimeError for any other tensor."""
        if id(self) in memo:
            return memo[id(self)]
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
                "the moment."
            )
        with torch.no_grad():
            copied: Any = wrap(self.inner.detach().clone())
        copied.requires_grad_(self.requires_grad)
        memo[id(self)] = copied
        copied.__dict__.update({key: copy.deepcopy(one, memo) for key, one in self.__dict__.items() if key != "inner"})
        if self.grad is not None:
            copied.grad = copy.deepcopy(self.grad, memo)
        return copied

    def __reduce_ex__(self, protocol: Any) -> Any:
        """As a CPU tensor that is put back on the device."""
        from .saving import reduced

        return reduced(self)


Tensor.__module__, Tensor.__qualname__ = "torch", "Tensor"


def wrap(inner: torch.Tensor) -> Tensor:
    """A device tensor around this CPU tensor. Raises NotImplementedError for what has no plain array of numbers."""
    if inner.layout is not torch.strided or inner.is_quantized or inner.is_nested or inner.is_mkldnn:
        kind = "nested" if inner.is_nested else "quantized" if inner.is_quantized else inner.layout
        raise NotImplementedError(f"the simulated XPU has dense tensors only, not {kind}")
    shell: Tensor = _shell(inner)
    match_bits(inner, shell)
    memory.note(inner)
    shell.inner = inner
    return shell


def match_bits(source: torch.Tensor, target: torch.Tensor) -> None:
    """Give `target` the bits of `source` that say "conjugated" and "negated": torch resolves them above the device."""
    if source.is_conj() != target.is_conj():
        torch._C._set_conj(target, source.is_conj())
    if source.is_neg() != target.is_neg():
        torch._C._set_neg(target, source.is_neg())


def _shell(inner: torch.Tensor) -> Any:
    return torch.Tensor._make_wrapper_subclass(
        Tensor,
        inner.size(),
        inner.stride(),
        inner.storage_offset(),
        dtype=inner.dtype,
        layout=inner.layout,
        device=STAND_IN,
    )


def follow(shell: Tensor) -> None:
    """Give the shell the shape and strides that its numbers have now."""
    inner = shell.inner
    if (shell.shape, shell.stride(), shell.storage_offset()) == (inner.shape, inner.stride(), inner.storage_offset()):
        return
    with torch._C._DisableTorchDispatch():
        torch.ops.aten.set_.source_Tensor(shell, _shell(inner))


def set_data(tensor: torch.Tensor, value: torch.Tensor) -> None:
    """`tensor.data = value`, also from one device to another, which torch allows for the devices that it knows."""
    if isinstance(tensor, Tensor) and isinstance(value, Tensor):
        _ROOT.data.__set__(tensor, value)
        tensor.inner = value.inner
    elif isinstance(tensor, Tensor) or isinstance(value, Tensor):
        fresh = value.detach().requires_grad_(tensor.requires_grad)
        attributes = {key: one for key, one in tensor.__dict__.items() if key != "inner"}
        if isinstance(tensor, torch.nn.Parameter):
            fresh = torch.nn.Parameter(fresh, requires_grad=tensor.requires_grad)
        gradient, tensor.grad = tensor.grad, None
        torch.utils.swap_tensors(tensor, fresh)
        tensor.__dict__.update(attributes)
        if gradient is not None:  # torch leaves it where it was; a class of tensors may not have one elsewhere
            tensor.grad = gradient.inner if isinstance(gradient, Tensor) else wrap(gradient)
    else:
        _ROOT.data.__set__(tensor, value)
