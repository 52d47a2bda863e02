"""Relations between entities: what sentences state about two entities, checked against the knowledge base."""
