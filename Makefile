# Every target is explained in CONTRIBUTING.md.
PYTHON ?= python3
ARGS ?=
REPEATS ?= 100000
AT_MOST ?= 900
BIN := .venv/bin
COMPILE := $(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 \
	--no-header

.PHONY: setup run demo test lint format servers test-platform test-schema examples test-clock bench bench-engine bench-clock prove-deals prove-hidden prove-repeats chaos lock

setup:
	@$(PYTHON) taki_project/local/make_environment.py

run: setup
	@exec $(BIN)/python -m taki_project.local.run

demo: setup
	@$(BIN)/python -m demo $(ARGS)

test: lint
	@$(BIN)/pytest $(ARGS)

lint: setup
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo
	@DATABASE_URL='postgresql:///none?host=/none' $(BIN)/python -W ignore:Got:RuntimeWarning manage.py makemigrations --check --dry-run

format: setup
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format --quiet

servers: setup
	@exec $(BIN)/python -m taki_project.local.servers_for_tests

test-platform: setup
	@$(BIN)/pytest -m slow tests/platform $(ARGS)

test-schema: setup
	@$(BIN)/python -m tests.description.fuzz $(ARGS)

examples: setup
	@RECORD_EXAMPLES=1 $(BIN)/pytest --quiet tests/description/test_examples.py

test-clock: setup
	@$(BIN)/pytest -m slow tests/games/test_clock_processes.py $(ARGS)

bench: setup
	@$(BIN)/python -m bench.load $(ARGS)

bench-engine: setup
	@$(BIN)/python -m bench.engine $(ARGS)

bench-clock: setup
	@$(BIN)/python -m bench.clock $(ARGS)

prove-deals: setup
	@$(BIN)/python -m bench.deals $(ARGS)

prove-hidden: setup
	@$(BIN)/python -m bench.hidden $(ARGS)

prove-repeats: setup
	@$(BIN)/python -m bench.reliability.repeats --repeats=$(REPEATS) --at-most=$(AT_MOST) $(ARGS)

chaos: setup
	@$(BIN)/python -m bench.reliability.chaos $(ARGS)

lock: setup
	@$(COMPILE) requirements.in -o requirements.lock
	@$(COMPILE) requirements-dev.in -o requirements-dev.lock
