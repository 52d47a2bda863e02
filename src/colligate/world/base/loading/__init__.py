"""Loading files into a store: RDF in its usual formats, and plain tables."""
