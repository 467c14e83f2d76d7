"""sarif: findings in the form that code hosts and editors show (SARIF 2.1.0)."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
HOME = "https://github.com/intel/torch-xpu-ops"


def sarif(
    findings: Sequence[Mapping[str, Any]], unread: Sequence[Sequence[Any]], rules: Mapping[str, str], version: str
) -> dict[str, Any]:
    """One run; `rules` is name -> why. Regions that were not read are told as notes on the run."""
    names = list(rules)
    driver = {
        "name": "alignbot",
        "version": version,
        "informationUri": HOME,
        "rules": [{"id": name, "shortDescription": {"text": why}} for name, why in rules.items()],
    }
    notes = [
        {
            "level": "note",
            "message": {"text": f"not read: {why}"},
            "locations": [_location(path, line, end_line)],
        }
        for path, line, end_line, why in unread
    ]
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "results": [_result(one, names.index(one["rule"])) for one in findings],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(one: Mapping[str, Any], index: int) -> dict[str, Any]:
    about = "\0".join((one["rule"], one["path"], one["symbol"], one["excerpt"], one["why"]))
    others = [(place, "the same fault") for place in one["siblings"]] + [
        (place, "done right") for place in one["right"]
    ]
    return {
        "ruleId": one["rule"],
        "ruleIndex": index,
        "level": "warning",
        "message": {"text": f"{one['why']} ({one['symbol']})"},
        "locations": [_location(one["path"], one["line"], one["end_line"], one["excerpt"])],
        "relatedLocations": [
            {"id": number, **_location(place["path"], place["line"], place["end_line"]),
             "message": {"text": f"{place['symbol']}: {what}"}}
            for number, (place, what) in enumerate(others)
        ],
        "partialFingerprints": {"alignbot/v1": hashlib.sha256(about.encode()).hexdigest()[:32]},
    }  # fmt: skip


def _location(path: str, line: int, end_line: int, text: str = "") -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": line, "endLine": end_line}
    if text:
        region["snippet"] = {"text": text}
    place = {"uri": path, "uriBaseId": "%SRCROOT%"}
    return {"physicalLocation": {"artifactLocation": place, "region": region}}
