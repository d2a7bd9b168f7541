"""Commands of the log."""
