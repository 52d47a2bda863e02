"""The data of `colligate demo`: newsgroup posts and a knowledge file; README.md states their origin."""
