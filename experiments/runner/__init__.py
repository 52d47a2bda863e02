"""The runner of all experiments: they are declared as data, computed cell by cell and shown as tables."""
