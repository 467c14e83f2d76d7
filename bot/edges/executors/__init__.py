"""Where jobs run: the local sandbox, and what it is made of."""
