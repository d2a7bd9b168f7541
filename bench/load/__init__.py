"""What a move costs, measured against floors in one run: `make bench`."""
