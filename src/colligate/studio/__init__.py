"""The studio: a local workbench in the browser to see groups, say what is wrong, and watch them change."""
