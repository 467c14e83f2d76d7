"""What leaves for GitHub, whatever comes: judged by GitHub's own parser and by rules written apart from ours."""

import re
import sys
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.sanitising import BODY_LIMIT, ExitRules, Refused, Sanitised, TooLong, leaving, sanitise, sanitise_title
from bot.sanitising.title import forbidden_label
from bot.sanitising.unseen import is_unseen
from tests.exit_rules import RULES, SECRET, may_refer
from tests.referee import MENTION, faults
from tests.work import calls

QUIET = RULES.model_copy(update={"upstream_reference": "no-backlink"})
MOST_LONGER = 12
"""Times that a body may grow, and some characters for a fence around it."""

ACTIVE = (
    "@user", "@org/team", "#12", "#5", "owner/repo#12", "GH-12", "deadbee", "0123456789abcdef0123456789abcdef01234567",
    "user@deadbeef", "intel/torch-xpu-ops#5", "pytorch/pytorch#7", "a@b.co", "mailto:a@b.co", "xmpp:a@b.co",
    "https://github.com/o/r/issues/1", "http://github.com/o/r/pull/2#issuecomment-3", "//github.com/o/r/issues/1",
    "https://github.com/intel/torch-xpu-ops/issues/5", "https://github.com/pytorch/pytorch/pull/7",
    "https://elsewhere.example/x", "www.elsewhere.example", "http://", "ftp://x.y", "github.com/o/r/issues/1",
    "Fixes ", "closes: ", "Resolved\n", "/alignbot merge", "\n/label x", "\n@pytorchbot merge\n", "Cases:\n",
    "ghp_" + "A" * 20, "https://me:pw@elsewhere.example", "/home/me/x",
)  # fmt: skip
MARKS = (
    "<https://github.com/o/r/commit/deadbeef>", '<a href="https://github.com/o/r/issues/1">', "</a>", "<img src=x>",
    "![a](https://elsewhere.example/p.png)", "[ok](https://github.com/intel/torch-xpu-ops/issues/5)", "[x](", "[x][y]",
    "[x]: https://github.com/o/r/issues/1\n", "[x]", "[^1]", "[^1]:", "![", "[", "]", "](", ")", "(", "]:",
    "`", "``", "```", "~~~", "\n```\n", "\n~~~\n", "```python\n", "~", "*", "**", "_", "\\", "\\|", "|", "$", "$`",
    "\n", "\n\n", "\n> ", "\n- ", "\n1. ", "\n    ", "\n\t", "\n  - ", "\n   ```\n", "- [ ] ", "  ", "\t", " ",
    "\n|---|\n", "\n|---|---|\n", "# ", "\n# ", "\n===\n", "\n---\n",
    "&", "&#64;", "&#35;12", "&#x40;user", "&commat;user", "&num;3", "&amp;", "&#x202e;",
    "<", "<!", "<!--", "-->", "<?", "<![CDATA[", "]]>", "<details>", "</details>", "<summary>", "</summary>", "<br>",
    "<sub>", "</sub>", "<script>", "<pre>", "</pre>", "<code>", "</code>", "<div>\n", "</div>",
    "\u202e", "\u200b", "\u2028", "\x00", "\r", "\r\n", "\ud800", "é", "a", "word ", ".", ":", ",", "!",
)  # fmt: skip
HOSTILE = st.lists(st.sampled_from(ACTIVE + MARKS), max_size=24).map("".join)
BODIES = (
    st.text(max_size=200) | HOSTILE | st.lists(st.sampled_from("@#`|<>[]()!\\*_~ \n\t-+1.:/&;=ag^\"'$")).map("".join)
)
laws = settings(
    deadline=None, derandomize=True, database=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow]
)


