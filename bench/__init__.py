"""Measurements and long random runs of the engine; nothing here is part of the service."""
