"""Faults that a kernel's source shows. One file, one rule: `rule(source)` gives the hits of a file."""
