"""Rules that say what an item is about: `rule(item: Item) -> Iterable[Claim]`."""