@laws
@example("``` `a` `@user`", RULES)  # GitHub's parser misses the second code span
@example("- [ ] [x]: https://github.com/o/r/issues/1\n$[x]", RULES)  # a definition once the box is taken away
@example("1. -->\n<sub>\nhttps://github.com/o/r/issues/1", RULES)  # a block of HTML outside of the list
@example("[^1]\n\n[^1]:\n\n    @user", RULES)
@example("`" * 300 + "\n" + "`" * 280 + "\n@user\n" + "`" * 300, RULES)
@example("`" * 90 + "@user" + "`" * 90, RULES)
@given(BODIES, st.sampled_from((RULES, QUIET)))
def test_nothing_that_pings_or_refers_is_left(body: str, rules: ExitRules) -> None:
    """Of any text what leaves has no mention, foreign reference, keyword, command, comment or raw HTML, or is refused.

    It is a bounded factor longer at most, and goes through a second time unchanged.
    """
    try:
        told = sanitise(body, rules)
    except Refused:
        return
    assert faults(told.body, *may_refer(rules)) == []
    assert sanitise(told.body, rules) == Sanitised(body=told.body)
    assert len(told.body) <= MOST_LONGER * len(body) + 64


def test_the_referee_sees_each_fault() -> None:
    """A body that leaves as it came would be found out: each of the texts above that is active has a fault."""
    harmless = {"#5", "intel/torch-xpu-ops#5", "https://github.com/intel/torch-xpu-ops/issues/5", "a@b.co", "http://",
                "Fixes ", "closes: ", "Resolved\n", "mailto:a@b.co", "//github.com/o/r/issues/1", "/home/me/x",
                "ghp_" + "A" * 20}  # fmt: skip
    quiet = [text for text in ACTIVE if not faults(text.strip("\n"), *may_refer(RULES))]
    assert set(quiet) <= harmless | {"xmpp:a@b.co"}
    for text in ("<b>x</b>", "<!-- x -->", "![a](https://github.com/o/r)", "Fixes #5", "\u202e", "<br class=x>"):
        assert faults(text, *may_refer(RULES)), text


@given(st.characters(categories=("Cc", "Cf", "Zl", "Zp", "Cs")))
@settings(deadline=None, derandomize=True, database=None)
def test_characters_that_nobody_sees_are_shown(character: str) -> None:
    """Every control, format, separator and surrogate character but tab and newline is written out, code or not."""
    assert is_unseen(character) == (character not in "\n\t")
    if is_unseen(character):
        told = sanitise(f"a{character}b\n\n```\n{character}\n```\n", RULES).body
        assert told == f"a\\u{{{ord(character):x}}}b\n\n```\n\\u{{{ord(character):x}}}\n```\n"


def test_no_letter_is_taken_for_unseen() -> None:
    """Of all characters only those are written out that have no shape of their own."""
    shaped = {"Lu", "Ll", "Nd", "Sm", "Sc", "Po", "Pd", "Zs"}
    wrong = [
        code for code in range(sys.maxunicode + 1) if is_unseen(chr(code)) and unicodedata.category(chr(code)) in shaped
    ]
    assert wrong == []


SHAPES = (
    "ghp_" + "a1" * 18, "gho_" + "a1" * 18, "ghs_" + "a1" * 18, "ghu_" + "a1" * 18, "ghr_" + "a1" * 18,
    "github_pat_" + "a1_" * 12, "xoxb-" + "12-ab" * 4, "AKIA" + "A1" * 8, "glpat-" + "a1" * 10, "hf_" + "a1" * 16,
    "sk-proj-" + "a1" * 12, "sk-" + "1a" * 16, "eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJ",
    "-----BEGIN RSA PRIVATE KEY-----\n" + "A1" * 20 + "\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n" + "A1" * 20 + "\n" + "B1" * 20,
    SECRET,
)  # fmt: skip


