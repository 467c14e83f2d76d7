# status: timeout
# timeout_s: 0.5
import re

re.match("(a+)+$", "a" * 60 + "b")
