"""Rules that find code in a thread: `rule(block: Block) -> Found | Passed | None`."""
