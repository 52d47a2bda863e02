"""Networks with groups planted in them, and random ones."""

import numpy as np
from scipy import sparse

import colligate as cg


def planted(sizes, relations, n_groups=3, seed=0):
    """A network whose objects have groups by position (i mod n_groups) in every type.

    `sizes` maps types to numbers of objects; `relations` maps (rows, columns) to (inside, outside) rates.
    """
    rng = np.random.default_rng(seed)
    made = []
    for (rows, columns), (inside, outside) in relations.items():
        group, other_group = np.arange(sizes[rows]) % n_groups, np.arange(sizes[columns]) % n_groups
        rate = np.where(group[:, None] == other_group, inside, outside)
        made.append(cg.Relation(rows, columns, sparse.csr_array(rng.poisson(rate))))
    return cg.Network({kind: cg.ObjectType(kind, range(n)) for kind, n in sizes.items()}, made)


def agreement(labels, n_groups=3):
    """The NMI of labels with the planted groups, over the objects that have a label."""
    placed = labels >= 0
    truth = (np.arange(len(labels)) % n_groups)[placed]
    return cg.result.metrics.evaluate(truth, labels[placed])["nmi"]


def random_network(rng, schema, sizes, density=0.3):
    """A network of random counts, some of whose rows, columns or whole relations are empty."""
    made = []
    for number, (rows, columns) in enumerate(schema):
        counts = rng.poisson(1.0, (sizes[rows], sizes[columns])) * (
            rng.random((sizes[rows], sizes[columns])) < density
        )
        made.append(cg.Relation(rows, columns, sparse.csr_array(counts), name=f"r{number}"))
    return cg.Network({kind: cg.ObjectType(kind, range(n)) for kind, n in sizes.items()}, made)
