"""What runs inside the sandbox, beside a stranger's script: standard library and torch only, JSON in, JSON out.

It is copied nowhere: the sandbox shows this folder read-only and starts `observe.py` from it. It must not import
anything else of alignbot, since nothing else is there.
"""
