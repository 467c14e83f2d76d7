"""What is said on an issue after it was filed: a few lines each, the build by its name, upstream only as code."""

from bot.model import Build, Fix, Observation, Standing, rfc3339


def built(build: Build) -> str:
    """`torch 2.16.0.dev20261111`, its day and its commit, as far as they are known."""
    day = f", built {build.day}" if build.day else ""
    git = f" from `{build.git[:10]}`" if build.git else ""
    return f"torch `{build.version}`{day}{git}"


def mended(first: Observation, fix: Fix, *, closing: bool) -> str:
    """It passes with the fix."""
    end = " This closes the issue." if closing else ""
    return (
        f"The reproducer passes with {built(first.build)}, which contains {_named(fix)}"
        f" (landed {fix.landed_at.date()}).{end}"
    )


def not_mended(first: Observation, fix: Fix) -> str:
    """It fails with the fix."""
    return (
        f"{_named(fix)[:1].upper()}{_named(fix)[1:]} landed {fix.landed_at.date()}, and {built(first.build)} contains "
        "it. The reproducer still shows the fault there."
    )


def gone(first: Observation) -> str:
    """It passes, and nobody knows why."""
    return (
        f"The reproducer no longer shows the fault with {built(first.build)}, and no fix is known here. "
        "Which change mended it? If it was meant, this can be closed; if not, the fault may only be hidden."
    )


def back(first: Observation) -> str:
    """It fails again."""
    return f"The reproducer passed on an earlier build and shows the fault again with {built(first.build)}."


def upstream(key: str, standing: Standing) -> str:
    """Upstream moved."""
    when = f" on {standing.since.date()}" if standing.since else ""
    told = {
        "landed": f"Upstream's change `{key}` has landed{when}.",
        "reverted": f"Upstream's change `{key}` was taken back{when}: the fix that this issue points to is not in.",
        "superseded": f"Upstream's change `{key}` was replaced by another one{when}.",
    }
    return f"{told.get(standing.state.value, f'`{key}` is {standing.state.value}{when}.')} {_plain(standing.why)}"


def _named(fix: Fix) -> str:
    return fix.what if fix.what.startswith("#") else f"`{fix.what}`"


def _plain(why: str) -> str:
    """A sentence about upstream as code: its references make no links."""
    return f"`{why.replace('`', ' ').strip()}`" if why else ""


def shown_at(observation: Observation) -> str:
    """One line for `explain`."""
    said = {True: "shows the fault", False: "passes", None: f"tells nothing ({_plain(observation.why)})"}
    return f"{built(observation.build)} {said[observation.shows]} ({rfc3339(observation.at)})"
