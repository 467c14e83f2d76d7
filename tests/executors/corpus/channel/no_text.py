# status: ok
# observed: true
# why: 9 lines
import os

for line in (b"", b"\x00\xff\xfe", b"\xed\xa0\x80", b'{"event": "end\x00"}', b"null", b"[]", b'"end"', b"{}", b"NaN"):
    os.write(CHANNEL, line + b"\n")
