"""unseen: characters that nobody sees or that turn the reading order, written out as `\\u{202e}`."""

import re

_UNSEEN = re.compile(
    "["
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f"  # control characters, tab and newline apart
    "\\xad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f"
    "\\ufeff\\ufff9-\\ufffb\\U000110bd\\U000110cd\\U00013430-\\U0001343f\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a"
    "\\u2028\\u2029"  # separators of lines and paragraphs
    "\\ud800-\\udfff"  # surrogates
    "\\ufe00-\\ufe0d\\U000e0000-\\U000e0fff"  # tags and variation selectors, but those of emoji
    "\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u180f\\u2800\\u3164\\uffa0"  # blank letters
    "\\ufdd0-\\ufdef\\ufffe\\uffff"  # no characters at all
    "]"
)


def visible(text: str) -> tuple[str, int]:
    """The text with each such character written out, and their number. CR LF becomes LF and does not count."""
    return _UNSEEN.subn(lambda found: f"\\u{{{ord(found.group()):x}}}", text.replace("\r\n", "\n"))


def is_unseen(character: str) -> bool:
    """Is one character such a one?"""
    return _UNSEEN.fullmatch(character) is not None
