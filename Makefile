# Statecast. `make run` tries it, `make test` checks it; `make help` lists the rest.

# The one list of the Debian packages that building and testing need.
PACKAGES = libzmq3-dev libsqlite3-dev libxxhash-dev libsimdjson-dev libinih-dev libedit-dev \
	libsystemd-dev libstdc++-12-dev iso-codes python3 python3-venv

# Programs carry Swift's runtime: they start in half the time, an action takes a quarter less, and
# they run where no toolchain is. A toolchain without its static half links to the shared one.
STATIC = $(shell folder="$$(swift -print-target-info -static-stdlib \
	| sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')"; \
	[ -d "$$folder" ] && echo --static-swift-stdlib)
RELEASE = swift build -c release $(STATIC)
BIN = .build/release
ROUNDS ?= 20
SECONDS ?= 600
SEEDS ?= 1000000
FROM ?= 0
FUZZ ?= cbor request reply delta configuration json patch

# Tests that have the machine to themselves.
SIMULATION = SyncProtocolTests\.(SimulationTests|MutationTests)
SPAWNED = IntegrationTests\.(Spawned|ExternalAppTests)

.PHONY: help packages build install run test interop lint bench bench-quick bench-peers demo-data
.PHONY: torture simulate asan tsan fuzz statecast-bench

help: ## List the targets.
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

packages: ## Install the Debian packages that are missing.
	@missing="$$(for p in $(PACKAGES); do \
	  dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done)"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	install="apt-get install -y --no-install-recommends $$(echo $$missing)"; \
	if [ "$$(id -u)" = 0 ]; then apt-get update && $$install; \
	elif sudo -n true 2>/dev/null; then sudo apt-get update && sudo $$install; \
	else echo "Error: Debian packages are missing." >&2; echo "Try: sudo $$install" >&2; exit 1; fi

build: packages ## Build the release.
	$(RELEASE) --product statecastd
	$(RELEASE) --product statecast

statecast-bench: build
	$(RELEASE) --product statecast-bench

PREFIX ?= /usr/local

install: build ## Install statecastd and statecast below PREFIX (/usr/local), with unit and configuration.
	install -D -t $(DESTDIR)$(PREFIX)/bin $(BIN)/statecastd $(BIN)/statecast
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/statecast Config/statecastd.conf Config/statecastd.service

run: build ## Start statecastd unless it runs, and attach a client.
	@$(BIN)/statecast up

test: packages lint ## Lint and all tests.
	swift build
	Tests/Interop/run
	@# An app in a package of its own, which a test runs.
	swift build --build-tests --package-path Tests/ExternalApp --scratch-path .build/external
	@# One after another: the simulation keeps all cores busy, and those who wait for events beside
	@# it would run into their time limits.
	swift test --disable-xctest --skip '$(SIMULATION)|$(SPAWNED)'
	swift test --disable-xctest --skip-build --filter '$(SPAWNED)'
	swift test --disable-xctest --skip-build --filter '$(SIMULATION)'

interop: packages ## A client in Python, written from the protocol article, beside the Swift ones.
	swift build
	Tests/Interop/run

lint: ## Check the formatting rules.
	swift format lint --strict --recursive Package.swift Sources Tests

bench: statecast-bench ## Every figure of the performance article beside a raw libzmq floor; BENCH='--pairs 3' for fewer.
	@$(BIN)/statecast-bench run $(BENCH)

bench-quick: statecast-bench ## The same in less than a minute, for a first look.
	@$(BIN)/statecast-bench run --quick $(BENCH)

bench-peers: statecast-bench ## The same with Redis and NATS beside it, where they are installed.
	@$(BIN)/statecast-bench run --peers $(BENCH)

demo-data: statecast-bench ## Real documents and a real editing session through three mirrors.
	@$(BIN)/statecast-bench demo-data

torture: statecast-bench ## Kill -9 of daemon and clients on bad links, ROUNDS times; TORTURE=--minutes stops longer.
	@$(BIN)/statecast-bench torture --rounds $(ROUNDS) $(TORTURE)

simulate: packages ## SEEDS simulated histories of the machines from seed FROM; SEED=n replays one.
	@# Machines and simulation are optimised in every build.
	STATECAST_HISTORIES=$(SEEDS) STATECAST_FROM=$(FROM) $(if $(SEED),STATECAST_SEED=$(SEED)) \
	  swift test --disable-xctest --filter 'SyncProtocolTests\.SimulationTests'

# Programs that the tests start write their reports there, too, also those that are killed.
# The simulation is short: its machines are values on one thread each.
define SANITIZED
rm -rf $(CURDIR)/.build/$(1)/reports && mkdir -p $(CURDIR)/.build/$(1)/reports
swift build --build-tests --sanitize=$(2) --scratch-path .build/$(1)
failed=0; \
run() { STATECAST_HISTORIES=2000 $(3):log_path=$(CURDIR)/.build/$(1)/reports/report \
  swift test --disable-xctest --skip-build --sanitize=$(2) --scratch-path .build/$(1) "$$@" \
  || failed=1; }; \
run --skip '$(SIMULATION)|$(SPAWNED)'; \
run --filter '$(SPAWNED)'; \
run --filter 'SyncProtocolTests\.SimulationTests'; \
if grep -rqv 'AddressSanitizer failed to allocate' .build/$(1)/reports; then \
  cat .build/$(1)/reports/*; echo "Error: $(2) reports, in .build/$(1)/reports" >&2; exit 1; fi; \
[ $$failed = 0 ]
endef

# What a stranger says to be long libzmq asks of malloc, and takes no for an answer: that is told, and
# is no report. Leaks are not looked for: Swift keeps bits of its own in pointers, and then the search
# does not see them. What is freed is kept for a while, but less than the bounds of the daemon's memory.
asan: packages ## AddressSanitizer over the unit and integration tests.
	$(call SANITIZED,asan,address,ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0:quarantine_size_mb=32)

tsan: export STATECAST_TSAN = 1
tsan: packages ## ThreadSanitizer over the unit and integration tests.
	$(call SANITIZED,tsan,thread,TSAN_OPTIONS=allocator_may_return_null=1)

fuzz: packages ## libFuzzer over every reader of strangers' bytes, SECONDS each; FUZZ=name for one.
	STATECAST_FUZZ=1 swift build -c release --scratch-path .build/fuzz --product statecast-fuzz
	@for target in $(FUZZ); do mkdir -p .build/fuzz/found/$$target; \
	  echo "$$target, for $(SECONDS) s"; \
	  .build/fuzz/release/statecast-fuzz $$target -max_total_time=$(SECONDS) \
	    -max_len=4096 -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 -verbosity=0 \
	    -artifact_prefix=.build/fuzz/ .build/fuzz/found/$$target Tests/FuzzTests/Corpus/$$target \
	    || exit 1; done
