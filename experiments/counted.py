"""Old names of what now is in `experiments.corpora.counted`."""

from experiments.corpora.counted import Counted, counted, side_by_side, stored

__all__ = ["Counted", "counted", "side_by_side", "stored"]
