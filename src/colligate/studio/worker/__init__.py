"""The worker: a separate process that clusters, so that the page never waits."""
