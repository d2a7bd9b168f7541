"""Use cases of the game, one transaction or one statement each."""
