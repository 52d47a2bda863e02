"""The proof of `colligate`: beside others, with every kind of knowledge, and what its parts bring."""
