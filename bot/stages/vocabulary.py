"""vocabulary: which operators a text names, by the names that the dispatcher, torch's interface and kernels have."""

import re
from collections.abc import Iterable, Iterator, Mapping

from bot.stages.family import RUNS_AS, stem

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
AS_CODE = re.compile(r"(?:`|\.|::)([a-z_][a-z0-9_]{0,60})\b")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
KERNEL = re.compile(r"(?:_kernel\w*|_cuda\w*|_xpu\w*|_sycl\w*|_out|_gpu\w*|_impl\w*)+$")
SHORT = 5
"""Shorter names without an underscore or a digit may be anything; they count as code alone."""
UNMISTAKABLE = frozenset(("bmm", "celu", "gelu", "selu", "silu", "topk"))
LONGEST = 60
PARTS = 3
"""Words of a beginning that stands for the whole name: `fake_quantize_per_channel`."""
MOST_KNOWN = 1 << 16


class Vocabulary:
    """The operators that texts are searched for."""

    def __init__(
        self, names: Iterable[str], plain: Iterable[str] = (), behind: Mapping[str, str] | None = None
    ) -> None:
        """`names` as the dispatcher has them, `plain` of them everyday words, `behind`: a public name's operator."""
        self._names = frozenset(names)
        self._plain = frozenset(plain)
        self._behind = dict(behind or {})
        self._stems = frozenset(map(stem, self._names)) | RUNS_AS.keys()
        self._begun = {begun: name for name in sorted(self._names, reverse=True) for begun in _beginnings(name)}
        self._known: dict[str, str] = {}

    def named(self, text: str) -> frozenset[str]:
        """The operators that a text names; everyday words only where they stand as code."""
        found = {self._operator(word) for word in set(WORD.findall(text))}
        found |= {self._coded(word) for word in set(AS_CODE.findall(text))}
        return frozenset(found - {""})

    def headed(self, title: str) -> str:
        """The operator that a title begins with and a colon follows: `sum: wrong result`; empty for none."""
        head, colon, _ = title.strip().partition(":")
        word = head.strip(" `").removeprefix("torch.").removeprefix("aten::")
        return self._coded(word) if colon and len(word) <= LONGEST else ""

    def _operator(self, word: str) -> str:
        known = self._known.get(word)
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = "" if self._is_plain(word) else self._coded(word)
            if len(word) <= LONGEST:
                self._known[word] = known
        return known

    def _is_plain(self, word: str) -> bool:
        apart = "_" in word or any(letter.isdigit() for letter in word) or not word.islower()
        return word in self._plain or (len(word) < SHORT and not apart and word not in UNMISTAKABLE)

    def _coded(self, word: str) -> str:
        if not 1 < len(word) <= LONGEST:
            return ""
        for name in dict.fromkeys((word, CAMEL.sub("_", word).lower(), KERNEL.sub("", word))):
            if name in self._behind:
                return self._behind[name]
            if name in self._names and not (name != word and name in self._plain):
                return name
            if "_" in name and stem(name) in self._stems:
                return name
        return self._begun.get(word, "")


def _beginnings(name: str) -> Iterator[str]:
    """`fake_quantize_per_channel` and `fake_quantize_per` of `fake_quantize_per_channel_affine`."""
    parts = name.split("_")
    return ("_".join(parts[:count]) for count in range(PARTS, len(parts)) if parts[0])
