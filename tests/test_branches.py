"""Preprocessor branches of other vendors: what is left of a text, and that places stay where they were."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cpp.branches import taken

LINES = (
    "a", "b;", "#if !defined(USE_ROCM)", "#ifdef USE_ROCM", "#ifndef USE_ROCM", "#if defined(USE_ROCM) && X", "#if Y",
    "#elif Z", "#elif defined(USE_ROCM)", "#else", "#endif", "  # endif // USE_ROCM",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("#ifdef USE_ROCM\na\n#else\nb\n#endif\nc", "b c"),
        ("#if !defined(USE_ROCM)\na\n#else\nb\n#endif\nc", "a c"),
        ("#ifndef USE_ROCM\na\n#elif Y\nb\n#else\nc\n#endif", "a"),
        ("#ifdef USE_ROCM\na\n#elif Y\nb\n#else\nc\n#endif", "#if Y b #else c #endif"),
        ("#ifdef USE_ROCM\n#if Y\na\n#else\nb\n#endif\nc\n#endif", ""),
        ("#if Y\n#ifdef USE_ROCM\na\n#endif\n#else\nb\n#endif", "#if Y #else b #endif"),
        ("#if Y || USE_ROCM\na\n#endif", "#if Y || USE_ROCM a #endif"),
        ("#ifdef USE_ROCM\na\n", "#ifdef USE_ROCM a"),
    ],
)
def test_what_is_left(text: str, left: str) -> None:
    """Only what one macro alone decides is decided; what never ends stays as it is."""
    assert " ".join(taken(text.encode()).decode().split()) == left


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.lists(st.sampled_from(LINES), max_size=25).map("\n".join))
def test_places_stay(text: str) -> None:
    """Length and line breaks are those of the text, and what is left is left again."""
    once = taken(text.encode())
    assert [len(line) for line in once.split(b"\n")] == [len(line) for line in text.encode().split(b"\n")]
    assert taken(once) == once
