"""Players, their accounts and tokens."""
