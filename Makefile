# make play    a table on this machine, with computer players        make test    everything that must pass
# make quick   the tests a person runs between two edits             make clean   remove what was built
# Everything happens in .venv, which is made from the first Python >= 3.11 found (or PYTHON=...).

PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11 python,$(shell \
	$(p) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(p))))
VENV   := .venv
BIN    := $(VENV)/bin
TYPING := build/typing/carteado
AREAS  := core net plugins ui
PYTEST  = $(BIN)/python -m pytest
# A test that waits for ever fails, with the stacks of all threads; the other tests go on.
BOUNDED = -o faulthandler_timeout=300 -o faulthandler_exit_on_timeout=true
ARGS   ?=
# bench/skat_*.py are parts of bench/skat.py, and what writes down numbers that were learned.
BENCHES = $(filter-out bench/skat_%,$(wildcard bench/*.py))

.PHONY: play test quick test-long lint types contracts bench words wheel clean
.DELETE_ON_ERROR:

play: $(VENV)/.runs
	@$(BIN)/carteado play $(ARGS)

test: $(VENV)/.tests
	@$(PYTEST) -n auto $(BOUNDED) $(ARGS)

quick: $(VENV)/.tests
	@$(PYTEST) -n auto $(BOUNDED) -m "not slow and not long" $(ARGS)

test-long: $(VENV)/.tests
	@$(PYTEST) -m "long" $(ARGS)

lint: $(VENV)/.tests
	@$(BIN)/ruff check --output-format concise .
	@$(BIN)/python .ci/words.py --check
	@$(BIN)/python .ci/reference.py --check

types: $(VENV)/.tests $(TYPING)
	@MYPYPATH=build/typing $(BIN)/mypy -p carteado
	@MYPYPATH=build/typing $(BIN)/mypy bench/*.py .ci/*.py

contracts: $(VENV)/.tests $(TYPING)
	@PYTHONPATH=build/typing $(BIN)/lint-imports --no-cache

bench: $(VENV)/.runs
	@for bench in $(BENCHES); do echo "== $$bench"; $(BIN)/python $$bench $(ARGS) || exit 1; done

words: $(VENV)/.tests
	@$(BIN)/python .ci/words.py $(ARGS)

wheel: $(VENV)/.tests
	@$(BIN)/python -m pip wheel -q --no-deps --wheel-dir dist .

clean:
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache $(VENV)
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The names the program is published under, as links to the folders they live in, for tools that read source and do not import.
$(TYPING): Makefile
	@rm -rf $@ && mkdir -p $@
	@for part in $(AREAS) cli.py; do ln -s ../../../$$part $@/$$part; done

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "carteado needs Python 3.11 or newer, and none was found." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "$(PYTHON) cannot make an environment: install its venv module (Debian, Ubuntu: apt install python3-venv)." >&2; exit 1; }

# Reinstalled when pyproject.toml is newer: that is where dependencies, packages and entry points are listed.
$(VENV)/.runs: pyproject.toml | $(BIN)/python
	@echo "carteado: installing into $(VENV)"
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[web]'
	@touch $@

$(VENV)/.tests: pyproject.toml | $(BIN)/python
	@echo "carteado: installing into $(VENV)"
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(VENV)/.runs $@
