"""Proofs that take long: repeats by the hundred thousand, and games that go on while everything is killed."""
