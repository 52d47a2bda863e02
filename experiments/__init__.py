"""Experiments on real corpora. Each module is a command; none is part of the package or of its tests."""
