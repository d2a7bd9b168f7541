# Every target is explained in CONTRIBUTING.md.
PYTHON ?= python3
ARGS ?=
BIN := .venv/bin

.PHONY: setup run test lint servers lock

setup:
	@$(PYTHON) taki_project/local/make_environment.py

servers: setup
	@$(BIN)/python -m taki_project.local.servers_for_tests

test: lint
	@$(BIN)/pytest $(ARGS)

lint: setup
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

lock: setup
	@$(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-header --no-emit-index-url --no-emit-find-links requirements.in -o requirements.lock
	@$(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-header --no-emit-index-url --no-emit-find-links requirements-dev.in -o requirements-dev.lock
