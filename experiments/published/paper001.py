"""Tables 1 and 2 of the constrained co-clustering paper (2010): two newsgroups, links from names."""

from __future__ import annotations

LEAST_NAMES = (1, 2, 3, 4, 5, 6, 11)
"""How many names two documents must share to be together."""

LINKS = {
    "shared names": (1.33, 2.99, 4.59, 5.96, 10.57, 14.81, 58.19),
    "links": (35156, 5938, 2271, 1219, 363, 206, 32),
    "correct": (0.895, 0.956, 0.974, 0.984, 0.964, 0.971, 1.0),
    "similarity": (0.151, 0.266, 0.332, 0.366, 0.469, 0.496, 0.722),
}
"""Table 1; the deviations of shared names and of similarity are left out."""

WITH_NAMES = {
    "ckmeans": (0.631, 0.666, 0.655, 0.636, 0.629, 0.629, 0.628),
    "csnmf": (0.476, 0.646, 0.648, 0.659, 0.722, 0.696, 0.664),
    "cstrinmf": (0.586, 0.674, 0.687, 0.685, 0.705, 0.759, 0.595),
    "citcc": (0.582, 0.843, 0.844, 0.842, 0.842, 0.843, 0.844),
}
"""Table 2, NMI of five runs."""

WITH_NAMES_DEVIATION = {
    "ckmeans": (0.018, 0.018, 0.023, 0.022, 0.022, 0.022, 0.022),
    "csnmf": (0.014, 0.003, 0.009, 0.004, 0.004, 0.005, 0.002),
    "cstrinmf": (0.061, 0.004, 0.004, 0.004, 0.020, 0.027, 0.018),
    "citcc": (0.021, 0.026, 0.027, 0.026, 0.026, 0.027, 0.028),
}

WITHOUT_LINKS = {
    "kmeans": (0.623, 0.031),
    "snmf": (0.669, 0.009),
    "strinmf": (0.712, 0.006),
    "itcc": (0.842, 0.029),
}
"""Table 2, last column: NMI and deviation of the methods without links."""
