#!/usr/bin/env bash
# Runs a line of the README, "first line" or "test line", as a stranger would: in the current folder, a clean checkout.
# The first line gets an empty home, and its answer must be about mh.
set -euo pipefail
mark=$1
line=$(sed -n "/<!-- $mark -->/,/^\`\`\`\$/p" README.md | sed -n '/^python3 /p')
[ -n "$line" ] || { echo "README.md has no $mark" >&2; exit 1; }
printf '%s\n' "$line"
[ ! -e .venv ] || { echo "there is a .venv already: this must start without one" >&2; exit 1; }

if [ "$mark" = "test line" ]; then
    exec bash -c "$line"
fi

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export MH_HOME=$home HOME=$home
bash -c "$line" | tee "$home/answer"
grep -q 'mh\.db' "$home/answer" || { echo "the README's first line did not end with the answer" >&2; exit 1; }
