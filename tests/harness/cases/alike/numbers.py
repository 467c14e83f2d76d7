# What a script can see of its own run: random numbers, warnings, modes, defaults, exceptions. Printed, then compared
# with the same script run alone.
import os
import threading
import warnings

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

torch.set_num_threads(1)
os.write(1, b"not UTF-8: \xff\xfe\n")
print("é", torch.initial_seed() != 0)
torch.manual_seed(3)


def faulty():
    torch.zeros(1, dtype=torch.bfloat16).index_add_(0, torch.zeros(600, dtype=torch.long), torch.ones(600).bfloat16())


# random numbers: after checked calls, after findings, in a generator of one's own
print(torch.rand(2), faulty(), torch.rand(2), torch.nn.functional.dropout(torch.ones(8), 0.5), torch.randperm(5))
own = torch.Generator().manual_seed(1)
print(torch.rand(2, generator=own), torch.rand(1), torch.get_rng_state().sum())

# warnings: shown once, shown always, recorded, made errors
for _ in range(2):
    torch.add(torch.ones(3), 1, out=torch.ones(2))
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    for _ in range(3):
        torch.add(torch.ones(3), 1, out=torch.ones(2))
        faulty()
    print(len(seen), {str(one.message)[:40] for one in seen})
with warnings.catch_warnings():
    warnings.simplefilter("error")
    faulty()
    try:
        torch.add(torch.ones(3), 1, out=torch.ones(2))
    except UserWarning as error:
        print("raised", str(error)[:40])
with warnings.catch_warnings():
    warnings.simplefilter("once")
    for _ in range(2):
        torch.add(torch.ones(4), 1, out=torch.ones(2))
print(len(warnings.filters) < 12)


# modes and subclasses of the script
class Functions(TorchFunctionMode):
    """Prints every torch function."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        print("function", getattr(func, "__name__", func))
        return func(*args, **(kwargs or {}))


class Calls(TorchDispatchMode):
    """Prints every call."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        print("call", func)
        return func(*args, **(kwargs or {}))


class Wrapped(torch.Tensor):
    """A tensor that holds another and takes calls apart."""

    @staticmethod
    def __new__(cls, inner):
        """Look like the inner one."""
        made = torch.Tensor._make_wrapper_subclass(cls, inner.size(), dtype=inner.dtype)
        made.inner = inner
        return made

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        print("wrapped", func)
        return cls(func(*(one.inner if isinstance(one, cls) else one for one in args), **(kwargs or {})))


class Named(torch.Tensor):
    """A tensor with another name."""


leaf = torch.ones(3, requires_grad=True)
with Functions():
    torch.autograd.backward((leaf * 2).sum())
    faulty()
with Calls():
    faulty()
print((Wrapped(torch.ones(2)) * 2).inner, type(torch.ones(2).as_subclass(Named) + 1))
with torch.inference_mode():
    print(torch.nn.functional.linear(torch.ones(2, 3), torch.ones(4, 3)).is_inference())
print(torch.func.vmap(torch.func.grad(lambda x: (x**2).sum()))(torch.ones(2, 3)))
print(torch.cond(torch.tensor(True), lambda x: x + 1, lambda x: x - 1, (torch.ones(2),)))
print(torch.compile(lambda x: x.sin() + 1, backend="eager")(torch.zeros(2)))

# operators of the script run once
runs = []


@torch.library.custom_op("mine::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    runs.append(1)
    return x * 2


print(double(torch.ones(2)), len(runs))

# defaults, determinism
torch.set_default_dtype(torch.float16)
faulty()
print(torch.ones(2) / 3)
torch.set_default_dtype(torch.float32)
with torch.device("meta"):
    print(torch.ones(2) + 1, torch.tensor([1.0], device="cpu") + 1)
torch.set_default_device("cpu")
torch.use_deterministic_algorithms(True)
faulty()
torch.use_deterministic_algorithms(False)

# threads
answers = []
worker = threading.Thread(target=lambda: answers.append(torch.ones(3).bfloat16().sum()))
worker.start()
worker.join()
print(answers)

# versions, grads, aliasing
x = torch.ones(3)
x.add_(1).mul_(2)
y = (leaf * x).sum()
print(x._version, y.grad_fn is not None, leaf.grad, x.data_ptr() == x.view(3).data_ptr())

# exceptions
for attempt in (
    lambda: torch.ones(2) @ torch.ones(3),
    lambda: torch.ones(2)[5],
    lambda: torch.ones(2).view(3),
    lambda: torch.ones(3).expand(2, 3).add_(1),
    lambda: torch.ops.aten.add.Tensor(torch.ones(2), torch.ones(3)),
    lambda: torch.linalg.inv(torch.zeros(2, 2)),
):
    try:
        attempt()
    except (RuntimeError, IndexError) as error:
        print(type(error), str(error))


def deeper(x):
    return deeper(x + 1)


try:
    deeper(torch.ones(1))
except RecursionError as error:
    print(type(error))

# functions of torch replaced
kept = dict(vars(torch))
for name in ("where", "maximum", "isfinite", "nan_to_num", "full_like", "zeros", "tensor", "rand", "abs", "flatten"):
    setattr(torch, name, lambda *_: print("a function of the script was called"))
faulty_again = kept["zeros"](1).bfloat16()
faulty_again.index_add_(0, torch.arange(600) * 0, torch.ones(600).bfloat16())
print(faulty_again.item(), torch.get_rng_state().sum().item())
