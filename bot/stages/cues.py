"""cues: the words on both sides of a value in a sentence that tell what it is: patterns."""

import re

from bot.stages.wording import VERB

END = re.compile(r"[.!?][\"')*`]{0,3}\s+(?=[^\s\da-z])|\n[ \t]*\n|\n(?=[ \t]*(?:[-*+|#]|\d+[.)])[ \t])|\n(?=\|)")
STARTS = re.compile(
    r"(?<![\w.$#/@%^\]\[])(?=[-+\u2212]?[\d.]|\[|\(|-?[Ii]nf|[nN]a[nN]|True\b|False\b|torch\.|(?:tensor|array)\(|np\.|[A-Z]\w{1,40}(?:Error|Exception)\b)"
)
CALLS = re.compile(r"(?<![\w.])(?!(?:torch\.)?(?:tensor|array|Size)\()[A-Za-z_][\w.]{0,80}\([^()\n]{0,200}\)")
"""A call in a sentence: its arguments are not results."""
POWER = re.compile(r"\d ?\*\* ?\d|\d ?\^ ?\d|\d ?<< ?\d")
SPLITS = re.compile(
    r",(?!\d)|;|:(?=\s)|\s[-\u2013\u2014]+\s|\u2014|[()]|\b(?:but|whereas|while|although|though|and|versus|vs|not|instead of|rather than|however|yet|then|when|where|as opposed to|compared|against|which|because|since)\b",
    re.IGNORECASE,
)
ARGUMENT = re.compile(
    r"(?:\b(?:of|for|at|by|than|from|within|with|in|up to|versions?|dim|sizes?|shape|seed|over|under|above|below|least|most|line|step|since|before|after|until|inputs?|between|index|use|using|set|pass|have|has|arguments?|entry|element|row|column|pytorch|torch|cuda|rocm|python|numpy|driver|issue|pr)(?: the| a| an)?|(?:^|[\s`(])[a-z_]\w{0,3} ?=|~|(?<![-=])[<>]=?|[\d)] ?[-+*/])[ \t`\"'*]*$",
    re.IGNORECASE,
)
"""Before a value that goes in, or that is a version."""
RESULT = re.compile(
    r"\b(?:(?:values?|results?|answers?|outputs?) of|(?:different|differs?|differing) from|(?:ends?|ended|ending)(?: up)? (?:at|in|with)|(?:stops?|stopped|stuck|saturat\w+|stays?|stayed|caps?|capped|clamp\w*|stalls?|stalled|freezes?|frozen|starts?) (?:at|to)|results? in|as opposed to|(?:followed|preceded|not) by|(?:an?|the) (?:loss|total|count|norm|variance|score|probability|length|sum|mean|maximum|minimum) of|(?:outputs?|results?|gradient|it|version|one) (?:has|have|is of|with|of)(?: the)? (?:shape|size|dtype|type)|(?:hop(?:es?|ed)|wish(?:es|ed)?|ask(?:s|ed)?) for|(?:gives?|returns?|returned|yields?|produces?|gets?|got|is|has|expected|version|should \w+)\b[^,;]{0,40} (?:of|with|has)(?: the| a)? (?:shape|size|dtype|type))(?: the| a| an)?[ \t`\"'*]*$",
    re.IGNORECASE,
)
"""Before a value that comes out, all the same."""
FIGURE = re.compile(
    r"\b(?:(?<!finite )diff\w*(?! from)|errors?\b(?!s? out)|toleran\w*|[ar]tol|ulps?|times|faster|slower|takes|took|memory|seconds|deviat\w*|speed\w*|percent)\b",
    re.IGNORECASE,
)
"""A figure about results, not a result."""
RIGHTLY = re.compile(
    r"\b(?:should|ought|expect(?:ed|s|ing)?|correct(?:ly)?|right|rightly|true|exact|exactly|proper|properly|supposed|must|mathematic\w*|analytic\w*|theor\w+|ground truth|documented|docs?|documentation|by hand|closed form|used to|previously|formerly|desired|wanted|ideally|hope[ds]?|wish|wants?)\b",
    re.IGNORECASE,
)
WRONGLY = re.compile(
    r"\b(?:wrong|wrongly|incorrect|incorrectly|actual|actually|bug|buggy|silently|unexpected|unexpectedly|bogus|garbage|nonsense|got|observed|instead(?! of)|now|nowadays)\b",
    re.IGNORECASE,
)
REFERENCE = re.compile(
    r"\b(?:cpu|numpy|np|scipy|jax|tensorflow|float64|fp64|doubles?|eager|matlab|mpmath|sympy|finite differences|numerical gradient|by hand|closed form|mathematic\w*|analytic\w*|theor\w+|calculator|everywhere else|elsewhere|other (?:devices|backends)|ieee|standard|specification|c99|libm|glibc|octave|cupy|julia|reference|wolfram\w*|plain python|pure python)\b",
    re.IGNORECASE,
)
DEVICE = re.compile(
    r"\b(?:cuda|gpu|mps|rocm|xpu|hip|metal|device|[vahp]100|t4|mi\d+\w*|rtx\w*|half|float16|fp16|bfloat16|bf16)\b",
    re.IGNORECASE,
)
AGAINST = re.compile(
    r"(?:\bnot|\binstead of|\brather than|\bas opposed to|\bin place of|n't(?: be)?|\bdiffer\w* from|\bdifferent from)\b[^,;]{0,30}$",
    re.IGNORECASE,
)
FORBIDS = re.compile(
    r"\b(?:should|must|would|could|may|can|ought|expect\w*)(?:(?: [a-z]+){0,2} not|n't)\b(?:(?!\bbut|\brather|\binstead)[^,;\d]){0,20}$",
    re.IGNORECASE,
)
LABELLED = re.compile(r"[^:\n]{0,30}: *[`\"'*]{0,3}")
BUT = re.compile(r"\W*(?:but|rather|instead)\b", re.IGNORECASE)
VERSION = re.compile(
    r"\b(?:in|with|on|since|until|under|from|before|v|(?:py)?torch|as of|after|to|release|version) ?v?(\d{1,2}\.\d{1,2})\b",
    re.IGNORECASE,
)
RELEASED = re.compile(
    r"^[^\w\n]{0,6}(?:in |with |on )?(?:(?:py)?torch|release|version|v)[ =]{0,3}v?(?P<version>\d{1,2}\.\d{1,2})(?:\.\d{1,2})?[\w+. ()`*]{0,20}[:=]{1,2}>?[ \t]*[`\"'*]{0,3}",
    re.IGNORECASE | re.MULTILINE,
)
NEGATES = re.compile(r"(?:\bnot|n't|\bnever|\bno|\bhardly|\bneither)(?: \w+)?\s*$", re.IGNORECASE)
SHOWS = re.compile(
    rf"\b(?:{VERB}|got|obtain(?:s|ed)?|claims?|tells?|answers?|counts?|finds?|comes? out|came out|turns? out|becomes?|saturates?|[a-z]+s to)\b|[-=]>",
    re.I,
)
