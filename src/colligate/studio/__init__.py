"""The studio: a local workbench in the browser to see groups, correct them, and watch them change."""
