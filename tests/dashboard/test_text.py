"""The pure functions that make text and values readable."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dashboard.text import BLOCK_LIMIT, block, inline, one_line, quantity, visible


@given(st.text())
def test_visible_is_idempotent(text):
    """What is visible stays as it is."""
    assert visible(visible(text)) == visible(text)


@given(st.text())
def test_visible_text_can_be_sent(text):
    """Visible text is UTF-8 without a character that shows nothing but space, tab and line feed."""
    shown = visible(text)
    shown.encode()
    assert all(character.isprintable() or character.isspace() for character in shown)
    assert "\r" not in shown


@pytest.mark.parametrize(
    "text", ["", "plain", "grad ≠ 0 → ∞", "日本語 עברית", "👍", "two\nlines\tand a tab", "a\u00a0b"]
)
def test_honest_text_is_untouched(text):
    """Text of any language passes as it is."""
    assert visible(text) == text


@pytest.mark.parametrize(
    "character", ["\x1b", "\x00", "\x7f", "\x9b", "\u202e", "\u200b", "\ufeff", "\u3164", "\ud800"]
)
def test_unseen_characters_are_named(character):
    """Each character that can't be seen is shown by its code point."""
    assert visible(f"a{character}b") == f"a⟨U+{ord(character):04X}⟩b"


@given(st.text(max_size=50), st.integers(min_value=1, max_value=60))
def test_inline_counts_what_it_cuts(text, limit):
    """A cut text begins as the whole does and accounts for every character."""
    cut = inline(text, limit)
    assert cut == text or cut == f"{text[:limit]} […{len(text) - limit} characters left out]"


def test_block_keeps_head_and_tail():
    """Of a long output the first and the last line remain, and the sum is right."""
    text = "first\n" + "row\n" * 20_000 + "last"
    cut = block(text)
    assert cut.startswith("first\n")
    assert cut.endswith("last")
    assert len(cut) < BLOCK_LIMIT + 100
    assert f"{len(text) - BLOCK_LIMIT * 2 // 3 - BLOCK_LIMIT // 3:,} characters left out" in cut


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, "—"),
        ([256.0, 0.0], "[256, 0]"),
        ([[1, 2.5], [None, True]], "[[1, 2.5], [none, true]]"),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        (-0.0, "-0"),
        (1e-07, "1e-07"),
        ("torch.float16", "torch.float16"),
        (list(range(14)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …2 more]"),
        ({"a": 1.0}, "[a: 1]"),
        ([[[[[[1]]]]]], "[[[[[…]]]]]"),
        (10**400, None),
    ],
)
def test_quantity_reads_as_people_write(content, text):
    """A value of any shape is shown short; nothing that JSON can hold fails."""
    assert quantity(content) == text if text else quantity(content).startswith("1000")


def test_one_line_has_one_line():
    """Line breaks of every kind become spaces."""
    assert one_line(" a\r\n b\u2028c\n") == "a b c"
