# Two commands are all there is to setting up: each fetches the solver on its first run.
#   make example   builds assay and runs it over 2,000 published expense lines
#   make test      builds everything and passes the tests

.PHONY: example test setup

example: setup
	cargo run --release --locked --package assay-cli -- run fixtures/parliament/job.toml --output target/example --overwrite

test: setup
	cargo test --workspace --locked

setup:
	@runner/z3-link/setup
