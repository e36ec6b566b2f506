# Two commands are all there is to setting up: each fetches the solver on its first run.
#   make example   builds assay and runs it over 2,000 published expense lines
#   make test      builds everything and passes the tests

.PHONY: example test setup fuzz advisories

example: setup
	cargo run --release --locked --package assay-cli -- run fixtures/parliament/job.toml --output target/example --overwrite

test: setup
	cargo test --workspace --locked

# Searches for inputs that break a target of tests/hostile, a minute for each: see docs/reliability.md. SECONDS=600 for longer.
fuzz: setup
	@tests/fuzz/run $(SECONDS)

# Dependencies with known faults. Needs a network that reaches RustSec's database on GitHub.
advisories:
	@.ci/supply-chain advisories

setup:
	@runner/z3-link/setup
