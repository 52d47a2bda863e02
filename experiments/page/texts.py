"""What the page says beside its tables."""

from __future__ import annotations

PAPERS = {
    "000": "knowledge transformation from word space to document space (2008)",
    "001": "constrained co-clustering for textual documents (2010)",
    "002": "non-negative matrix factorisation for semi-supervised heterogeneous data co-clustering (2009)",
    "003": "world knowledge as indirect supervision for document clustering (2015)",
    "004": "document clustering with Universum (2011)",
}
INTRODUCTION = """\
# The papers' results, published beside obtained

Every table and figure of the five papers, as far as the data can be had, with what came out here. `python -m
experiments page` makes this page from the stored runs in `experiments/results`; the command below each table
computes what is not stored yet. `python -m experiments list` tells which files of the data folder an
experiment needs, and `--data` says where that folder is. `python -m experiments run --quick` computes a small
part of most experiments; those that need a recogniser, or link all of 20 Newsgroups to a knowledge base, have
none.

In tables, a figure is mean±deviation over runs, and a figure in brackets is the published one. Unless a table
says otherwise, nothing in it was chosen by the labels of its documents; where the paper did so, there is a
table for it, marked as such. Some defaults were settled with labels in sight: those tables say so.

Both methods of a comparison see the same data and knowledge at a seed, so they are compared seed by seed, by
a one-sided Wilcoxon signed-rank test (a paired t-test under five seeds). A claim speaks of one or more pairs
of cells. It is *reproduced* if the mean gain is positive on every pair and the seeds, each with its mean gain
over all pairs, have a p-value below .05, and *exceeded* if moreover figure and gain are above the published
ones on every pair. Where a claim is of most sets, most pairs have to hold; where it is that one is hardly
worse than another, by what it may be worse is added to the gain. Five seeds cannot bring it below .031.
Beside it is the largest p-value of the pairs by themselves; where that is .05 or more, the verdict says that
it holds for all pairs together. Nothing is corrected for the number of claims."""
AFTER = """\
## What the tables do not say

Seconds were measured on a shared machine and tell orders of magnitude alone. The commits below the tables are
those of the working tree that made the runs; a + says that it held changes that were not committed yet."""
