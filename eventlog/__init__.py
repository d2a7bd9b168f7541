"""An append-only, hash-chained event log in PostgreSQL."""
