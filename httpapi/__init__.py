"""Conventions of the HTTP interface."""