@pytest.mark.parametrize("secret", SHAPES)
@pytest.mark.parametrize(
    "around", ["{}", "x `{}` y", "```\na {}\n```\n", "| a |\n|---|\n| {} |\n", "[a]({})", "**{}**"]
)
def test_secrets_are_redacted(secret: str, around: str) -> None:
    """A known value and every shape of a token goes, in prose, in code, in tables and in links."""
    told = sanitise(around.format(secret), RULES)
    assert secret not in told.body
    assert "redacted-secret" in told.body
    assert next(change for change in told.changes if change.kind == "secret").count == 1


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Authorization: token abcdef123", "abcdef123"),
        ('"authorization": "Basic dXNlcjpwYXNz"', "dXNlcjpwYXNz"),
        ("curl -H 'bearer abcdef123'", "abcdef123"),
        ("git clone https://me:pw@elsewhere.example", "me:pw"),
        ("/home/someone/x", "someone"),
        ("file:///Users/someone/x", "someone"),
        (r"C:\Users\someone\x", "someone"),
        ("/root/x", "/root"),
        ("/srv/bots/align/x", "/srv/bots"),
        ("on BUILDER-7.", "BUILDER-7"),
    ],
)
def test_what_tells_of_the_machine_goes(text: str, gone: str) -> None:
    """User info, headers, home folders and host names go from code and from prose, and the rest of the line stays."""
    for body in (text, f"```\n{text}\n```\n"):
        told = sanitise(body, RULES)
        assert gone not in told.body
        assert told.changes


def test_without_names_of_hosts_none_is_looked_for() -> None:
    """Rules that name no host and an empty home folder take nothing out."""
    rules = ExitRules(repository="a/b", home_paths=frozenset({"/"}))
    assert sanitise("a / b builder-7\n", rules) == Sanitised(body="a / b builder-7\n")


@pytest.mark.parametrize(
    "text",
    [
        "correct-**horse**-battery",
        "correct-\nhorse-battery",
        "correct&#45;horse-battery",
        "ghp\\_" + "a1" * 18,
        "ghp%5F" + "a1" * 18,
        "ghp&lowbar;" + "a1" * 18,
    ],
)
def test_a_secret_found_late_refuses_the_filing(text: str) -> None:
    """A secret that only shows once a reader's program has decoded the text lets nothing out and isn't quoted."""
    with pytest.raises(Refused) as refused:
        sanitise(f"so {text} it is", RULES)
    assert "\n" not in str(refused.value)
    assert "horse" not in str(refused.value)
    with pytest.raises(Refused):
        leaving("a title", text, RULES)


def test_rules_never_print_a_secret() -> None:
    """Neither the rules' text nor their JSON holds a known value."""
    assert SECRET not in repr(RULES) + RULES.model_dump_json()


@pytest.mark.parametrize(
    ("field", "given", "says"),
    [
        ("references", {"#12"}, "owner/repository#number"),
        ("upstream", {"pytorch"}, "owner/repository"),
        ("secrets", {"short"}, "8 characters"),
        ("repository", "torch-xpu-ops", "pattern"),
    ],
)
def test_rules_that_cannot_be_meant_are_refused(field: str, given: object, says: str) -> None:
    """A reference without its repository, a secret as short as a word: an error that says what to write."""
    with pytest.raises(ValidationError, match=says):
        ExitRules.model_validate({"repository": "a/b", field: given})


