"""Making networks of what users have: matrices, tables of mentions, edge lists, graphs, arrays."""
