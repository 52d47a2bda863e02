"""Matrices whose rows are in shards on the workers of a Dask cluster.

`client` finds or starts the cluster; `matrix` has the shards, and the matrices that are made of them.
"""