def test_a_body_that_is_too_long_is_refused() -> None:
    """Longer than GitHub takes before or after: an error with the number, and none at the limit itself."""
    assert sanitise("a" * BODY_LIMIT, RULES).changes == ()
    for body in ("a" * (BODY_LIMIT + 1), "@a\n" * (BODY_LIMIT // 3)):
        with pytest.raises(TooLong, match="65,536"):
            sanitise(body, RULES)


@pytest.mark.parametrize(
    ("url", "stays"),
    [
        ("https://github.com/intel/torch-xpu-ops/issues/5", True),
        ("https://github.com/Intel/Torch-XPU-ops/pull/5#issuecomment-1", True),
        ("https://github.com/intel/torch-xpu-ops/pull/5/files", True),
        ("https://github.com/intel/torch-xpu-ops/issues/6", False),
        ("https://github.com/intel/torch-xpu-ops/pull/5/commits/deadbeef", False),
        ("https://github.com/intel/torch-xpu-ops/commits/deadbeef", False),
        ("https://github.com/intel/torch-xpu-ops/compare/a...b", False),
        ("https://github.com/intel/torch-xpu-ops/blob/main/../../issues/6", False),
        ("https://github.com/intel/torch-xpu-ops/blob/main/a.cpp#L1", True),
        ("https://www.github.com/intel/torch-xpu-ops/issues/5", False),
        ("https://github.com/intel", False),
        ("https://docs.github.com/en", True),
        ("https://x.github.com/en", False),
        ("https://listed.example/a?b=c", True),
        ("https://elsewhere.example/a", False),
        ("https://redirect.github.com/pytorch/pytorch/pull/7", False),
        ("ftp://listed.example/a", False),
    ],
)
def test_what_may_stay_a_link(url: str, stays: bool) -> None:
    """An address stays a link, bare and with words, if its host is listed and, on GitHub, what it names."""
    hosts = frozenset({"github.com", "docs.github.com", "x.github.com", "www.github.com", "listed.example"})
    rules = RULES.model_copy(update={"hosts": hosts})
    for body in (f"see {url} here\n", f"[words]({url})\n", f"<{url}>\n"):
        assert (sanitise(body, rules).body == body) == stays


@pytest.mark.parametrize("rules", [RULES, QUIET], ids=["code", "no-backlink"])
def test_a_commit_may_be_on_the_list(rules: ExitRules) -> None:
    """A listed commit stays as text and as a link; the same hash with another repository does not."""
    listed = rules.model_copy(update={"references": frozenset({"pytorch/pytorch@9053bca"})})
    body = "pytorch/pytorch@9053bca [x](https://github.com/pytorch/pytorch/commit/9053bca)\n"
    assert sanitise(body, listed) == Sanitised(body=body)
    assert sanitise("x/pytorch@9053bca\n", listed).body == "`x/pytorch@9053bca`\n"


def test_other_upstreams_may_be_named() -> None:
    """Whose references go over the quiet host is a matter of the rules, whatever their case."""
    rules = QUIET.model_copy(update={"upstream": ExitRules(repository="a/b", upstream=frozenset({"O/R"})).upstream})
    assert sanitise("o/r#1 pytorch/pytorch#7\n", rules).body == (
        "[`o/r#1`](https://redirect.github.com/o/r/issues/1) `pytorch/pytorch#7`\n"
    )


def test_a_link_without_backlink_goes_through_again() -> None:
    """The quiet host's address stays for upstream and nothing else, and only where the rules want it."""
    quiet = "[a](https://redirect.github.com/pytorch/pytorch/pull/7)\n"
    assert sanitise(quiet, QUIET) == Sanitised(body=quiet)
    for body in (quiet.replace("pytorch/p", "other/p"), quiet.replace("/7", "/7#x"), quiet.replace("/pull/7", "")):
        assert sanitise(body, QUIET).body != body
    assert sanitise(quiet, RULES).body == "a (`pytorch/pytorch#7`)\n"


HOSTILE_TEXTS: dict[str, Callable[[int], str]] = {
    "brackets": lambda size: "[" * size,
    "images": lambda size: "![" * (size // 2),
    "brackets in code": lambda size: "[`]`" * (size // 4),
    "backticks": lambda size: "`" * size,
    "code spans left open": lambda size: "".join("`" * (1 + n % 50) + "x" for n in range(size // 26)),
    "quotes": lambda size: ">" * size,
    "lists": lambda size: "".join(" " * (2 * n) + "- x\n" for n in range(int(size**0.5))),
    "emphasis": lambda size: "*a_" * (size // 3),
    "tags": lambda size: '<a x="' * (size // 6),
    "definitions": lambda size: "[a]: x\n" * (size // 7),
    "bars": lambda size: "|a" * (size // 2),
    "names": lambda size: "x" * size + "#1",
    "keys": lambda size: "-----BEGIN PRIVATE KEY-----" * (size // 27),
    "folds": lambda size: "<details>\n\n" * (size // 11),
    "hashes": lambda size: "abcdef01 " * (size // 9),
    "addresses": lambda size: "http://" * (size // 7),
}


def tried(body: str) -> None:
    """Sanitise; a refusal is an answer too."""
    try:
        sanitise(body, RULES)
    except Refused as refused:
        assert str(refused)


@pytest.mark.parametrize("name", HOSTILE_TEXTS)
def test_work_grows_with_the_text(name: str) -> None:
    """Twice as much of a text made to be slow takes at most three times the work, and a constant."""
    small, large = (calls(lambda size=size: tried(HOSTILE_TEXTS[name](size))) for size in (4_000, 8_000))
    assert large <= 3 * small + 20_000


def test_a_megabyte_is_refused_before_it_is_read() -> None:
    """However hostile, a text far beyond GitHub's limit costs next to nothing."""
    assert calls(lambda: tried("[`" * 500_000)) < 100


@pytest.mark.parametrize(
    ("title", "leaves"),
    [
        ("[xpu-alignment] grid_sampler_2d: bfloat16 loses precision silently, 256 for 2048", None),
        ("off by 16777216 of 16777217", None),
        ("ping @user and @org/team", "ping user and org/team"),
        ("see #12, o/r#12 and gh-12", "see 12, o/r 12 and gh 12"),
        ("landed as 9053bcaf", "landed as 9053bc"),
        ("https://github.com/o/r/pull/3 and https://elsewhere.example/x", "o/r 3 and (link)"),
        ("a\nb\tc  d", "a b c d"),
        ("a\u202eb\x00", r"a\u{202e}b\u{0}"),
        ("/alignbot close", "alignbot close"),
        ("//x", "x"),
        ("<!-- x", r"<\u{21}-- x"),
        (f"key {SECRET}", "key redacted-secret"),
        ("word " * 40, " ".join(["word"] * 24)),
    ],
)
def test_title(title: str, leaves: str | None) -> None:
    """A title is one line without mention or reference, cut between words; a plain one leaves as it came."""
    told = sanitise_title(title, rules=RULES)
    assert told == (title if leaves is None else leaves)
    assert sanitise_title(told, rules=RULES) == told


@laws
@given(BODIES, st.integers(20, 120))
def test_any_title(text: str, limit: int) -> None:
    """Of any text the title is one short line that pings nobody, ends with a whole word and stays as it is."""
    try:
        told = sanitise_title(text, limit, RULES)
    except Refused:
        return
    assert 0 < len(told) <= limit
    assert "\n" not in told
    assert not MENTION.search(told)
    assert not re.search(r"#\d", told)
    assert not any(map(is_unseen, told))
    assert sanitise_title(told, limit, RULES) == told


@pytest.mark.parametrize("title", ["", " \n", "x" * 121, "@"])
def test_a_title_of_no_word_is_refused(title: str) -> None:
    """A title with nothing in it, or with a first word that is longer than a title may be, is refused."""
    if title == "@":
        assert sanitise_title(title) == "@"
        return
    with pytest.raises(Refused, match="120 characters"):
        sanitise_title(title)


def test_labels_that_mute_tests_are_forbidden() -> None:
    """`skipped` and its kin, however they are written; nothing else."""
    forbidden = ("skipped", "Skipped", " skipped_bmg", "skipped_dpclang", "skipped-x")
    assert all(map(forbidden_label, forbidden))
    assert not any(map(forbidden_label, ("ai_generated", "not skipped", "skip", "skippedness", "")))
