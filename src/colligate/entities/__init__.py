"""Entity linking: from texts and a knowledge base to a network of typed entities."""
