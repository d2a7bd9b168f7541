"""Tiny services that do a move's work without a game, each in the style of its kind: what a move is measured against."""
