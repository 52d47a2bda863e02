"""Faults at random moments of a command: whatever happens, the result is whole or the run can go on."""
