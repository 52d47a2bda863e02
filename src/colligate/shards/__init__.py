"""Matrices whose rows are in shards on the workers of a Dask cluster.

`client` finds or starts the cluster; `shards` has values on workers, and `matrix` the matrices made of them.
"""
