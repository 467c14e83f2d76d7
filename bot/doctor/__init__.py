"""`alignbot doctor`: looks at everything that a scan needs before one is tried, and changes nothing."""
