#!/bin/sh
# Traces a search of the crate `minimax` 0.6.0 and checks it: sh minimax.sh FOLDER, with the crate's sources in FOLDER.
# The lines of minimax.patch are added to a copy. Nothing is downloaded.
set -eu
lines=$(cd "$(dirname "$0")" && pwd)/minimax.patch
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R "$1/." "$copy"
cd "$copy"
patch -s -p1 < "$lines"
plyscope -c 'trace emitter rust' > src/plytrace.rs
RUSTFLAGS='--cfg plytrace' cargo run --quiet --offline --example traced
plyscope -c 'trace check minimax.jsonl'
