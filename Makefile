# Each command sets up what it needs on a fresh machine: `make demo`, `make test` (`make test-all`: with the long series), `make docs`.
PYTHON ?= python3
VENV ?= .venv
export OPKG_VENV := $(abspath $(VENV))
export OPKG_CACHE_DIR ?= $(CURDIR)/build/cache

.PHONY: demo test test-all docs lint bench clean
demo:
	PYTHON=$(PYTHON) bash scripts/setup.sh demo
	bash scripts/demo.sh

test:
	PYTHON=$(PYTHON) bash scripts/setup.sh test
	bash scripts/test.sh

test-all:
	PYTHON=$(PYTHON) bash scripts/setup.sh test
	bash scripts/test.sh -m ""

docs:
	PYTHON=$(PYTHON) bash scripts/setup.sh docs
	$(VENV)/bin/python scripts/docs_reports.py
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --strict -q
	@echo "the site: build/site/index.html"

lint:
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

bench:
	$(VENV)/bin/python benchmarks/bench_project.py

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache
