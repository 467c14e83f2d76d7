# status: timeout
# timeout_s: 1
import re

re.match("(a+)+$", "a" * 60 + "b")
