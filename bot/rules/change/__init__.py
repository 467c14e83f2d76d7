"""What an upstream fix changes in kind. One file, one rule: `rule(edited)` gives what one hunk of a patch changes."""
