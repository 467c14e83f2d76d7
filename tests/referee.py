"""What GitHub would make of a body: its own parser (cmark-gfm, footnotes on), and its published rules on the result.

Written apart from the sanitiser and sharing nothing with it. Mentions, references and closing keywords are looked for
in text outside of code, as GitHub does; links, pictures and tags in the HTML.
"""

import re
import unicodedata
from html.parser import HTMLParser
from urllib.parse import urlsplit

from cmarkgfm import cmark

EXTENSIONS = ["table", "autolink", "strikethrough", "tasklist"]
OPTIONS = cmark.Options.CMARK_OPT_UNSAFE | cmark.Options.CMARK_OPT_FOOTNOTES
HEADINGS = {f"h{level}" for level in range(1, 7)}
MADE_BY_MARKDOWN = HEADINGS | {"a", "blockquote", "code", "del", "em", "hr", "input", "li", "ol", "p", "pre", "strong"}
MADE_BY_MARKDOWN |= {"table", "tbody", "td", "th", "thead", "tr", "ul"}
ALLOWED_HTML = {"details", "summary", "br", "sub", "sup"}
MENTION = re.compile(r"(?:^|[^A-Za-z0-9_])(@[A-Za-z0-9][A-Za-z0-9-]*(?:/[A-Za-z0-9._-]+)?)")
NUMBER = re.compile(r"((?:[A-Za-z0-9][A-Za-z0-9-]*(?:/[A-Za-z0-9._-]+)?)?#\d+)\b")
GH = re.compile(r"\b(gh-\d+)\b", re.IGNORECASE)
SHA = re.compile(r"(?:[A-Za-z0-9._/-]+@|(?<!\d\.)\b)([0-9a-f]{7,40})\b")
ADDRESS = re.compile(r"(?:https?://(?=\w)|(?<![A-Za-z0-9])(?:www\.|github\.com/))[^\s<]+", re.IGNORECASE)
CLOSING = re.compile(r"\b(?:close|closes|closed|fix|fixes|fixed|resolve|resolves|resolved):?\s+\ue000", re.IGNORECASE)
COMMAND = re.compile(r"^\s*(?:@(?:torchxpubot|pytorchbot|pytorchmergebot)|/alignbot|/label)\b(?=\s|$)", re.M)
CASES = re.compile(r"^\s*cases:", re.M | re.I)
LINK = "\ue000"
"""Stands for a link that GitHub makes."""
BREAK = "\ue001"
"""Stands for code, and for the border between two blocks."""


class Page(HTMLParser):
    """Text outside of code, piece by piece, and everything that is not text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = [""]
        self.links: list[tuple[str, str]] = []
        self.found: list[str] = []
        self.open_code = 0
        self.in_link = False
        self.lines = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag that neither Markdown makes nor the list allows is a fault."""
        given = dict(attrs)
        if tag in ("code", "pre"):
            self.open_code += 1
        elif tag == "a" and set(given) <= {"href", "title"} and given.get("href"):
            self.links.append((given["href"] or "", ""))
            self.in_link = True
            self.lines += LINK
        elif tag not in MADE_BY_MARKDOWN | ALLOWED_HTML or (tag in ALLOWED_HTML and set(given) - {"open"}):
            self.found.append(f"tag {tag} {given}")
        if tag not in ("em", "strong", "del"):
            self.lines += "\n" if tag == "br" else "" if tag == "a" else BREAK
        self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        """Code ends with the tag that began it."""
        if tag in ("code", "pre"):
            self.open_code -= 1
        if tag == "a":
            self.in_link = False
        self.texts.append("")

    def handle_data(self, shown: str) -> None:
        """Text that GitHub looks into."""
        if self.open_code:
            self.lines += BREAK
            return
        self.texts[-1] += shown
        self.lines += "" if self.in_link else shown

    def handle_comment(self, shown: str) -> None:
        """None may be left."""
        self.found.append(f"comment {shown!r}")

    def handle_decl(self, decl: str) -> None:
        """Nor a declaration."""
        self.found.append(f"declaration {decl!r}")

    def unknown_decl(self, shown: str) -> None:
        """Nor CDATA."""
        self.found.append(f"declaration {shown!r}")

    def handle_pi(self, shown: str) -> None:
        """Nor an instruction."""
        self.found.append(f"instruction {shown!r}")


def faults(body: str, references: frozenset[str], hosts: frozenset[str] = frozenset({"github.com"})) -> list[str]:
    """All that must not leave and would, each in words; `references` are the ones that may."""
    html = cmark.markdown_to_html_with_extensions(body, OPTIONS, EXTENSIONS)
    page = Page()
    page.feed(html)
    page.close()
    found = list(page.found)
    found += [f"link {href}" for href, _ in page.links if not _may(href, references, hosts)]
    for text in page.texts:
        found += _in_text(text, references, hosts)
    told = page.lines
    for pattern in (NUMBER, GH, SHA):
        told = pattern.sub(LINK, told)
    found += [f"closing keyword {one.group()!r}" for one in CLOSING.finditer(told)]
    found += [f"command {one.group()!r}" for one in COMMAND.finditer(body)]
    found += [f"cases {one.group()!r}" for one in CASES.finditer(body)]
    found += ["raw comment"] if "<!--" in body else []
    found += [f"unseen {one!r}" for one in body if _unseen(one)]
    return found


def _in_text(text: str, references: frozenset[str], hosts: frozenset[str]) -> list[str]:
    addresses = [one.group().rstrip("?!.,:;*_~'\")]") for one in ADDRESS.finditer(text)]
    found = [f"address {one!r}" for one in addresses if not _may(one, references, hosts)]
    plain = ADDRESS.sub(" ", text)
    found += [f"mention {one.group(1)!r}" for one in MENTION.finditer(plain)]
    for pattern in (NUMBER, GH, SHA):
        found += [
            f"reference {one.group()!r}" for one in pattern.finditer(plain) if one.group(1).lower() not in references
        ]
    return found


def _may(href: str, references: frozenset[str], hosts: frozenset[str]) -> bool:
    if href.startswith("mailto:"):
        return "github.com" not in href
    try:
        parts = urlsplit(href)
    except ValueError:
        return False
    named = re.match(r"/([^/]+/[^/]+)/(issues|pull|commit|commits|discussions|compare)/([^/?#]+)", parts.path)
    odd = parts.scheme not in ("http", "https") or parts.username or any(one in parts.path for one in ("%", "//", ".."))
    if odd or parts.hostname not in hosts:
        return False
    if parts.hostname == "github.com" and named:
        return bool({f"{named[1]}#{named[3]}".lower(), f"{named[1]}@{named[3]}".lower()} & references)
    return parts.hostname != "redirect.github.com" or named is not None


def _unseen(character: str) -> bool:
    if character in "\n\t\ufe0e\ufe0f":
        return False
    kind = unicodedata.category(character)
    return kind in ("Cc", "Cf", "Zl", "Zp", "Cs") or 0xFE00 <= ord(character) <= 0xFE0F or ord(character) >> 12 == 0xE0
