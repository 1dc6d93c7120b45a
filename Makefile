# `make demo` needs Python 3.11 to 3.13 with venv, Java 17 or newer, and this file.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip
INSTALL = PATH="$(CURDIR)/$(BIN):$$PATH" sh requirements/install_packages.sh
IMPORT_DEMO := PYTHONDONTWRITEBYTECODE= $(BIN)/python -c "import demo.cli, demo.commands.up; \
               import producer.produce, pipeline.app, dashboard.asgi, dashboard.server; \
               import altair, pandas, streamlit.web.bootstrap"
LOCK = $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
       --generate-hashes --no-annotate --no-header $(UPGRADE)
IMAGES ?= nest-images.tar.gz
ROUNDS ?= 50
WORKERS ?= 2
MARP := CHROME_PATH=$${CHROME_PATH:-$$(command -v chromium || command -v google-chrome)} \
        npx --yes @marp-team/marp-cli@4.5.1 --no-stdin --allow-local-files
ROOMS := producer pipeline check dashboard monitoring drill secure
SBOM ?= sbom.json

# What has been made of these very inputs is not made again.
RUNTIME := .venv/.runtime
DEV := .venv/.dev
BENCH := .venv/.bench
PEERS := .venv/.peers
LABS := .venv/.labs
AUDIT := .venv/.audit
JUPYTERLAB := .venv/etc/jupyter/labconfig/page_config.json
JARS := $(or $(NEST_STATE),.nest)/jars/.made

.PHONY: help java setup demo test test-cluster test-docker bench bench-growth bench-cluster bench-peers storm package labs docs slides samples notebooks screenshot lint format audit sbom lock save-images load-images

help: ## Show this
	@sed -n 's/^\([a-z-]*\):.*## /make \1: /p' Makefile

setup: java $(RUNTIME) $(JARS) ## Make the virtual environment and fetch the jars
	@echo "Ready: make demo, or $(BIN)/nest --help"

demo: java $(RUNTIME) $(JARS) ## Run everything, live, until Ctrl-C
	@$(BIN)/nest up

test: java $(DEV) $(JARS) ## Run the tests in two processes (WORKERS=1 for one; ARGS=... goes to pytest)
	@sh tests/kustomize.sh
	@-$(BIN)/python -m tools.strimzi_schemas
	@sh tests/chromium.sh
	@sh tests/prometheus.sh
	@$(BIN)/nest jars --cluster --share-classes
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

test-cluster: $(DEV) $(JARS) ## Test the demo on a cluster of this machine; it takes 6 GB of memory
	@$(BIN)/nest jars --cluster
	$(BIN)/python -m pytest -m cluster $(ARGS)

test-docker: $(DEV) ## Build the images and test the demo in Docker
	@sh tests/chromium.sh
	$(BIN)/python -m pytest -m docker $(ARGS)

bench: $(BENCH) $(JARS) ## Measure against the published job and others (ARGS=... goes to it)
	$(BIN)/python -m bench $(ARGS)

bench-growth: $(BENCH) $(JARS) ## Measure how costs grow (ARGS="--messages 10000000" for more)
	$(BIN)/python -m bench.growth $(ARGS)

bench-cluster: $(BENCH) $(JARS) ## Measure what a message costs on Spark's own cluster manager
	$(BIN)/python -m bench.cluster $(ARGS)

bench-peers: $(PEERS) $(JARS) ## Measure beside Flink SQL and Bytewax, and kill each once
	@$(BIN)/nest jars --flink
	$(BIN)/python -m bench.peers $(ARGS)

storm: $(RUNTIME) $(JARS) ## Let a demo go through ROUNDS random rounds of faults, each checked
	@$(BIN)/nest jars --share-classes
	$(BIN)/nest storm --rounds $(ROUNDS) $(ARGS)

package: $(DEV) $(JARS) ## Build what spark-submit takes to a cluster, in dist/spark (docs/cluster.md)
	@$(BIN)/nest jars --s3a
	$(BIN)/python -m tools.spark_package

labs: java $(JUPYTERLAB) $(JARS) ## Open the notebooks in JupyterLab, in the browser, until Ctrl-C
	$(BIN)/jupyter lab --ServerApp.ip=127.0.0.1 --LabApp.default_url=/lab/tree/notebooks \
		$(if $(filter 0,$(shell id -u)),--allow-root) $(ARGS)

notebooks: $(DEV) $(JARS) ## Run the notebooks and keep their outputs (ARGS=kill_it for one)
	$(BIN)/python -m tools.notebooks $(ARGS)

docs: $(DEV) ## Write the pages of docs that list what is in the code, and draw its pictures
	$(BIN)/python -m tools.reference_pages
	$(BIN)/python -m tools.drawings

