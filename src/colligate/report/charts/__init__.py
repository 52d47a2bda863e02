"""The pictures of the report: small functions from plain data to SVG or to the cells of a table."""
