# Recipes for those who work on sudokud; `just --list` shows them.

# All that must hold before a commit.
verify: fmt clippy doc deny test

fmt:
    cargo fmt --check

clippy:
    cargo clippy --all-targets -- -D warnings

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

# `cargo install --locked cargo-deny`; the advisory database needs a network.
deny:
    cargo deny check bans licenses sources

test:
    cargo test --release

# The pure core alone, tests of the kernels included: built in half a minute.
test-core *args:
    cargo test --release --manifest-path tests/asan/Cargo.toml -- {{args}}

# The same under the address sanitizer, which needs an unstable switch but no other toolchain.
asan *args:
    RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address cargo test --release --target x86_64-unknown-linux-gnu --manifest-path tests/asan/Cargo.toml -- {{args}}

# buf: PyPI `buf-bin`.
proto:
    cd proto && buf lint

# One fuzz target for some seconds: `just fuzz text_forms 60`. `cargo install --locked cargo-fuzz`.
fuzz target seconds="60":
    mkdir -p fuzz/corpus/{{target}}
    RUSTC_BOOTSTRAP=1 cargo fuzz run -s none {{target}} fuzz/corpus/{{target}} fuzz/seeds/{{target}} -- -max_total_time={{seconds}}

# Solver speed, one thread; files hold one puzzle a line.
bench-solver *files:
    cargo bench --bench solver -- {{files}}

# Ratings against Sudoku Explainer's, and their speed; files of rated puzzles.
bench-rating *files:
    cargo bench --bench rating -- {{files}}

# A real server end to end, beside the same puzzles solved in process.
bench-service *files:
    cargo bench --bench service -- {{files}}

# Many unary calls beside a batch: all at once, then in an open loop.
bench-load *files:
    cargo bench --bench service -- --load {{files}}

# The embedded store: MB/s both ways, and the time of a tiny durable commit.
bench-store dir="/tmp":
    cargo bench --bench store -- {{dir}}

# Ours beside the `sudoku` crate, alternating in one process.
bench-peers *files:
    cargo run --release --manifest-path benches/peers/Cargo.toml -- {{files}}

# Ours beside the generators of the `sudoku` crate and of QQWing.
bench-generate:
    cargo run --release --manifest-path benches/peers/Cargo.toml --bin generate

demo:
    cargo run --release -- demo
