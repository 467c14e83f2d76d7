"""A target device as data: what the port writes, what the sandbox opens, where its kernels and its tracker are."""

from pydantic import Field

from bot.model.base import Value


class Target(Value):
    """One device type. The files are `bot/targets/<name>.toml`."""

    name: str
    """Device type as torch spells it."""
    title: str
    """As people say it."""
    dispatch_key: str
    module: str
    """The runtime module, e.g. `torch.xpu`."""
    indexed: bool = True
    """Has it numbered devices (`xpu:0`)?"""
    runtime: dict[str, str] = Field(default_factory=dict)
    """Name in `torch.cuda` -> dotted name for this device. What is missing can't be carried over."""
    constants: dict[str, str] = Field(default_factory=dict)
    """Attributes that port by value, e.g. a device type that another API expects."""
    device_nodes: tuple[str, ...] = ()
    """Paths or glob patterns that the sandbox opens for reading and writing."""
    read_only: tuple[str, ...] = ()
    """Further paths that the sandbox shows read-only, where they exist."""
    environment: dict[str, str] = Field(default_factory=dict)
    """Variables set inside the sandbox."""
    fallback_pattern: str | None = None
    """Regular expression with a group `op`: the warning of an operator that fell back to the CPU."""
    tracker: str | None = None
    """Repository whose issues track this target's kernels."""
    labels: tuple[str, ...] = ()
    source_roots: tuple[str, ...] = ()
    """Folders of this target's own kernels, in its repository."""
    path_map: dict[str, str] = Field(default_factory=dict)
    """Upstream folder of CUDA kernels -> folder of this target's counterpart."""
