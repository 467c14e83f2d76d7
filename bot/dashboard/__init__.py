"""The web pages: read-only, through the Store seam. They change nothing and ask nothing of the network."""
