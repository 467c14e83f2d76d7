"""Strangers' text on the pages, and strangers' pages before the door."""

import re

import pytest

from bot.dashboard.links import finding_url, is_github, item_url, ledger_url
from bot.dashboard.markdown import rendered
from bot.model import Draft
from tests.dashboard.document import Document
from tests.dashboard.fake_store import FakeStore
from tests.dashboard.sample import DAY, HOSTILE, evidence, filled, found_case, hostile, item
from tests.work import calls


def pages_of(store: FakeStore) -> list[str]:
    return [
        "/",
        "/windows",
        ledger_url(DAY, "xpu"),
        finding_url(store.findings()[0][0].fingerprint),
        "/%3Cb%3E%E2%80%AE",
    ]


def test_markup_stays_text(ask):
    """No page holds an element or an event attribute that a stranger wrote."""
    store = hostile()
    for path in pages_of(store):
        for tag, attributes in Document(ask(store, path).text).elements:
            assert tag not in {"script", "svg", "iframe", "object", "style", "form", "b", "textarea"}
            assert tag != "img" or attributes["src"] == "/static/icon.svg"
            assert not any(name.startswith("on") for name in attributes)


def test_text_is_not_a_template(ask):
    """Template syntax in a title is printed, not evaluated."""
    text = ask(hostile(), ledger_url(DAY, "xpu")).text
    assert "{{ 7 * 7 }}" in text


def test_hidden_characters_are_written_out(ask):
    """No page sends a control, bidirectional or zero-width character on; where one stood, its name stands."""
    store = hostile()
    for path in pages_of(store):
        text = ask(store, path).text
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", text)
        assert ("⟨U+202E⟩" in text) == (path not in ("/", "/windows"))


def test_only_github_can_be_reached(ask):
    """Every address on every page is ours or github.com's."""
    for store in (filled(), hostile()):
        for path in pages_of(store):
            for _, attributes in Document(ask(store, path).text).elements:
                for name in ("href", "src", "action", "srcset", "poster"):
                    address = attributes.get(name) or "/"
                    local = address.startswith(("/", "#")) and not address.startswith("//")
                    assert local or address.startswith("https://github.com/")


def test_endless_output_is_cut(ask):
    """A megabyte in one line makes a small page that says how much is missing and keeps the last line."""
    stdout = "x" * 1_000_000 + "\nlast words"
    case = found_case().model_copy(update={"evidence": evidence("xpu", stdout=stdout)})
    store = FakeStore([case])
    text = ask(store, pages_of(store)[3]).text
    assert len(text) < 60_000
    assert "999,000 characters left out" in text
    assert "last words" in text


def test_endless_title_is_cut(ask):
    """A megabyte of title does not make a megabyte of ledger."""
    long = item(1, "y" * 1_000_000)
    store = FakeStore([found_case().model_copy(update={"items": (long,)})])
    assert len(ask(store, ledger_url(DAY, "xpu")).text) < 10_000


def test_markdown_renders_no_html():
    """Raw HTML in a draft is text, in every place that Markdown allows it."""
    blocks = (
        f"# {HOSTILE}",
        HOSTILE,
        f"<div>\n{HOSTILE}\n</div>",
        f"```{HOSTILE}\n{HOSTILE}\n```",
        f"|a|\n|-|\n|{HOSTILE}|",
    )
    html = rendered("\n\n".join(blocks))
    allowed = {"h3", "p", "pre", "code", "div", "table", "thead", "tbody", "tr", "th", "td"}
    assert Document(html).tags <= allowed


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "https://evil.example/",
        "https://github.com.evil.example/",
        "https://github.com@evil.example/",
        "https://github.com:8443/",
        "//github.com/x",
        "/windows",
        "https://github.com\\@evil.example/",
        "ftp://github.com/x",
    ],
)
def test_other_addresses_are_no_links(url):
    """An address that is not github.com over http(s) is text in a draft and never an item's link."""
    html = rendered(f"[a]({url}) <{url}> ![b]({url}) [c]\n\n[c]: {url}\n")
    assert not any(tag in {"a", "img"} and "href" in attributes for tag, attributes in Document(html).elements)
    assert item_url(item(1, "t").model_copy(update={"repo": "no repository", "url": url})) is None
    assert not is_github(url)


def test_picture_is_not_fetched():
    """An image of a draft is at most a link."""
    assert "<img" not in rendered("![x](https://github.com/a/b/raw/main/c.png)")


def test_character_references_hide_nothing():
    """A bidirectional override written as a character reference is written out too."""
    assert rendered("safe &#x202E;txt") == "<p>safe ⟨U+202E⟩txt</p>\n"


@pytest.mark.parametrize("pattern", ["[", "*a ", "<", "`a", "[a](", "![[", "|a|b|\n|-|-|\n"])
def test_wicked_markdown_ends(pattern):
    """The longest draft of a pattern that parsers choke on is work that grows with its length."""
    assert calls(lambda: rendered((pattern * 65_536)[:65_536])) < 1_000 + 400 * 65_536


def test_longest_draft_is_whole(ask):
    """A draft of the greatest length is rendered without a cut."""
    case = found_case()
    assert isinstance(case.draft, Draft)
    draft = case.draft.model_copy(update={"body": "word " * 13_000 + "end."})
    store = FakeStore([case.model_copy(update={"draft": draft})])
    assert "word end.</p>" in ask(store, pages_of(store)[3]).text


@pytest.mark.parametrize("path", ["/", "/nope", "/healthz", "/static/dashboard.css", "/windows/ledger?window=x"])
def test_every_answer_is_guarded(ask, path):
    """Whatever is answered carries the policy that forbids scripts, frames and foreign content."""
    headers = ask(filled(), path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "script-src" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("host", ["localhost", "localhost:8765", "127.0.0.1:1", "[::1]:8765", "align.example:80"])
def test_own_names_are_answered(ask, host):
    """Loopback names and configured ones are answered, on any port."""
    assert ask(filled(), "/", host=host, hosts=("align.example",)).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "align.example"]
)
def test_other_names_are_refused(ask, host):
    """A name that was not configured gets nothing: DNS rebinding ends at the Host header."""
    answer = ask(filled(), "/", host=host)
    assert answer.status_code == 400
    assert "grid_sampler" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
