"""The game of TAKI."""
