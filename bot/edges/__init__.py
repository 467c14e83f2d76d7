"""Where alignbot meets the world. Foreign errors become ours here."""
