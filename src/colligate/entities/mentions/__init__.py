"""Mentions: the places where texts name an entity of the knowledge base."""
