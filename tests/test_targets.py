"""The target profiles say what is true of the devices."""

import importlib
from functools import reduce

import pytest

from bot import targets

DEVICES = ("cpu", "cuda", "xpu")


@pytest.mark.parametrize("name", targets.names())
def test_a_profile_is_named_as_its_device(name: str) -> None:
    """A profile's file name is the device type that torch knows."""
    assert targets.load(name).name == name


@pytest.mark.parametrize("name", DEVICES)
def test_runtime_names_exist(name: str) -> None:
    """Each name in a profile's table is in torch.cuda, and so is its counterpart where the table says."""
    torch = pytest.importorskip("torch")
    for source, counterpart in targets.load(name).runtime.items():
        assert hasattr(torch.cuda, source), source
        reduce(getattr, counterpart.split(".")[1:], torch)


@pytest.mark.parametrize("name", DEVICES)
def test_further_names_exist(name: str) -> None:
    """Each further counterpart is in the installed torch, in the module that an import would take it from."""
    pytest.importorskip("torch")
    for counterpart in targets.load(name).names.values():
        module, _, last = counterpart.rpartition(".")
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError:  # an attribute of a class
            module, _, owner = module.rpartition(".")
            found = getattr(importlib.import_module(module), owner)
        assert hasattr(found, last), counterpart


@pytest.mark.parametrize("name", DEVICES)
def test_dispatch_keys_exist(name: str) -> None:
    """The dispatcher knows each profile's key."""
    torch = pytest.importorskip("torch")
    torch._C._dispatch_has_kernel_for_dispatch_key("aten::add.Tensor", targets.load(name).dispatch_key)
