"""A target device as data: what the port writes, what the sandbox opens, where its kernels and its tracker are."""

from pydantic import Field

from bot.model.base import Value

SUITES = "torch.testing._internal."


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
    names: dict[str, str] = Field(default_factory=dict)
    """Further names of torch, in full -> the same for this device; a module stands for all that is in it."""
    variables: dict[str, str] = Field(default_factory=dict)
    """Environment variable of a source device's runtime -> this device's; empty where it needs none."""
    suite_flag: str = ""
    """The argument by which `instantiate_device_type_tests` takes this device in."""
    constants: dict[str, str] = Field(default_factory=dict)
    """Attributes that port by value, e.g. a device type that another API expects."""
    device_nodes: tuple[str, ...] = ()
    """Paths or glob patterns that the sandbox opens for reading and writing."""
    read_only: tuple[str, ...] = ()
    """Further paths that the sandbox shows read-only, where they exist."""
    pinned: dict[str, str] = Field(default_factory=dict)
    """Variables of a run that is shown one render node: inside, that is the first and only device."""
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
    upstream_roots: tuple[str, ...] = ()
    """Folders of this target's own kernels in the upstream repository."""
    shared: tuple[str, ...] = ()
    """Regular expressions of upstream files that every device builds: a fix there is this target's too."""
    host: tuple[str, ...] = ()
    """The same of host code that is shared unless the target has its own host function for the operator."""
    vendor: tuple[str, ...] = ()
    """Regular expressions of upstream files that only call another vendor's library."""
    vendor_words: str | None = None
    """Regular expression of what titles and labels call such libraries."""
    stands_in_for: str | None = None
    """The target whose ownership counts in a run on this one: it is a rehearsal."""
    operators: dict[str, str] = Field(default_factory=dict)
    """Operator -> `KERNEL FILE [structured]` of this target; FILE is `-` where it is not known."""
    fallbacks: frozenset[str] = frozenset()
    """Operators that this target runs on the CPU."""
    sources: frozenset[str] = frozenset()
    """Files of this target's own kernels."""
    headers: frozenset[str] = frozenset()
    """Upstream headers that those include."""

    @property
    def suite_names(self) -> dict[str, str]:
        """Names of the device test suites by their last part: a class is often shown without its imports."""
        return {name.rpartition(".")[2]: name for name in self.names if name.startswith(SUITES)}
