"""The growing edge: one file, one rule. To add one, add a file; nothing else changes."""
