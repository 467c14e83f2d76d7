"""GitHub: GraphQL through httpx, REST through PyGithub, both over one connection, one limiter and one set of rules."""
