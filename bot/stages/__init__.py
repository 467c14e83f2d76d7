"""The stages: one verb a file, pure. Each fills in one field of a case, or says why it can't."""
