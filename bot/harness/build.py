"""The build of torch and what it stands on, field by field as `torch.utils.collect_env` names them; nothing private.

`collect_env` itself starts a dozen programs (compilers, package managers, drivers' tools), most of which are not in
the sandbox, and prints paths, host names and user names with their answers.
"""

import importlib.metadata
import os
import platform
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import torch

PACKAGES = re.compile(
    r"(?:torch\w*|triton|pytorch-triton\S*|numpy|intel[-_]\S+|onemkl\S*|dpcpp[-_]\S+|mkl\S*|oneccl\S*|level[-_]zero\S*)",
    re.IGNORECASE,
)
"""What a reader of an issue asks for."""
_NIGHTLY = re.compile(r"\.dev(\d{4})(\d{2})(\d{2})\b")
_BUILT = re.compile(
    r"(?m)^ +- (?:Intel\(R\) )?(GCC|clang|C\+\+ Version|OpenMP|MKL-DNN|oneAPI Math Kernel Library Version)"
    r"[: v]+([^\n(]+)"
)
_PATH = re.compile(r"(?<![\w.])~?(?:/[\w.+@~-]+){2,}/?")


def environment(device: str, name: str | None) -> dict[str, Any]:
    """What a reader needs to run the same thing again, in words and numbers."""
    told = {
        "torch": torch.__version__,
        "torch_git": torch.version.git_version,
        "torch_build_date": build_date(torch.__version__),
        "torch_debug": torch.version.debug,
        "torch_built_with": dict(built_with(torch.__config__.show())),
        **{f"torch_{one}": getattr(torch.version, one, None) for one in ("cuda", "hip", "xpu")},
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "kernel": platform.release().partition("-")[0],
        "libc": " ".join(platform.libc_ver()).strip(),
        "device": device,
        "device_name": name,
        "device_properties": dict(_properties(device)),
        "packages": packages(),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "threads": torch.get_num_threads(),
    }
    private = _private_words()
    return {field: _clean(content, private) for field, content in told.items() if content not in (None, {})}


def build_date(version: str) -> str | None:
    """`2026-11-11` of `2.16.0.dev20261111+xpu`; a release does not say when it was built."""
    found = _NIGHTLY.search(version)
    return "-".join(found.groups()) if found else None


def built_with(shown: str) -> Iterator[tuple[str, str]]:
    """Compiler, standard, libraries: from the text of `torch.__config__.show()`."""
    for name, content in _BUILT.findall(shown):
        if content.strip():
            yield name.strip(), content.strip()


@cache
def packages() -> dict[str, str]:
    """Those that `PACKAGES` names, with their versions."""
    known = {str(one.metadata["Name"]): one.version for one in importlib.metadata.distributions()}
    return {name: known[name] for name in sorted(known) if PACKAGES.fullmatch(name)}


def _properties(device: str) -> Iterator[tuple[str, Any]]:
    """What an accelerator says of itself: driver, memory, units."""
    asked = getattr(getattr(torch, device.partition(":")[0], None), "get_device_properties", None)
    if asked is None or device == "cpu":
        return
    found = asked(0)
    for name in sorted(one for one in dir(found) if not one.startswith("_")):
        content = getattr(found, name)
        if isinstance(content, bool | int | float | str) and name not in ("uuid", "pci_bus_id", "name"):
            yield name, content


def _private_words() -> list[str]:
    """The names of this user and this host, as far as they can be known here."""
    words = {platform.node(), *(os.environ.get(one, "") for one in ("USER", "LOGNAME"))}
    return sorted((one for one in words if len(one) > 3 and one not in ("sandbox", "nobody", "root")), key=len)


def _clean(content: Any, private: list[str]) -> Any:
    """Without paths, without the private words."""
    if isinstance(content, dict):
        return {name: _clean(part, private) for name, part in content.items()}
    if not isinstance(content, str):
        return content
    for word in private:
        content = content.replace(word, "…")
    return _PATH.sub("…", content)
