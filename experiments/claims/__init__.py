"""What the papers claim, as data: which cells of which experiment judge it."""
