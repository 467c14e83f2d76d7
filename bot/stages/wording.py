"""wording: how people write of values, devices, machines and scripts: the patterns of the stages of extraction."""

import re

GAP = r"[ \t]{0,4}[*_`\"']{0,3}"
VERB = r"(?:is|are|be|being|gives?|gave|give|returns?|returned|return|prints?|printed|print|yields?|yield|outputs?|output|produces?|produce|shows?|says?|reports?|equals?|equal|was|has|computes?|evaluates to|results? in|get|gets|see|sees|have|raises?|throws?|fails with|errors? with)"
RIGHT = r"(?:cpu|numpy|np|scipy|jax|tensorflow|float64|fp64|double(?: precision)?|eager|matlab|mpmath|the reference|reference|ground truth)"
WRONG = r"(?:gpu|cuda|mps|rocm|xpu|hip|the device|device|v100|a100|h100|t4|mi\d+\w*|pytorch|torch)"
NOUN = r"(?:ones?|values?|results?|outputs?|answers?|gradients?|grad|sum|mean|shape|dtype|behaviou?r|tensor)"
SURE = re.compile(
    rf"""(?:
    \bexpect(?:ed|s|ing)?\b(?:\ (?:{NOUN}|by\ \w+|to|the|it|that|this|both|all|here|a|of|on\ \w+|in\ \w+|from\ \w+|see|get|be|is|are|equal|have|print|give|return|i|rows?|lines?|each|every|as|both)\b){{0,8}}
    | \bshould(?:\ (?:all|both|always|have|still|rather|just|instead|also|of\ course|only|really)){{0,2}}\ (?:{VERB}|been|raise|throw|come\ out\ as|read|match|be\ equal\ to|be\ exactly|stay|become|fail\ with)\b(?:\ (?:exactly|all|about|a|an|the|with|value|equal\ to|close\ to|to)){{0,3}}
    | \bsupposed\ to\ {VERB}\b
    | \bmust\ {VERB}\b(?:\ exactly)?
    | \b(?:correct|right|true|exact|proper|analytic(?:al)?|mathematical)\ {NOUN}(?:\ (?:is|are|would\ be|here|should\ be|of\ \w+|for\ \w+)){{0,3}}
    | \bcorrect(?:ly)?(?=\s*:) | \b(?:want|wanted|desired)(?=\s*:)
    | \binstead\ of\b(?:\ the\ (?:{NOUN}|correct|expected|right)(?:\ {NOUN})?)? | \brather\ than\b
    | \b{RIGHT}(?:'s)?(?:\ (?:version|path|kernel|side|backend|reference|run|implementation|tensor|{NOUN})){{0,2}}\ (?:(?:correctly|properly|always|rightly|on\ the\ other\ hand)\ )?{VERB}\b(?:\ (?:the|correct|right|me|us|value|exactly|as|expected|all)){{0,3}}
    | \b(?:on|with|using|in|for)\ (?:the\ |a\ )?{RIGHT}\b(?:,?\ (?:it|this|one|we|i|you|that|the|same|{NOUN}|call|code|script|correctly|{VERB}|always|gets?))*
    )\ ?(?:value\ )?(?P<end>)""",
    re.IGNORECASE | re.VERBOSE,
)  # fmt: skip
SEEN = re.compile(
    rf"""(?:
    \b(?:but|and|we|i|it|actually)?\ ?\b(?:got|gets?|observed|obtained)\b(?:\ (?:the|a|is|was))?
    | \bactual(?:ly)?\b(?:\ (?:{NOUN}|{VERB}|it)){{0,3}}
    | \b(?:on|with|using)\ (?:the\ |a\ |an\ )?{WRONG}\b(?:,?\ (?:it|this|one|we|i|you|the|same|{NOUN}|call|{VERB}))*
    | \b{WRONG}(?:'s)?(?:\ (?:version|path|kernel|side|backend|run|{NOUN})){{0,2}}\ (?:(?:silently|wrongly|however|always)\ )?{VERB}\b(?:\ (?:the|wrong|me))*
    | \b(?:wrong|incorrect|bad|buggy)(?:\ {NOUN})?\b
    | (?:^|\b(?:it|this|which|code|script|that|and|but|instead)\ )(?:it\ )?(?:silently\ |instead\ |wrongly\ |now\ )?(?:returns|gives|prints|yields|outputs|produces|shows)
    )\ ?(?P<end>)""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)  # fmt: skip
LINK = re.compile(
    rf"{GAP}(?:(?::|=+|->|=>|\u2192|to be|is|are|as|of|{VERB})?{GAP})[ \t]{{0,4}}(?:an? |the )?[`\"']{{0,3}}",
    re.IGNORECASE,
)
"""What may stand between a cue and its value."""
LOOSE = re.compile(
    rf"(?![^\n\d]{{0,40}}\b(?:than|least|most|up to|more|within|only|after|until)\b)[^\n\[(\d.,;:=#-]{{0,40}}{LINK.pattern}",
    re.IGNORECASE,
)
"""Behind `expected` a few words of any kind may stand."""
LISTED = re.compile(r"[^\n\[(\d.;#-]{0,40}[`\"']{0,3}(?=\[)")
"""Before a list even a comma may stand: `Expected output, [1, 0] in each row`."""
BELOW = re.compile(r"[*_:.]{0,4}[ \t]*\n[ \t]*[`\"']{0,3}")
"""Below a line that is the cue alone."""
NOT_BEFORE = re.compile(r"(?:\bnot|n't|\bno|\bnever|\bun)[ -]?$", re.IGNORECASE)
MESSAGE = re.compile(r"(?:Error|Exception|Warning|error)\b[^\n]{0,200}?: ?")
VERSIONED = re.compile(
    r"\W*(?:cuda|torch|pytorch|rocm|hip|python|numpy|np|scipy|jax|tensorflow|matlab|device)\b", re.IGNORECASE
)
"""Labels whose number may be a version."""
SPENT = re.compile(
    r"\d ?(?:[KMG]i?B|ms|us|\u00b5s|s|sec|seconds|minutes|%)\b[^\n]{0,200}\b(?:need|tak|us|memory|alloc|fast|slow|time|expect)|\b(?:need|tak|took|use|memory|alloc|fast|slow|time)[^\n]{0,200}?\d ?(?:[KMG]i?B|ms|us|\u00b5s|s|sec|seconds|minutes|%)(?!\w)|\b(?:max\w*|mean|abs\w*|rel\w*|average|largest)\.? (?:abs\w*\.? |rel\w*\.? )?(?:err\w*|diff\w*|deviation)\b",
    re.IGNORECASE,
)
"""A line about memory, time or an error's size: its bare numbers are such amounts."""
RELEASE = re.compile(
    r"\b(?:cuda|torch|pytorch|rocm|hip|python|numpy|scipy|jax|tensorflow|matlab)[ \t]*\Z", re.IGNORECASE
)
"""Right before a number: its name and version."""
BEHIND = re.compile(
    rf"(?P<cpu>[*`\"')]{{0,3}},? (?:on|with|in|using) (?:the )?{RIGHT}\b)|(?P<sure>[*`\"')]{{0,3}},?(?: was| is| were)? ?(?:\(?(?:expected|correct|right)\b|<-+ ?(?:expected|correct)))|(?P<gpu>[*`\"')]{{0,3}},? (?:on|with|in|using) (?:the )?{WRONG}\b)|(?P<not>[*`\"')]{{0,3}},? (?:instead of|rather than)\b)",
    re.IGNORECASE,
)
EXPECTED_BEHIND = re.compile(
    r"(?<![\w.])(?P<value>-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)[`\"']? (?:(?:is|was|were|are) )?expected\b", re.IGNORECASE
)
"""`0.5 was expected`."""
SPEAKS = re.compile(rf"\b(?:{VERB}|get|got)\b{GAP}[ \t]{{0,3}}[:`\"']{{0,2}}[ \t]?", re.IGNORECASE)
LABEL = re.compile(
    rf"^\W*(?:(?P<sure>{RIGHT}|expected|correct|want|truth|ref|golden)|(?P<seen>{WRONG}|actual|got|observed|wrong|prints|(?:output|result)s?(?![^\n:]{{0,30}}\b(?:{RIGHT}|expected)\b)))\b[^\n:=()\[\]]{{0,30}}[:=]+[ \t]*(?=[^\s=])[`\"'*_]{{0,3}}",
    re.IGNORECASE | re.MULTILINE,
)
EXPECTED = re.compile(r"\bexpect|\bshould\b|\bcorrect\b", re.IGNORECASE)
EXPECTS = re.compile(rf"\bexpect|\bshould\b|\bcorrect\b|\b{RIGHT}\b", re.IGNORECASE)
NOT_SO = re.compile(r"\bun|\bnot\b|\bactual|\bincorrect|\bwrong|\bcompare|\bdiffer|n't\b|\binstead\b", re.IGNORECASE)
ON_DEVICE = re.compile(rf"\b{WRONG}\b(?!\.)", re.IGNORECASE)
SHOWS = re.compile(
    r"\bactual|\boutputs?\b|\bresults?\b|\bprint|\bgot\b|\bgives?\b|\bgets?\b|\berror|\bwrong\b|\blog\b|\bobserved",
    re.IGNORECASE,
)
OPENS = re.compile(r"(?:(?:torch\.)?(?:tensor|array|Size|Parameter|return_types\.\w+)\(|np\.\w+\()|[\[(]")
WORDS_AFTER = "and|at|but|for|got|in|instead|not|on|rather|with|while|whereas|where|which|as|or|from|to|when|everywhere|here|there|would|should|is|was|were|are|that|because|since|although|though|if|so|due|every|each|both|again|even|regardless|only|without|vs|versus"
CLAUSE_END = rf"""[.!?]?[*`"')\]]{{0,3}}(?:[ \t]{{0,4}}(?:$|:(?:\s|$)|[,;)#`"'*!?|]|(?:{WORDS_AFTER})\b)|[ ][ ]?[-\u2013\u2014<>(\[\u2026]|\.[ ])"""
NUMBER = re.compile(
    r"(?P<number>[-+\u2212]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?j?|[-+]?[Ii]nf(?:inity)?\b|[nN]a[nN]s?\b|True\b|False\b|None\b)"
    rf"(?={CLAUSE_END})(?! ?\*{{1,2}} ?\d| [-+/] \d| ?\^ ?\d| ?<<)",
    re.MULTILINE,
)
"""A number that ends its clause: `2 machines` states no value, nor does `3.2 ms`."""
WORD = re.compile(
    r"(?P<word>torch\.(?:float|double|half|bfloat16|u?int\d+|long|bool|complex\d+|float\d\w*|channels_last\w*|contiguous_format)\w*\b|(?:torch\.)?\b[A-Z]\w*(?:Error|Exception)\b(?:: ?[^\n.;`]{0,120})?)"
)
INNARDS = re.compile(
    r"[-\u2212+\d\s.,eEj\[\]()_]|nan|NaN|inf|True|False|None|\.\.\.|tensor|array|dtype=[\w.]+|device='?\"?[\w:]+'?\"?|grad_fn=<\w+>|requires_grad=True|torch\.\w+|int\d+|float\d+|layout=[\w.]+|size=|values=|indices="
)
ABOUT_THE_MACHINE = re.compile(
    r"\W*(?:environment|versions?|system info|env\b|your environment|collect_env|additional context)", re.I
)
MACHINE = re.compile(
    r"^(?:PyTorch version|Collecting environment|Is debug build|\| NVIDIA-SMI|CUDA used to build)", re.M
)
MAINTAINERS = frozenset({"MEMBER", "OWNER", "COLLABORATOR"})
BOTS = frozenset({"pytorchmergebot", "pytorchbot", "pytorch-bot", "facebook-github-bot", "github-actions", "codecov", "dr-ci", "linux-foundation-easycla", "pytorchupdatebot", "meta-codesync", "copilot", "dependabot"})  # fmt: skip
BETTER = re.compile(r"\b(?:minimal|minimi[sz]ed|smaller|shorter|simpler|reduced|shortest|self-contained|standalone|simplified|condensed)\b[^.\n]{0,40}\b(?:repro\w*|example|script|snippet|code|test case|case|version)|\brepro(?:ducer|duction)?\b[^.\n]{0,20}:|\bhere(?:'s| is) a repro", re.IGNORECASE)  # fmt: skip
CURES = re.compile(r"\bwork-?arounds?\b|\bas a fix\b|\bfixes (?:it|this)\b|\binstead,? (?:use|you|do)\b|\byou can use\b|\btry this\b|\bshould work\b|\bworks for me\b|\bcould you (?:try|run)\b", re.IGNORECASE)  # fmt: skip
COMMON = frozenset(
    [
        "cuda",
        "cpu",
        "to",
        "device",
        "print",
        "tensor",
        "randn",
        "rand",
        "zeros",
        "ones",
        "empty",
        "full",
        "arange",
        "float",
        "half",
        "double",
        "long",
        "item",
        "shape",
        "size",
        "manual_seed",
        "synchronize",
        "detach",
        "clone",
        "requires_grad_",
        "numpy",
        "tolist",
        "max",
        "min",
        "abs",
        "sum",
        "mean",
        "any",
        "all",
        "allclose",
        "equal",
        "range",
        "len",
        "is_available",
        "backward",
        "grad",
        "type",
        "dtype",
        "view",
        "reshape",
        "contiguous",
        "randint",
    ]
)
"""What scripts about anything call."""
DEVICE = re.compile(
    r"\bdevice ?= ?(?:torch\.device\()?[\"']?[\w:]+[\"']?\)?|\.(?:cuda|cpu|mps|xpu)\([\w:=]*\)|\.to\([^()\n]{0,40}\)|(?:_|\b)(?:cpu|gpu|cuda|mps|xpu|dev|device|d|c|g)(?:_|\b)|[\"']|[\s,]"
)
GPU = re.compile(r"cuda|mps\b|\bxpu\b|gpu|hip\b", re.I)
"""In a statement or in what it printed."""
