"""Players, tables and moves over real HTTP, as the tests of the game need them."""
