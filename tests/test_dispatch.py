"""Where the dispatcher sends operators: the tests' own tables, then those of the installed torch."""

from pathlib import Path

import pytest

from bot.cpp import read
from bot.cpp.collect import facts
from bot.edges.native_functions import installed, table
from bot.errors import InputError
from bot.model import DispatchHow
from bot.settings import Settings
from bot.stages.dispatch import DERIVATIVES, NATIVE_FUNCTIONS, Dispatch, Registered, derivatives_of, entries_of
from bot.stages.sourced import resolved
from tests.kernel_trees import TREES

UPSTREAM, TARGET = TREES / "upstream", TREES / "target"


def tables_of(folder: Path) -> Dispatch:
    """The tables of a tree, with what the small target registers and one operator that only the profile lists."""
    native, gradients = ((folder / path).read_text() for path in (NATIVE_FUNCTIONS, DERIVATIVES))
    entries = entries_of(native, table(native, "native").parsed)
    path = "src/ATen/native/xpu/Fallbacks.cpp"
    found = facts(read(path, (TARGET / path).read_text()))
    return Dispatch(
        "XPU",
        entries,
        derivatives_of(gradients, table(gradients, "derivatives").parsed, {one.name for one in entries}),
        {op: Registered(path, line) for op, line in found.fallbacks},
        {op: Registered(path, line, function) for key, op, function, line in found.library if function},
        {"only_elsewhere": "only_elsewhere_xpu src/X.cpp"},
    )


@pytest.fixture(scope="module")
def dispatch() -> Dispatch:
    """Of the small trees."""
    return tables_of(UPSTREAM)


@pytest.mark.parametrize(
    ("op", "how", "kernel", "line", "said"),
    [
        ("grid_sampler_2d", "native", "grid_sampler_2d_xpu", 4, "sends grid_sampler_2d on XPU to"),
        ("tanh", "native", "tanh_out", 15, "by its structured delegate tanh.out"),
        ("tanh.out", "native", "tanh_out", 18, "sends tanh on XPU to tanh_out"),
        ("grid_sampler", "composite", None, 2, "no dispatch table"),
        ("special_cut", "composite", "special_cut", 36, "CompositeExplicitAutograd"),
        ("linalg_eig", "fallback", None, 4, "lists for the CPU fallback: linalg_eig"),
        ("ormqr", "fallback", None, 5, "lists for the CPU fallback: ormqr.out"),
        ("quantized::max_pool2d", "native", "pool_of_quantized", 12, "registers pool_of_quantized for"),
        ("only_elsewhere", "native", "only_elsewhere_xpu", None, "the profile lists"),
        ("no_such_thing", "none", None, None, "has no operator no_such_thing"),
    ],
)
def test_where_an_operator_goes(
    op: str, how: str, kernel: str | None, line: int | None, said: str, dispatch: Dispatch
) -> None:
    """Each answer says how, by which kernel, on which line of which file, and in a sentence why."""
    found = dispatch.of(op)
    assert (found.how.value, found.kernel, found.line) == (how, kernel, line)
    assert said in found.why


def test_what_only_others_have() -> None:
    """An operator with kernels for other devices alone is not taken for one that runs here."""
    entries = entries_of(
        "- func: alone(Tensor self) -> Tensor\n", [{"func": "alone(Tensor self)", "dispatch": {"CUDA, MPS": "a"}}]
    )
    found = Dispatch("XPU", entries, {}, {}, {}, {}).of("alone")
    assert (found.how, found.why) == (DispatchHow.NONE, "native_functions.yaml has alone for CUDA, MPS and not for XPU")


def test_overloads_that_differ_are_named(dispatch: Dispatch) -> None:
    """Where only one overload falls back, the answer names it."""
    assert dispatch.of("ormqr").overloads == ("ormqr.out",)
    assert dispatch.of("grid_sampler_2d").overloads == ()


def test_gradients(dispatch: Dispatch) -> None:
    """A formula names the operators that it calls, a conditional one too; one that is mere arithmetic names none."""
    found = dispatch.gradient("grid_sampler_2d")
    assert found is not None
    assert (found.calls, found.line) == (("grid_sampler_2d_backward",), 2)
    assert dispatch.gradient("tanh") is None


def test_public_names_are_resolved(dispatch: Dispatch) -> None:
    """What people call a function becomes the kernels that the dispatcher knows, the forward ones first."""
    assert resolved(["grid_sample"], dispatch) == ["grid_sampler_2d", "grid_sampler_2d_backward"]
    assert resolved(["grid_sample_backward"], dispatch)[0] == "grid_sampler_2d_backward"
    assert resolved(["no_such_thing"], dispatch) == []


def test_the_installed_torch() -> None:
    """torch's own tables are read whole: what the dispatcher is known to do comes out, for three kinds of operator."""
    found = installed(Settings().run.python)
    if found is None:
        pytest.skip("the interpreter of run.python has no torch")
    native, gradients = found
    entries = entries_of(*native)
    assert len(entries) == len(native.parsed) > 2_000
    dispatch = Dispatch("CUDA", entries, derivatives_of(*gradients, {one.name for one in entries}), {}, {}, {})
    assert dispatch.of("grid_sampler_2d_backward").kernel == "grid_sampler_2d_backward_cuda"
    assert dispatch.of("tanh_").delegate == "tanh.out"
    assert dispatch.of("layer_norm").how is DispatchHow.COMPOSITE
    gradient = dispatch.gradient("grid_sampler_2d")
    assert gradient is not None
    assert gradient.calls == ("grid_sampler_2d_backward",)


@pytest.mark.parametrize("text", ["a: [", "a: 1", "- 1", "\t- x", "!!python/object/apply:os.system ['true']"])
def test_no_table(text: str) -> None:
    """What is no list of mappings, or wants to run something, is refused in one line with its name."""
    with pytest.raises(InputError, match=r"^native_functions\.yaml ") as raised:
        table(text, "native_functions.yaml")
    assert "\n" not in str(raised.value)
