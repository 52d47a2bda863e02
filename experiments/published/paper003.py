"""Tables 4 to 6 of the world-knowledge paper (2015)."""

from __future__ import annotations

PRECISION = {"fbsf": 0.751, "dfbsf": 0.890, "cbsf": 0.916}
"""Table 4: how often a filter finds the right bounds and type, judged by people on 3,232 sentences."""

ERRORS = {
    "recognition": (179, 129, 105),
    "disambiguation": (537, 182, 130),
    "subordinate clause": (89, 48, 37),
}
"""Table 5: errors of `fbsf`, `dfbsf` and `cbsf`, by their kind."""

CORPORA = ("20NG", "MCAT", "CCAT", "ECAT")
NMI = {
    ("kmeans", "words"): (0.429, 0.549, 0.403, 0.417),
    ("kmeans", "words + Freebase"): (0.447, 0.575, 0.419, 0.436),
    ("kmeans", "words + YAGO"): (0.437, 0.559, 0.410, 0.424),
    ("itcc", "words"): (0.501, 0.604, 0.472, 0.493),
    ("itcc", "words + Freebase"): (0.525, 0.630, 0.494, 0.516),
    ("itcc", "words + YAGO"): (0.513, 0.619, 0.481, 0.505),
    ("citcc", "words"): (0.569, 0.652, 0.535, 0.562),
    ("hinc", "words + Freebase"): (0.571, 0.645, 0.542, 0.561),
    ("hinc", "words + YAGO"): (0.541, 0.625, 0.515, 0.530),
    ("chinc", "words + Freebase"): (0.631, 0.698, 0.606, 0.624),
    ("chinc", "words + YAGO"): (0.600, 0.685, 0.574, 0.588),
}
"""Table 6, NMI of five runs; `citcc` has 250,000 links made from labels."""
