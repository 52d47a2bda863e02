"""Relations between entities: what a sentence says about two entities, checked against the knowledge base."""
