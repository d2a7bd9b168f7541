"""Tournaments of eight stages."""
