"""Measurements kept like tests: ratios within one run, and limits of memory."""
