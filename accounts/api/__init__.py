"""The HTTP interface of this app."""
