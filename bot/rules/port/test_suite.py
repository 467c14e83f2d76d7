"""`instantiate_device_type_tests(T, globals())` leaves a device out that it isn't told to take in."""

from bot.model import Change, Site, SiteKind


def rule(site: Site) -> Change | None:
    """The flag that the target's profile names is added."""
    flag = site.target.suite_flag
    if site.kind is not SiteKind.CALL or not flag or not site.value.endswith(".instantiate_device_type_tests"):
        return None
    if any(one.startswith(("*", flag)) for one in site.arguments):
        return None
    return Change(after=f"{site.callee}({', '.join([*site.arguments, f'{flag}=True'])})")
