"""Mentions: where texts speak of something that has a name in the knowledge base."""
