"""What counts as a command in a comment, and what does not."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model import Decision, DecisionKind, DefectKind, Finding, Observation, Remark, Tracked
from bot.model.follow import Build
from bot.stages import answers
from bot.stages.comments import MOST, Verb, commands
from bot.stages.hush import hush, retest_asked
from tests.work import calls

NOON = datetime(2026, 11, 12, 12, tzinfo=UTC)
FINDING = Finding(target="xpu", op="cumsum", defect_kind=DefectKind.PRECISION, symptom="value")


@pytest.mark.parametrize(
    ("text", "verb", "number", "span", "reason"),
    [
        ("/alignbot dup #12", Verb.DUP, 12, None, ""),
        ("/alignbot dup 12: the same sum", Verb.DUP, 12, None, "the same sum"),
        ("/alignbot DUP #12, see there", Verb.DUP, 12, None, "see there"),
        ("/alignbot undup no", Verb.UNDUP, None, None, "no"),
        ("   /alignbot invalid it is `meant`", Verb.INVALID, None, None, "it is meant"),
        ("thanks!\n/alignbot retest", Verb.RETEST, None, None, ""),
        ("/alignbot\tsnooze\t14d", Verb.SNOOZE, None, timedelta(days=14), ""),
        ("/alignbot snooze 6h on holiday", Verb.SNOOZE, None, timedelta(hours=6), "on holiday"),
        ("<details>\n\n/alignbot explain\n\n</details>", Verb.EXPLAIN, None, None, ""),
        ("/alignbot help", Verb.HELP, None, None, ""),
    ],
)
def test_commands(text: str, verb: Verb, number: int | None, span: timedelta | None, reason: str) -> None:
    """At the start of a line, with the rest of the line as the reason."""
    (one,) = commands(text.replace("\n", "\r\n"))
    assert (one.verb, one.number, one.span, one.reason) == (verb, number, span, reason)


@pytest.mark.parametrize(
    "text",
    [
        "`/alignbot invalid`",
        "`\n/alignbot invalid\n`",
        "    /alignbot invalid",
        "```\n/alignbot invalid\n```",
        "~~~~\n```\n/alignbot invalid\n~~~~",
        "```\n/alignbot invalid",
        "> /alignbot invalid",
        "> they said\n/alignbot invalid",
        "- /alignbot invalid",
        "1. x\n\n   /alignbot invalid",
        "# /alignbot invalid",
        "/alignbot invalid\n===",
        "<!-- /alignbot invalid -->",
        "<!--\n\n/alignbot invalid\n\n-->",
        "a <!--\n/alignbot invalid\n--> b",
        "<pre>\n\n/alignbot invalid\n\n</pre>",
        "please type /alignbot invalid",
        "**/alignbot invalid**",
        "[/alignbot invalid](x)",
        "/alignbotinvalid",
        "/alignbots invalid",
        "//alignbot invalid",
        "/ALIGNBOT invalid",
        "",
    ],
)
def test_no_commands(text: str) -> None:
    """Code, quotations, lists, headings, HTML comments, and what is only near."""
    assert commands(text) == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("/alignbot", "what is to be done?"),
        ("/alignbot close", "there is no 'close'"),
        ("/alignbot dup", "say of which issue"),
        ("/alignbot dup #0", "say of which issue"),
        ("/alignbot dup #12x", "say of which issue"),
        ("/alignbot dup other/repo#3", "say of which issue"),
        ("/alignbot snooze", "say for how long"),
        ("/alignbot snooze 14", "say for how long"),
        ("/alignbot snooze 9999d", "say for how long"),
        ("/alignbot snooze 0d", "say for how long"),
    ],
)
def test_not_understood(text: str, why: str) -> None:
    """It is said what is wrong, and nothing is guessed."""
    (one,) = commands(text)
    assert one.verb is None
    assert why in one.reason


@given(st.text(alphabet="`~<>!-#*[]()_\\ \n\t/alignbotdup12", max_size=300))
@settings(deadline=None, derandomize=True, database=None)
def test_any_text_is_read(text: str) -> None:
    """No text fails, or gives more commands than are read; no reason holds a line end."""
    found = commands(f"{text}\n/alignbot {text}")
    assert len(found) <= MOST
    assert not [one for one in found if "\n" in one.reason + one.said]


@pytest.mark.parametrize("piece", ["/alignbot x\n", "> ", "`", "[", "<!--", "*_", "<a ", "\\", "!["])
def test_a_hostile_comment_takes_little(piece: str) -> None:
    """Work grows no faster than the text: sixty thousand characters of anything are read in a moment."""
    text = "/alignbot help\n\n" + piece * (60_000 // len(piece))
    assert calls(lambda: commands(text)) < 5_000_000


def remark(body: str, *, number: int = 1, at: datetime = NOON, **more: object) -> Remark:
    """A member's comment."""
    return Remark(id=number, author="boss", author_association="MEMBER", at=at, body=body).model_copy(update=more)


