# `make demo` needs Python 3.11 to 3.13 with venv, Java 17 or newer, and this file.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet
LOCK = $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
       --generate-hashes --no-annotate --no-header $(UPGRADE)
IMAGES ?= nest-images.tar.gz
ROUNDS ?= 50
ROOMS := producer pipeline check dashboard drill

# What has been made of these very inputs is not made again.
RUNTIME := .venv/.runtime
DEV := .venv/.dev
BENCH := .venv/.bench
LABS := .venv/.labs
JARS := $(or $(NEST_STATE),.nest)/jars/.made

.PHONY: help setup demo test test-docker bench bench-growth storm labs docs samples screenshot lint format lock save-images load-images

help: ## Show this
	@sed -n 's/^\([a-z-]*\):.*## /make \1: /p' Makefile

setup: $(RUNTIME) $(JARS) ## Make the virtual environment and fetch the jars
	@echo "Ready: make demo, or $(BIN)/nest --help"

demo: $(RUNTIME) $(JARS) ## Run everything, live, until Ctrl-C
	@$(BIN)/nest up

test: $(DEV) $(JARS) ## Run the tests (ARGS=... goes to pytest)
	@sh tests/chromium.sh
	$(BIN)/python -m pytest $(ARGS)

test-docker: $(DEV) ## Build the images and test the demo in Docker
	@sh tests/chromium.sh
	$(BIN)/python -m pytest -m docker $(ARGS)

bench: $(BENCH) $(JARS) ## Measure against the published job and others (ARGS=... goes to it)
	$(BIN)/python -m bench $(ARGS)

bench-growth: $(BENCH) $(JARS) ## Measure how costs grow (ARGS="--messages 10000000" for more)
	$(BIN)/python -m bench.growth $(ARGS)

storm: $(RUNTIME) $(JARS) ## Let a demo go through ROUNDS random rounds of faults, each checked
	$(BIN)/nest storm --rounds $(ROUNDS) $(ARGS)

labs: $(LABS) $(JARS) ## Open the notebooks in JupyterLab, in the browser, until Ctrl-C
	$(BIN)/jupyter lab --ServerApp.ip=127.0.0.1 --ServerApp.root_dir=notebooks $(ARGS)

docs: $(DEV) ## Write docs/commands.md and docs/settings.md anew
	$(BIN)/python -m tools.reference_pages

samples: $(RUNTIME) ## Write data/samples anew
	$(BIN)/python -m tools.samples

screenshot: $(DEV) $(JARS) ## Take the README's picture of the dashboard anew, some minutes
	@sh tests/chromium.sh
	$(BIN)/python -m tools.screenshot docs/images/dashboard.png

lint: $(DEV) ## Check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(DEV) ## Put the code in shape
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lock: $(DEV) ## Pin what pyproject.toml asks for, with hashes (UPGRADE=--upgrade for newer)
	$(LOCK) --all-extras --group dev --output-file requirements/dev.txt
	$(LOCK) --all-extras --group build --constraints requirements/dev.txt --output-file requirements/all.txt
	for room in $(ROOMS); do \
	  $(LOCK) --extra $$room --group build --constraints requirements/dev.txt \
	    --output-file requirements/$$room.txt || exit 1; \
	done
	$(LOCK) --all-extras --group bench --group build --constraints requirements/dev.txt \
	  --output-file requirements/bench.txt
	$(LOCK) --all-extras --group labs --group build --constraints requirements/dev.txt \
	  --output-file requirements/labs.txt

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
	  echo "$(PYTHON) is not Python 3.11 to 3.13. Name one that is: make setup PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { \
	  echo "$(PYTHON) cannot make virtual environments. On Debian: apt-get install python3-venv"; exit 1; }
	@$(PYTHON) -m venv .venv

$(RUNTIME): requirements/all.txt pyproject.toml | $(BIN)/python
	@echo "Installing the packages that requirements/all.txt pins; the first time takes some minutes."
	@$(PIP) --require-hashes -r requirements/all.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): requirements/dev.txt $(RUNTIME)
	@echo "Installing the packages that requirements/dev.txt pins."
	@$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

$(BENCH): requirements/bench.txt $(RUNTIME)
	@echo "Installing the packages that requirements/bench.txt pins."
	@$(PIP) --require-hashes -r requirements/bench.txt
	@touch $@

$(LABS): requirements/labs.txt $(RUNTIME)
	@echo "Installing the packages that requirements/labs.txt pins."
	@$(PIP) --require-hashes -r requirements/labs.txt
	@touch $@

$(JARS): demo/stack/jars/ivy.xml demo/stack/jars/ivysettings.xml demo/stack/jars/jars.sha256 | $(RUNTIME)
	@$(BIN)/nest jars
	@touch $@

# For rooms without network: `make save-images` on one machine, `make load-images` on the others.
save-images: ## Save all of the Docker demo's images to one file
	docker compose --profile tools build
	docker compose pull kafka --policy missing
	docker compose --profile tools config --images | sort -u | xargs docker save | gzip > $(IMAGES)
	@ls -lh $(IMAGES)

load-images: ## Load the images that save-images has saved
	docker load --input $(IMAGES)
