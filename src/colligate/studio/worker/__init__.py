"""The worker: a process of its own that clusters, so that the page never waits."""
