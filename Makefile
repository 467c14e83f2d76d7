# Two targets do all the set-up: `make demo` and `make test`.
#
# PYTHON      the interpreter that .venv is made with (3.11 to 3.13)
# TORCH       what pip installs as torch; empty keeps the torch that is there, for a machine with an XPU or CUDA build:
#             make demo TORCH= VENV_FLAGS=--system-site-packages DEVICE=xpu
# VENV_FLAGS  further arguments of `python -m venv`
# DEVICE      the device that the demo scans on

PYTHON ?= python3
TORCH ?= torch==2.13.0
VENV_FLAGS ?=
DEVICE ?= cpu
VENV ?= .venv
BIN := $(VENV)/bin
DEMO ?= demo

.DEFAULT_GOAL := help
.PHONY: help demo test coverage lint bench published clean

help:  ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /	/' | expand -t 12

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info[:2] <= (3, 13) else "alignbot needs Python 3.11 to 3.13: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV_FLAGS) $(VENV)

# torch first and by itself, so that nothing else decides which build of it comes
$(VENV)/.runner: pyproject.toml | $(BIN)/python
	$(if $(TORCH),$(BIN)/python -m pip install --quiet "$(TORCH)")
	$(BIN)/python -m pip install --quiet --editable ".[runner]"
	@touch $@

$(VENV)/.dev: $(VENV)/.runner
	$(BIN)/python -m pip install --quiet --editable ".[runner,dev]"
	@touch $@

# What may be missing is asked for before torch is downloaded: hence no prerequisites, which have no order under -j.
demo:  ## set up, scan the sample window on this machine, say where to read
	@sh deploy/need-bwrap.sh
	@$(MAKE) --no-print-directory $(VENV)/.runner
	@ALIGNBOT_STATE=$(DEMO)/state $(BIN)/alignbot scan --sample --device $(DEVICE) --out $(DEMO)
	@echo
	@echo "dashboard   ALIGNBOT_STATE=$(DEMO)/state $(BIN)/alignbot dashboard"

published: $(BIN)/python  ## fetch GitHub's published schema and API description, which tests of reading GitHub need
	$(BIN)/python tests/double/published.py

test: $(VENV)/.dev  ## set up and run all tests
	@$(BIN)/python tests/double/published.py || echo "tests that need GitHub's published schema are skipped" >&2
	$(BIN)/python -m pytest

# Tests that reach every branch of the modules that pyproject.toml lists under [tool.coverage.run]
COVERED ?= tests/test_sanitising.py tests/test_cases_exit.py tests/test_gate.py tests/filing tests/windows

coverage: $(VENV)/.dev  ## set up and see that the tests take every branch of the modules that must have none untaken
	$(BIN)/python -m pytest --cov --cov-config=pyproject.toml $(COVERED)

lint: $(VENV)/.dev  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.dev  ## benchmarks: figures, not tests
	$(BIN)/python tests/benchmarks/run.py

clean:  ## remove the environment and the demo
	rm -rf $(VENV) $(DEMO) .mypy_cache .pytest_cache .ruff_cache .hypothesis
