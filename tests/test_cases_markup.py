"""Strangers' text inside Markdown stays text: a real Markdown parser says so."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.stages.markup import cell, code, fence, visible

PARSER = MarkdownIt("commonmark").enable("table")
TEXTS = st.text() | st.lists(
    st.sampled_from(("`", "```", "~~~", "|", "\\", " ", "\n", "\r\n", "a", "<b>", "&amp;", "\t", "$"))
).map("".join)


@settings(deadline=None, derandomize=True, database=None)
@example("```\n# not a heading\n```", "")
@given(TEXTS, st.sampled_from(("", "python", "text")))
def test_fence_is_one_fence(text: str, language: str) -> None:
    """A fence of any text is exactly one fence with that text and that language, whatever stands before and after."""
    tokens = PARSER.parse(f"before\n\n{fence(text, language)}\n\nafter")
    before, after = tokens[:3], tokens[4:]
    assert [token.type for token in (*before, *after)] == ["paragraph_open", "inline", "paragraph_close"] * 2
    assert (tokens[3].type, tokens[3].info) == ("fence", language)
    assert tokens[3].content == visible(text.replace("\r\n", "\n")).rstrip("\n") + "\n"


@settings(deadline=None, derandomize=True, database=None)
@given(TEXTS)
def test_code_is_one_code_span(text: str) -> None:
    """A code span of any text is exactly one code span with its words on one line, whatever stands around it."""
    (_, inline, _) = PARSER.parse(f"so {code(text)} it is")
    before, span, after = inline.children or ()
    assert (before.content, span.type, after.content) == ("so ", "code_inline", " it is")
    assert "\n" not in code(text)
    assert span.content.split() == words(text)


@settings(deadline=None, derandomize=True, database=None)
@given(TEXTS)
def test_code_in_a_table_is_one_cell(text: str) -> None:
    """In a table a cell of any text is exactly one cell with its words, pipes and all."""
    tokens = PARSER.parse(f"| a | b |\n| --- | --- |\n| {cell(text)} | end |")
    cells = [tokens[place + 1] for place, token in enumerate(tokens) if token.type == "td_open"]
    assert [[child.type for child in cell.children or ()] for cell in cells] == [["code_inline"], ["text"]]
    assert cells[0].children[0].content.split() == words(text)


@given(st.text(st.characters(categories=("Cc", "Cf", "Zl", "Zp"))))
@settings(deadline=None, derandomize=True, database=None)
def test_visible_leaves_nothing_that_turns_the_reading_order(text: str) -> None:
    """No control, line-separating or bidirectional character but tab and newline is left, and none is lost."""
    seen = visible(text)
    assert not set(seen) & {
        chr(one)
        for one in (*range(9), *range(11, 32), 127, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
    }
    assert len(seen) >= len(text)


def words(text: str) -> list[str]:
    """What the reader is meant to see of a text, blanks and line ends aside."""
    return visible(text.replace("\r\n", "\n")).split()
