"""The data of `colligate demo`: texts, statements, a knowledge base; README.md has origins and licences."""
