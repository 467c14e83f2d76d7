"""Words for a made-up tracker: sentences, environments and code, put together by dice. None is taken from anywhere."""

from random import Random

OPERATORS = (
    "cumsum", "index_put_", "scatter_reduce", "grid_sample", "max_pool3d", "embedding_bag", "kthvalue", "histc",
    "nll_loss2d", "fractional_max_pool2d", "layer_norm", "unique_consecutive", "searchsorted", "masked_select",
    "repeat_interleave", "avg_pool2d", "triu_indices", "logcumsumexp", "upsample_bicubic2d", "group_norm",
)  # fmt: skip
DTYPES = ("float16", "bfloat16", "float32", "float64", "int64", "complex64")
MODULES = (
    "inductor",
    "dynamo",
    "export",
    "autograd",
    "distributed",
    "dataloader",
    "optim",
    "profiler",
    "jit",
    "nested",
)
PEOPLE = (
    "amberfield", "brookline", "cedarhill", "dustinlark", "elmstreet", "fernhollow", "gladewater", "harborlight",
    "ivybridge", "juniperlane", "kestrelpark", "lindenwood", "maplecroft", "northgate", "oakhaven", "pinecrest",
)  # fmt: skip
MAINTAINERS = ("quarrystone", "rowanfield", "silverbirch", "thornbury")
BOT = "pytorch-bot[bot]"

SENTENCES = (
    "This started with the nightly of last week; the release before it is fine.",
    "The same call on the CPU gives what the documentation promises.",
    "I first saw it in a training loop and cut it down to the lines below.",
    "It does not depend on the seed, and running it twice gives the same result.",
    "With a smaller batch nothing is wrong, which is why our own tests missed it.",
    "A contiguous copy of the input makes it go away.",
    "The gradient check passes in double precision and fails in half.",
    "Setting the environment variable for synchronous launches changes nothing.",
    "Memory use looks normal until the second iteration.",
    "Nothing is printed; the process simply ends.",
    "The shape in the error message is the one after broadcasting, not the one I passed.",
    "I would expect either the right values or an error that says what is not supported.",
    "Older drivers behave the same, so I don't think that it is the driver.",
    "The documentation says nothing about negative strides here.",
    "On two devices only the second one is affected.",
    "A colleague can reproduce it on another machine with another card.",
    "We work around it by splitting the tensor in two.",
    "The stack trace ends in a kernel launch and tells nothing about the cause.",
    "Happy to send a patch if somebody can point me to the right file.",
    "Both branches take the same path when the last dimension is one.",
    "The guard is evaluated once and never again after the shape has changed.",
    "Graph breaks are reported at the line of the loop.",
)
COMMENTS = (
    "Thanks, I can reproduce it on the newest nightly.",
    "Which card is it, and does it happen with only one visible device?",
    "It goes back to the index type: the product no longer fits in 32 bits.",
    "Adding it to the list for the next triage meeting.",
    "Could you check whether a build from source is affected too?",
    "Yes, the same with a build from source.",
    "The fix is small, but it needs a test that allocates more than 8 GB.",
    "I don't see it on the CPU, so it must be in the kernel itself.",
    "Please see the discussion above before changing the default.",
    "Rebased, and the lint error is gone.",
    "The failing job is not related, it fails on main too.",
)
ENVIRONMENT = """PyTorch version: 2.{minor}.0.dev2026{month:02}{day:02}+cu130
Is debug build: False
CUDA used to build PyTorch: 13.0
ROCM used to build PyTorch: N/A

OS: Ubuntu 24.04.{patch} LTS (x86_64)
GCC version: (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0
CMake version: version 3.31.{patch}
Libc version: glibc-2.39

Python version: 3.12.{patch} (64-bit runtime)
Is CUDA available: True
GPU models and configuration: GPU 0: Imaginary H{card}
Nvidia driver version: 580.{patch}5.05
Is XPU available: False

CPU:
Architecture:                         x86_64
CPU op-mode(s):                       32-bit, 64-bit
Byte Order:                           Little Endian
CPU(s):                               {cpus}
Vendor ID:                            GenuineImaginary
Model name:                           Imaginary Xe {card}
Thread(s) per core:                   2
Caches (sum of all):                  L1d {patch}28 KiB, L2 {cpus} MiB

Versions of relevant libraries:
[pip3] numpy==2.3.{patch}
[pip3] torch==2.{minor}.0.dev2026{month:02}{day:02}+cu130
[pip3] triton==3.6.{patch}
[conda] Could not collect
"""


def prose(dice: Random, sentences: int) -> str:
    """A few sentences, in one or two paragraphs."""
    chosen = dice.choices(SENTENCES, k=sentences)
    half = sentences // 2 if sentences > 4 else 0
    return "\n\n".join(" ".join(part) for part in (chosen[:half], chosen[half:]) if part)


def environment(dice: Random) -> str:
    """What a reporter pastes about the machine, about a kilobyte."""
    filled = ENVIRONMENT.format(
        minor=dice.randrange(9, 14), month=dice.randrange(1, 12), day=dice.randrange(1, 29), patch=dice.randrange(1, 8),
        card=dice.choice((100, 200, 400)), cpus=dice.choice((16, 64, 96)),
    )  # fmt: skip
    return f"### Versions\n\n```\n{filled}```\n"


def traceback(dice: Random) -> str:
    """A stack trace of made-up frames."""
    frames = "\n".join(
        f'  File "train/{dice.choice(MODULES)}/step_{place}.py", line {dice.randrange(10, 900)}, in layer\n'
        f"    return self.layer_{place}(hidden, mask=mask)"
        for place in range(dice.randrange(3, 14))
    )
    return f"```\nTraceback (most recent call last):\n{frames}\nRuntimeError: expected {dice.choice(DTYPES)}\n```\n"


def patch(dice: Random, path: str, added: int, removed: int) -> str:
    """A unified diff of one hunk."""
    start = dice.randrange(20, 900)
    name = path.rpartition("/")[2].partition(".")[0]
    before = [f"-  const int offset_{place} = {name}_stride * row + {place};" for place in range(removed)]
    after = [f"+  const int64_t offset_{place} = int64_t({name}_stride) * row + {place};" for place in range(added)]
    context = [f"   // the rows of {name} are visited in order", "   if (row >= rows) return;"]
    return "\n".join(
        [
            f"@@ -{start},{removed + 2} +{start},{added + 2} @@ void {name}_kernel(",
            context[0],
            *before,
            *after,
            context[1],
        ]
    )
