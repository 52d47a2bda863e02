"""What the information methods share: sides, tables, links with divergences, one label update."""
