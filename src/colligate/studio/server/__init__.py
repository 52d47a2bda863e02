"""The web server of the studio: one list of routes on the loopback address, behind a token."""
