# Statecast: `make run` to try it, `make test` to check it. `make help` lists the rest.
.PHONY: test lint

test: lint
	swift test --disable-xctest

lint:
	swift format lint --strict --recursive Package.swift Sources Tests
