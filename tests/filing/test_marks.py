"""Our marks: they are found again, nobody's text is taken for ours, and nobody's words are overwritten."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import Outbound
from bot.model.marks import block, holds_block, mark, marked, replaced, unmarked
from tests.filing.desk import issue

FINGERPRINT, ID = "00000000000000aa", "00000000000000bb"
plain = st.text().map(lambda text: unmarked(text).replace("\r", "").strip())


def test_the_marker_as_it_is_promised() -> None:
    """Other programs look for it."""
    assert mark(FINGERPRINT, ID) == f"<!-- alignbot:finding={FINGERPRINT} intent={ID} v=1 -->"


@given(plain)
def test_every_text_that_leaves_is_marked(body: str) -> None:
    """Once, with an editable block, whatever it says."""
    for kind in (Outbound.ISSUE, Outbound.COMMENT, Outbound.EDIT):
        sent = issue(kind=kind, body=body, fingerprint=FINGERPRINT, id=ID).text
        assert marked(sent) == ((FINGERPRINT, ID),)
        assert holds_block(sent, ID)
        assert body.strip() in sent


@given(plain, plain)
def test_a_block_is_replaced_and_nothing_else(body: str, news: str) -> None:
    """Also where GitHub's editor has changed the ends of lines, and again after that."""
    sent = issue(body=body, fingerprint=FINGERPRINT, id=ID).text
    other = replaced(sent.replace("\n", "\r\n"), news, "cc")
    assert other is not None
    assert other == sent.replace(block("", ID), block(news, "cc"))
    assert replaced(other, "", ID) == sent


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no block",
        block("ours", ID).replace("ours", "theirs"),
        block("ours", ID) + block("ours", ID),
        block("ours", ID).replace("<!-- alignbot:end -->", ""),
        block("", ID).replace("-->\n<!--", "-->\nnew\n<!--"),
    ],
)
def test_what_a_person_has_changed_is_theirs(text: str) -> None:
    """No block, two, half of one, or one with other words in it: nothing is replaced."""
    assert replaced(text, "news", ID) is None


def test_a_draft_brings_no_marks() -> None:
    """All comments of our namespace are taken out, those of others are not our business."""
    text = f"a{mark(FINGERPRINT, ID)}b<!--alignbot:x\ny-->c<!-- agent:z -->d"
    assert unmarked(text) == "abc<!-- agent:z -->d"
