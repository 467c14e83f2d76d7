# a comment about cuda, and nothing else
