"""The window that ships with the package, so that `scan --sample` needs no network: items, window, heads, counts.

The grid-sampler series (#204496, #204495, #204493, #198032, #179756) carries public facts in our own words; its
details that are not public (minutes, logins, patches) and every other item are invented. `counts` counts the lines.
"""