slides: ## Render docs/slides.md and docs/handout.md beside them, with Node.js and Chromium
	@command -v npx >/dev/null || { echo "make slides needs Node.js 18 or newer."; exit 1; }
	@sh tests/chromium.sh
	$(MARP) docs/slides.md --theme docs/slides.css --output docs/slides.html
	$(MARP) docs/slides.md --theme docs/slides.css --pdf-outlines --output docs/slides.pdf
	$(MARP) docs/handout.md --theme docs/handout.css --output docs/handout.pdf

samples: $(RUNTIME) ## Write data/samples anew
	$(BIN)/python -m tools.samples

screenshot: $(DEV) $(JARS) ## Take the README's picture of the dashboard anew, some minutes
	@sh tests/chromium.sh
	$(BIN)/python -m tools.screenshot docs/images/dashboard.png

lint: $(DEV) ## Check style, types and the pages of docs that are written from the code
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/nbqa mypy notebooks
	$(BIN)/python -m tools.reference_pages --check

format: $(DEV) ## Put the code in shape
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

audit: $(AUDIT) ## Report known weaknesses of packages and jars (a report and no gate)
	@$(BIN)/python -m tools.audit

sbom: $(AUDIT) ## Write the bill of materials, CycloneDX, to sbom.json (SBOM=... for another file)
	@$(BIN)/python -m tools.bill_of_materials $(SBOM)

lock: $(DEV) ## Pin what pyproject.toml asks for, with hashes (UPGRADE=--upgrade for newer)
	$(LOCK) --all-extras --group dev --output-file requirements/dev.txt
	$(LOCK) --all-extras --group build --constraints requirements/dev.txt --output-file requirements/all.txt
	for room in $(ROOMS); do \
	  $(LOCK) --extra $$room --group build --constraints requirements/dev.txt \
	    --output-file requirements/$$room.txt || exit 1; \
	done
	$(LOCK) --all-extras --group bench --group build --constraints requirements/dev.txt \
	  --output-file requirements/bench.txt
	$(LOCK) --all-extras --group peers --group build --constraints requirements/dev.txt \
	  --constraints requirements/bench.txt --output-file requirements/peers.txt
	$(LOCK) --all-extras --group labs --group build --constraints requirements/dev.txt \
	  --output-file requirements/labs.txt
	$(subst pyproject.toml,,$(LOCK)) --group installer --constraints requirements/dev.txt \
	  --output-file requirements/installer.txt
	$(subst pyproject.toml,,$(LOCK)) --group pyspark-build --output-file requirements/pyspark-build.txt
	$(LOCK) --group audit --constraints requirements/dev.txt --output-file requirements/audit.txt
	$(BIN)/python -m tools.lock_jars

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
	  echo "$(PYTHON) is not Python 3.11 to 3.13. Name one that is: make setup PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { \
	  echo "$(PYTHON) cannot make virtual environments. On Debian: apt-get install python3-venv"; exit 1; }
	@$(PYTHON) -m venv .venv

# Who has no Java hears it before anything is fetched.
java: | $(BIN)/python
	@$(BIN)/python -m contract.java

$(BIN)/uv: requirements/installer.txt | $(BIN)/python
	@$(PIP) install --disable-pip-version-check --quiet --require-hashes -r $<
	@touch $@

$(RUNTIME): requirements/all.txt pyproject.toml | $(BIN)/uv
	@echo "Installing the packages that requirements/all.txt pins; the first time takes a minute or two."
	@$(INSTALL) all
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV) $(BENCH) $(PEERS) $(LABS) $(AUDIT): .venv/.%: requirements/%.txt $(RUNTIME)
	@echo "Installing the packages that $< pins."
	@UV_COMPILE_BYTECODE=1 $(INSTALL) $*
	@touch $@

# No question about Jupyter's news over the first lab.
$(JUPYTERLAB): $(LABS)
	@$(BIN)/jupyter labextension disable "@jupyterlab/apputils-extension:announcements" 2>/dev/null
	@touch $@

# uv writes no bytecode. The modules that the demo imports get theirs while the jars come.
$(JARS): demo/stack/jars/jars.lock | $(RUNTIME)
	@$(IMPORT_DEMO) & $(BIN)/nest jars
	@touch $@

# For rooms without network: `make save-images` on one machine, `make load-images` on the others.
save-images: ## Save all of the Docker demo's images to one file
	docker compose --profile tools --profile labs --profile monitoring build
	docker compose pull kafka prometheus grafana --policy missing
	docker compose --profile tools --profile labs --profile monitoring config --images | sort -u > $(IMAGES).names
	xargs docker save --output $(IMAGES).tar < $(IMAGES).names
	gzip --stdout $(IMAGES).tar > $(IMAGES)
	@rm $(IMAGES).tar $(IMAGES).names
	@ls -lh $(IMAGES)

load-images: ## Load the images that save-images has saved
	docker load --input $(IMAGES)
