"""Which windows to read, what lands in them, and the proof that none of their items was missed. Pure."""
