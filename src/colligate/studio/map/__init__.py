"""The map of the studio: places for all documents of a run, near those of the run before."""
