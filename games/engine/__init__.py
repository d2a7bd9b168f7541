"""The rules of TAKI as pure functions: no database, no clock, no dice."""
