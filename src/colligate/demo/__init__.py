"""The data of `colligate demo`: texts, statements and a knowledge base; README.md has origins and licences."""
