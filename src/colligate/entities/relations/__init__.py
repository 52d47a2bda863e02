"""Parsing: what a sentence says about two entities, held against the knowledge base."""
