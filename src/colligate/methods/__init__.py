"""The methods: one loop, and one file per method. See `contract.Method` for what a method supplies."""
