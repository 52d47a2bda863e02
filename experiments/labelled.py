"""Old names of what now is in `experiments.corpora.outsiders`."""

from experiments.corpora.outsiders import LARGEST, NEWS, NEXT, RCV1, WEB, Labelled, labelled

__all__ = ["LARGEST", "NEWS", "NEXT", "RCV1", "WEB", "Labelled", "labelled"]
