"""TAKI over HTTP: the composition root."""
