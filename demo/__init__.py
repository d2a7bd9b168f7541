"""The demonstration: four players play a game and a tournament over HTTP. Python's standard library alone."""
