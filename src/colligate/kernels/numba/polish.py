"""Moving single rows, with the tables updated after every move (the first variation of ITCC)."""

# mypy: disable-error-code="no-untyped-def"

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def _x_log_x(value):
    return value * np.log(value) if value > 0.0 else 0.0


@numba.njit(nogil=True, cache=True)
def _information_gain(table, k, masses, touched, n_touched, sums, relation_sums, scale, relation, sign):
    """Return the change of cluster k's information if the row joins (sign 1) or leaves (sign -1) it."""
    change = 0.0
    for t in range(n_touched):
        label = touched[t]
        # the table is a difference of sums, which can round below 0
        after = max(table[k, label] + sign * masses[label], 0.0)
        change += scale[relation[label]] * (_x_log_x(after) - _x_log_x(table[k, label]))
    for r in range(len(scale)):
        after = max(sums[k, r] + sign * relation_sums[r], 0.0)
        change -= scale[r] * (_x_log_x(after) - _x_log_x(sums[k, r]))
    return change


@numba.njit(nogil=True, cache=True)
def _column_relations(blocks):
    relation = np.empty(blocks[-1], dtype=np.int64)
    for r in range(len(blocks) - 1):
        relation[blocks[r] : blocks[r + 1]] = r
    return relation


@numba.njit(nogil=True, cache=True)
def _sum_row(data, indices, indptr, columns, i, masses, touched, relation, relation_sums):
    """Sum row i over its column clusters; return how many it touches."""
    n_touched = 0
    relation_sums[:] = 0.0
    for t in range(indptr[i], indptr[i + 1]):
        label = columns[indices[t]]
        if label < 0:
            continue
        # counts are positive, so a mass of 0 means that the row has not met this cluster yet
        if masses[label] == 0.0:
            touched[n_touched] = label
            n_touched += 1
        masses[label] += data[t]
        relation_sums[relation[label]] += data[t]
    return n_touched


@numba.njit(nogil=True, cache=True)
def move_rows(data, indices, indptr, rows, columns, table, blocks, scale, order):
    """See `Kernels.polish_rows`."""
    n_clusters = table.shape[0]
    relation = _column_relations(blocks)
    sums = np.zeros((n_clusters, len(scale)))
    for k in range(n_clusters):
        for label in range(table.shape[1]):
            sums[k, relation[label]] += table[k, label]
    sizes = np.zeros(n_clusters, dtype=np.int64)
    for k in rows:
        if k >= 0:
            sizes[k] += 1
    masses = np.zeros(table.shape[1])
    touched = np.empty(table.shape[1], dtype=np.int64)
    relation_sums = np.zeros(len(scale))
    moves = 0
    for i in order:
        source = rows[i]
        if source < 0 or sizes[source] == 1:
            continue
        n = _sum_row(data, indices, indptr, columns, i, masses, touched, relation, relation_sums)
        leaving = _information_gain(
            table, source, masses, touched, n, sums, relation_sums, scale, relation, -1.0
        )
        # a gain below this share of the row's mass is rounding; rows could move back and forth for it
        target, best = source, 1e-9 * scale.max() * relation_sums.sum()
        for k in range(n_clusters):
            if k == source:
                continue
            change = leaving + _information_gain(
                table, k, masses, touched, n, sums, relation_sums, scale, relation, 1.0
            )
            if change > best:
                target, best = k, change
        for t in range(n):
            label = touched[t]
            if target != source:
                table[source, label] = max(table[source, label] - masses[label], 0.0)
                table[target, label] += masses[label]
            # only touched cells are reset, so a row costs its entries, not the width of the table
            masses[label] = 0.0
        if target != source:
            for r in range(len(scale)):
                sums[source, r] = max(sums[source, r] - relation_sums[r], 0.0)
                sums[target, r] += relation_sums[r]
            sizes[source] -= 1
            sizes[target] += 1
            rows[i] = target
            moves += 1
    return moves
