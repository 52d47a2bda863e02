"""Calls and parameters of other packages beside those of Colligate, run on one corpus."""