def test_bots_and_our_own_are_not_read() -> None:
    """Whatever they say, and whatever rights they have."""
    given_ones = [remark("/alignbot invalid", bot=True), remark("/alignbot invalid", author="AlignBot")]
    assert answers.orders(given_ones, ["boss", "alignbot"], "alignbot") == ()
    tracker = Tracked(repo="a/b", number=7, filed_at=NOON)
    assert answers.reactions(FINDING, tracker, given_ones, (), "alignbot", NOON) == []


def test_an_edited_comment_is_read_anew() -> None:
    """The same comment at the same time gives its decision once; changed, it gives another."""
    first = answers.orders([remark("/alignbot dup #3")], (), "alignbot")
    (stored,) = answers.decisions(FINDING.fingerprint, first, 7, ())
    assert answers.decisions(FINDING.fingerprint, first, 7, (stored,)) == []
    later = answers.orders([remark("/alignbot dup #4", at=NOON + timedelta(hours=1))], (), "alignbot")
    assert [one.of for one in answers.decisions(FINDING.fingerprint, later, 7, (stored,))] == [4]
    assert stored.reason == "`/alignbot dup #3` on #7"


def word(kind: DecisionKind, hours: int, until: datetime | None = None) -> Decision:
    """A word so many hours after noon."""
    return Decision(
        fingerprint="f", kind=kind, reason="why", decided_at=NOON + timedelta(hours=hours), until=until, comment=1
    )


def test_hush() -> None:
    """The last word that holds decides; when a snooze is over, what was said before it counts again."""
    until = NOON + timedelta(hours=10)
    dup, undup = word(DecisionKind.DUPLICATE, 0), word(DecisionKind.UNDUPLICATE, 1)
    snooze, retest = word(DecisionKind.SNOOZE, 2, until), word(DecisionKind.RETEST, 3)
    assert hush((dup,), NOON) == "duplicate: why"
    assert hush((dup, undup, retest), NOON) == ""
    assert hush((dup, snooze), NOON).startswith("snoozed until 2026-11-12T22:00:00Z")
    assert hush((dup, snooze), until) == "duplicate: why"
    assert hush((undup, snooze), until) == ""
    assert hush((dup, word(DecisionKind.UNDUPLICATE, 0)), NOON) == "", "of one comment the last line counts"


def test_a_wish_is_met_once() -> None:
    """By a run that was made for it, whatever the clocks say."""
    retest = word(DecisionKind.RETEST, 3)
    run = Observation(fingerprint="f", build=Build(), shows=True, at=NOON + timedelta(hours=9))
    met = run.model_copy(update={"answers": retest.decided_at})
    assert retest_asked((retest,), (run,)) == retest.decided_at
    assert retest_asked((retest,), (run, met)) is None
    assert retest_asked((), (run,)) is None
