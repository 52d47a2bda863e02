"""A fuzzer of every place where data enters Colligate: files, arrays, matrices, queries and requests."""
