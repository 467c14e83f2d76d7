"""The rules that the cases of the exit stand under."""

from pydantic import SecretStr

from bot.sanitising import ExitRules

SECRET = "correct-horse-battery"  # noqa: S105  no secret of anything
RULES = ExitRules(
    repository="intel/torch-xpu-ops",
    references=frozenset({"intel/torch-xpu-ops#5"}),
    secrets=frozenset({SecretStr(SECRET)}),
    home_paths=frozenset({"/srv/bots/align"}),
    host_names=frozenset({"builder-7"}),
)


def may_refer(rules: ExitRules) -> tuple[frozenset[str], frozenset[str]]:
    """References and hosts as the referee takes them."""
    bare = {f"#{one.rpartition('#')[2]}" for one in rules.references if one.startswith(f"{rules.repository}#")}
    quiet = {"redirect.github.com"} if rules.upstream_reference == "no-backlink" else set()
    return rules.references | bare, rules.hosts | quiet
