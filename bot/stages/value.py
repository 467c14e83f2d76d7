"""value: a value as somebody wrote it into a sentence, a comment or a block of output."""

import re

LONGEST = 2_000
"""Characters of a value."""
OPENS = re.compile(r"(?:(?:torch\.)?(?:tensor|array|Size|Parameter|return_types\.\w+)\(|np\.\w+\()|[\[(]")
WORDS_AFTER = "and|at|but|for|got|in|instead|not|on|rather|with|while|whereas|where|which|as|or|from|to|when|everywhere|here|there"
CLAUSE_END = rf"""[.!?]?[*`"')\]]{{0,3}}(?:[ \t]{{0,4}}(?:$|:(?:\s|$)|[,;)#`"'*!?|]|(?:{WORDS_AFTER})\b)|[ ][ ]?[-\u2013\u2014<>(\[\u2026]|\.[ ])"""
NUMBER = re.compile(
    r"(?P<number>[-+\u2212]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?j?|[-+]?[Ii]nf(?:inity)?\b|[nN]a[nN]s?\b|True\b|False\b|None\b)"
    rf"(?={CLAUSE_END})",
    re.MULTILINE,
)
"""A number that ends its clause: `2 machines` states no value, nor does `3.2 ms`."""
WORD = re.compile(
    r"(?P<word>torch\.(?:float|double|half|bfloat16|u?int\d+|long|bool|complex\d+|float\d\w*|channels_last\w*|contiguous_format)\w*\b|(?:torch\.)?\b[A-Z]\w*(?:Error|Exception)\b(?::? [^\n.;`]{0,120})?)"
)
INNARDS = re.compile(r"[-\u2212+\d\s.,eEj\[\]()_]|nan|NaN|inf|True|False|None|\.\.\.|tensor|array|dtype=[\w.]+|device='?\"?[\w:]+'?\"?|grad_fn=<\w+>|requires_grad=True|torch\.\w+|int\d+|float\d+|layout=[\w.]+|size=|values=|indices=")
GAP = r"[ \t]{0,4}[*_`\"']{0,3}"


def value_at(text: str, start: int) -> str | None:
    """The value that begins at `start`, or None."""
    opened = OPENS.match(text, start)
    if opened:
        return _bracketed(text, start, opened.end(), call=opened[0] not in ("[", "("))
    number = NUMBER.match(text, start)
    if number:
        return number["number"].rstrip(".") if number["number"] != "." else None
    word = WORD.match(text, start)
    return word["word"].strip() if word else None


def is_value(text: str) -> bool:
    """Is the text a value and nothing else?"""
    plain = text.strip("`*_ \n.")
    value = value_at(plain, 0)
    return value is not None and len(plain) - len(value) < 3


def _bracketed(text: str, start: int, inner: int, *, call: bool) -> str | None:
    """Up to the closing bracket; a list of numbers, or what a tensor prints."""
    level = 0
    for position in range(inner - 1, min(len(text), start + LONGEST)):
        level += (text[position] in "[({") - (text[position] in "])}")
        if level == 0:
            value = text[start : position + 1]
            return value if call or _numbers(value) else None
    return None


def _numbers(value: str) -> bool:
    """A list of values; a lone one in parentheses is an aside."""
    if value[0] == "(" and "," not in value:
        return False
    return bool(re.search(r"\d|nan|inf|True|False|NaN", value)) and not INNARDS.sub("", value)
