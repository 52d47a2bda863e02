"""World knowledge: from texts and a knowledge base to a typed network."""
