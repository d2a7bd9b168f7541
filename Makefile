# Every target is explained in CONTRIBUTING.md.
PYTHON ?= python3
ARGS ?=

.PHONY: setup
setup:
	@$(PYTHON) taki_project/local/setup.py
