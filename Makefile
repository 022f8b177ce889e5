# The two commands are `make demo` and `make test`; both set everything up by themselves.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup demo test lint types layers docs browser tests format clean blender-test

setup: $(READY)

# Made anew when what is to be installed changes, so the second time it costs nothing.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else f"animato needs Python 3.11 or newer; {sys.executable} is {v.major}.{v.minor}. Say: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[all]' --group dev
	@$(BIN)/animato warm || true # else the first command compiles, which is slower and no failure
	@touch $(READY)

demo: setup
	$(BIN)/animato demo --out out/demo

test: setup lint types layers tests docs

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

layers: setup
	$(BIN)/python -m tests.layers

# For tests/browser; installs only in CI and never fails, see there.
browser:
	@sh scripts/install_browser.sh

# Two workers already; BLAS with threads of its own would only make them wait for each other. A worker that dies ends the
# run: with `loadfile` nobody else would take its tests, and the run would wait for them.
tests: setup browser
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadfile --max-worker-restart 0

# The add-on in blender/, with Blender as a Python module in an environment of its own; no part of `make test`.
# Another Blender: make blender-test BPY=4.5.15
BPY ?= 5.0.1
blender-test: setup
	sh scripts/blender_test.sh $(BPY)

docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv .venv-blender .cache out site dist .mypy_cache .ruff_cache .hypothesis
	find src -name __pycache__ -prune -exec rm -rf {} +
