"""Rules that carry code over to a device: `rule(site: Site) -> Change | Stays | None`."""
