"""The parts of k-means with links."""
