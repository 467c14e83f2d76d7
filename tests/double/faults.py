"""What can go wrong, as rules: each says which requests it is for and what it does to them.

    double.add(faults.bad_gateway(operation="Threads", nth=2))

`path` (a pattern, searched for), `method`, `operation` and `where` (a function of the request) choose requests; `nth`
is the first of these that is hit (from 1), `times` how many are (None: all from there on). Rules are applied together,
in order; of several that answer instead of the world the last one does.
"""

from tests.double.faults_graphql import clock_ahead, heavy_pages, incomplete, partial, search_lag, timed_out
from tests.double.faults_http import (
    afterwards,
    bad_gateway,
    cut,
    cut_json,
    delay,
    done_and_called,
    drip,
    empty,
    end_after,
    graphql_limit,
    html,
    mutate,
    primary_limit,
    reset_after,
    reset_before,
    secondary_limit,
    server_error,
    status,
    too_many,
    unavailable,
)
from tests.double.rules import Rule

__all__ = [
    "Rule",
    "afterwards",
    "bad_gateway",
    "clock_ahead",
    "cut",
    "cut_json",
    "delay",
    "done_and_called",
    "drip",
    "empty",
    "end_after",
    "graphql_limit",
    "heavy_pages",
    "html",
    "incomplete",
    "mutate",
    "partial",
    "primary_limit",
    "reset_after",
    "reset_before",
    "search_lag",
    "secondary_limit",
    "server_error",
    "status",
    "timed_out",
    "too_many",
    "unavailable",
]
