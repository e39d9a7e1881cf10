# `make app` opens the explorer, `make serve` gives it to others (docs/how_to/deploy.md), `make test` checks everything. Each
# sets up all that it needs.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# uv where it is there, which takes half the time; it writes no bytecode either.
UV := $(shell command -v uv 2>/dev/null)
INSTALL := $(if $(UV),$(UV) pip install --quiet --python $(BIN)/python,$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile)
OR_SAY = || { echo "The packages of $(lastword $^) could not be installed. Where there is no network: docs/how_to/deploy.md, Without a network."; exit 1; }

.PHONY: app class serve test test-benchmark-data check lint types javascript kernels nightly format pictures site versions lock benchmark clean

# The first trees are there without kernels, which the workers compile in the background. The first start writes the
# bytecode of what it loads (4 CPU seconds); pip would take 20 to write that of all there is, and three times the room.
app: export PYTHONDONTWRITEBYTECODE =
app: $(VENV)/.app
	$(BIN)/streamlit run app.py $(STREAMLIT_FLAGS)

# For a class on the same network (docs/how_to/run_a_classroom.md): the address that its devices open is in every link.
class: $(VENV)/.app
	@set -a; [ ! -f serving.env ] || . ./serving.env; \
	FORWARDED_ALLOW_IPS=$${FORWARDED_ALLOW_IPS-}; \
	STREAMLIT_SERVER_ADDRESS=$${STREAMLIT_SERVER_ADDRESS:-0.0.0.0}; \
	TAO_ADDRESS=$${TAO_ADDRESS:-$$($(BIN)/python -m pages.serving.class_address)}; \
	echo "Students open $$TAO_ADDRESS"; exec $(BIN)/streamlit run app.py --server.headless=true

# Settings come from the environment, and from the file serving.env where there is one.
serve: $(VENV)/.serve kernels
	@set -a; [ ! -f serving.env ] || . ./serving.env; \
	FORWARDED_ALLOW_IPS=$${FORWARDED_ALLOW_IPS-} \
	STREAMLIT_SERVER_ADDRESS=$${STREAMLIT_SERVER_ADDRESS:-0.0.0.0} exec $(BIN)/streamlit run app.py --server.headless=true

# The many processes that tests start need not compile the project again, whatever is set for the shell.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.dev
	@$(MAKE) --no-print-directory -j4 check kernels
	$(BIN)/python -m pytest $(PYTEST_FLAGS)

# What needs no test to run.
check: lint types javascript

# The tests that need the data sets of the folder $TREECORE_DATA (pytest ends with 5 where none is chosen).
test-benchmark-data: $(VENV)/.dev kernels
	$(BIN)/python -m pytest -m benchmark_data -n 2 $(PYTEST_FLAGS) || [ $$? = 5 ]

kernels: | $(BIN)/python
	@echo "Compiling kernels (once, one to two minutes) ..."
	$(BIN)/python -m treecore.warm_up

# What searches at random (damaged files of strangers, trees against brute force), with many more cases; what takes long.
nightly: $(VENV)/.dev
	TREECORE_FUZZ=nightly $(BIN)/python -m pytest -m "nightly or long" $(PYTEST_FLAGS)
	$(BIN)/python -m tests.versions --all

# The library installed elsewhere, with the lowest and the newest versions that it allows.
versions: $(VENV)/.dev
	$(BIN)/python -m tests.versions $(VERSIONS_FLAGS)

# All packages of the image, also those that others need, with hashes; then their licences.
lock: $(VENV)/.dev
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
		--custom-compile-command "make lock" requirements-serve.txt requirements-liblinear.txt -o requirements.lock
	$(BIN)/python -m docs.site.licences

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m tests.words
	$(BIN)/codespell --quiet-level 3 app.py setup.py pages treecore viz sample_data benchmarks docs tests *.md

types: $(VENV)/.dev
	$(BIN)/ty check --quiet

# The browser side: form, lint, types, tests of what needs no browser. These tools need Node; the app does not.
javascript:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory node_modules/.dev && npm run --silent check; \
	elif [ -n "$$CI" ]; then echo "Node and npm are missing: the browser side cannot be checked."; exit 1; \
	else echo "Skipped: the browser side is not checked, for want of Node and npm (Debian: apt-get install nodejs npm)."; fi

node_modules/.dev: package.json package-lock.json
	@echo "Installing the tools of the browser side (once) ..."
	npm ci --silent
	touch $@

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	if [ -d node_modules ]; then npx prettier --write --log-level warn viz 'pages/**/*.{js,ts,css}' tests/stage '*.js'; fi

# The pictures of the docs, from the app in Chromium, and what the cells of the notebooks show.
pictures: $(VENV)/.dev kernels
	$(BIN)/python -m tests.browser.pictures
	$(BIN)/python -m docs.site.notebooks

# The documentation as a site in build/site, which asks no other server for anything.
site: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict
	@echo "build/site is made; to read it: $(BIN)/python -m http.server --directory build/site"

benchmark: $(VENV)/.dev
	$(BIN)/python -m benchmarks.speed --quick
	$(BIN)/python -m benchmarks.quality --quick

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Installing packages (once) ..."
	@$(if $(UV),$(UV) venv --quiet --python $(PYTHON),$(PYTHON) -m venv) $(VENV) || { rm -rf $(VENV); exit 1; }

# Optional: without a C++ compiler, scikit-learn's copy of LIBLINEAR solves the nodes.
$(VENV)/.liblinear: requirements-liblinear.txt | $(BIN)/python
	@if ! command -v $(CXX) >/dev/null; then echo "No C++ compiler: without the official LIBLINEAR (once there is one: rm $@)."; \
	else $(INSTALL) --no-deps -r requirements-liblinear.txt >$(VENV)/liblinear.log 2>&1 \
	|| echo "The official LIBLINEAR could not be built, as $(VENV)/liblinear.log says: without it (to try again: rm $@)."; fi
	@touch $@

$(VENV)/.app: requirements.txt | $(VENV)/.liblinear
	$(INSTALL) -r requirements.txt $(OR_SAY)
	touch $@

$(VENV)/.docs: requirements.txt requirements-docs.txt | $(BIN)/python
	$(INSTALL) -r requirements-docs.txt $(OR_SAY)
	touch $@

$(VENV)/.serve: requirements.txt requirements-serve.txt | $(VENV)/.liblinear
	$(INSTALL) -r requirements-serve.txt $(OR_SAY)
	touch $(VENV)/.app $@

# With the uv that is among them; by pip where uv does not reach what pip is told of.
$(VENV)/.dev: requirements.txt requirements-serve.txt requirements-dev.txt | $(VENV)/.liblinear
	@$(INSTALL) "$$(grep ^uv== requirements-dev.txt)" $(OR_SAY)
	$(BIN)/uv pip install --quiet --python $(BIN)/python -r requirements-dev.txt || $(INSTALL) -r requirements-dev.txt $(OR_SAY)
	touch $(VENV)/.app $(VENV)/.serve $@

clean:
	rm -rf $(VENV) node_modules .peers .kernel_cache .pytest_cache .ruff_cache .hypothesis benchmarks/results/reproduce
	rm -f $(filter-out %.jsonl,$(wildcard benchmarks/results/*.*))
