"""A call that is written down is the same call when it is read back, and nothing else can be read."""

import json
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from bot.harness.capture import NotWritableError, read_back, written_down  # noqa: E402
from bot.harness.reference import narrowed, widened  # noqa: E402

pytestmark = pytest.mark.torch
ADD = torch.ops.aten.add.Tensor
DTYPES = [
    torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.bool, torch.uint8,
    torch.int8, torch.int64,
]  # fmt: skip


def again(func: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any, Any]:
    """Through JSON and back."""
    return read_back(json.loads(json.dumps(written_down(func, (args, kwargs)), allow_nan=False)), "cpu")


@st.composite
def tensors(draw: Any) -> Any:
    """Small tensors of any dtype: sliced, expanded, turned, conjugated, empty, of no dimension."""
    shape = draw(st.lists(st.integers(0, 4), max_size=4))
    made = torch.randint(-3, 9, shape, generator=torch.Generator().manual_seed(draw(st.integers(0, 9))))
    made = made.to(draw(st.sampled_from(DTYPES)))
    for change in draw(st.lists(st.sampled_from("stecn"), max_size=3)):
        if change == "s" and made.dim():
            made = made[:: draw(st.integers(1, 2))]
        if change == "t" and made.dim() > 1:
            made = made.transpose(0, -1)
        if change == "e":
            made = made.unsqueeze(0).expand(3, *made.shape)
        if change == "c":
            made = made.conj()
        if change == "n" and made.is_floating_point() and made.numel() and made.dim():
            made = made.clone()
            made[(0,) * made.dim()] = float("nan")
    return made


@given(tensors())
@settings(deadline=None, derandomize=True, database=None)
def test_a_tensor_comes_back(tensor: Any) -> None:
    """Its dtype, shape, strides and bits, whatever it is a view of."""
    _, (back, _), _ = again(ADD, tensor, 1)
    plain = tensor.resolve_conj()
    assert (back.dtype, back.shape, back.stride()) == (plain.dtype, plain.shape, plain.stride())
    assert torch.equal(torch.nan_to_num(back), torch.nan_to_num(plain)) if back.dtype.is_floating_point else True
    assert torch.equal(back.isnan(), plain.isnan())


@given(tensors())
@settings(deadline=None, derandomize=True, database=None)
def test_narrowed_is_the_original(tensor: Any) -> None:
    """Widened and narrowed again a tensor has its own dtype, its numbers and, where it is dense, its strides."""
    back = narrowed(widened(tensor, to=torch.float64, device="cpu"), tensor, "cpu")
    assert (back.dtype, back.shape) == (tensor.dtype, tensor.shape)
    assert torch.equal(back.isnan(), tensor.isnan())
    assert bool(((back == tensor) | back.isnan()).all())


@pytest.mark.parametrize(
    "args",
    [(1.5, float("inf"), float("nan")), (True, 3, "mean", None), ([1, [2, False]], torch.float16), (2 - 1j,)],
)
def test_arguments_come_back(args: tuple[Any, ...]) -> None:
    """Numbers of every kind, to the last bit, and what is no number."""
    _, back, words = again(ADD, *args, out_dtype=torch.bfloat16, layout=torch.strided)
    assert repr(list(back)) == repr([list(one) if isinstance(one, tuple) else one for one in args])
    assert words == {"out_dtype": torch.bfloat16, "layout": torch.strided}


def test_one_tensor_twice_is_one_tensor() -> None:
    """A call that writes to what it reads does so again."""
    tensor = torch.ones(2)
    _, args, _ = again(torch.ops.aten.add_.Tensor, tensor, tensor)
    assert args[0] is args[1]


def test_numbers_from_before_the_call() -> None:
    """A call that has written to its argument is written down as it was before."""
    tensor = torch.full((2, 3), 1.5, dtype=torch.bfloat16).t()
    before = widened(((tensor, 1), {}), to=torch.float64, device="cpu")
    tensor += 1
    _, (back, _), _ = read_back(written_down(torch.ops.aten.add_.Tensor, ((tensor, 1), {}), before), "cpu")
    assert back.stride() == tensor.stride()
    assert back.tolist() == [[1.5] * 2] * 3


@pytest.mark.parametrize(
    "argument",
    [torch.Generator(), object(), torch.eye(2).to_sparse()],
    ids=["generator", "object", "sparse"],
)
def test_what_is_no_number_is_not_written(argument: Any) -> None:
    """It is told which kind of thing it is."""
    with pytest.raises(NotWritableError, match=r"an argument is a|not dense"):
        written_down(ADD, ((argument, 1), {}))


GOOD = {"op": "aten::add", "overload": "Tensor", "args": [1, 2], "kwargs": {}, "tensors": []}
TENSOR = {"dtype": "float32", "device": "cpu", "shape": [1], "stride": [1], "bytes": "eAFjYGiwBwABQwDA"}


@pytest.mark.parametrize(
    "change",
    [
        {"op": "os::system"},
        {"op": "aten::__class__"},
        {"op": "aten::add", "overload": "__class__"},
        {"op": "prims::no_such"},
        {"args": [{"tensor": 0}]},
        {"args": [{"torch": "load"}]},
        {"args": [{"torch": "ops"}]},
        {"args": [{"eval": "1"}]},
        {"args": [{"float": "1", "tensor": 0}]},
        {"args": {"tensor": 0}, "tensors": 3},
        {"tensors": [TENSOR | {"dtype": "load"}]},
        {"tensors": [TENSOR | {"stride": [1 << 40], "shape": [2]}]},
        {"tensors": [TENSOR | {"shape": [-1]}]},
        {"tensors": [TENSOR | {"bytes": "????"}]},
        {"tensors": [TENSOR | {"bytes": "AAAA"}]},
        {"kwargs": [1]},
    ],
    ids=str,
)
def test_nothing_else_is_read(change: dict[str, Any]) -> None:
    """What `written_down` doesn't make is refused; no name of Python or torch is reached by it."""
    with pytest.raises(NotWritableError):
        read_back(GOOD | change, "cpu")
