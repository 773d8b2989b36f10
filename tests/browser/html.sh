#!/usr/bin/env bash
# The offline pages in a headless Chromium, used as a reader would (check.js): keys, sorting, zoom, folding,
# pointing, the table, light and dark, two sizes; nothing fetched, nothing on the console. A tier of its own,
# since Debian's chromium is large: make test-browser.
#   tests/browser/html.sh [folder for screenshots]
set -euo pipefail
cd "$(dirname "$0")/../.."
takt=${TAKT:-build/takt}
command -v chromium >/dev/null || { echo "skipped: no chromium"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shots=${1:-}
passed=0 failed=0

browser() { # options of one call
    timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
        --user-data-dir="$work/profile" --virtual-time-budget=60000 --enable-logging=stderr "$@"
}
check() { # name, page, runs in it
    local name=$1 page=$2 runs=$3 size title said
    size=$(stat -c %s "$page")
    { sed 's#</body>#<script>#; s#</html>##' "$page"; sed "s/EXPECTED_RUNS/$runs/" tests/browser/check.js
      echo '</script></body></html>'; } >"$work/checked.html"
    for width in 1280 500; do
        title=$(browser --window-size=$width,900 --dump-dom "file://$work/checked.html" 2>"$work/log" |
                grep -o '<title>[^<]*' | head -1)
        said=$(grep -i CONSOLE "$work/log" | head -3 || true)
        if [ "$title" = "<title>ALL FINE" ] && [ -z "$said" ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$name at $width ($size bytes): ${title#<title>} $said"
        fi
    done
    [ -n "$shots" ] || return 0
    mkdir -p "$shots"
    browser --window-size=1280,2400 --screenshot="$shots/$name.png" "file://$page" 2>/dev/null
}
page() { # name, program, options of run
    local name=$1 program=$2
    shift 2
    "$takt" run "$program" --trace "$work/k.db" --quiet "$@" 2>/dev/null || return 0
    "$takt" export "$work/k.db" --format html --output "$work/$name.html" 2>/dev/null
    check "$name" "$work/$name.html" 1
}

for program in examples/*/*; do
    case $program in *.c | *.py) continue ;; esac
    [ -f "$program" ] || continue
    page "$(basename "$program")" "$program" --detail
done
page totals examples/mncore2/fma.vsm --timing-only
page window examples/mncore2/fma.vsm --window 100:400
printf '# nothing\n' >"$work/empty.vsm"
page empty "$work/empty.vsm" --detail
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "fvadd $lm%dv $ln%dv $lr%dv\n", 8 * (i % 61), 8 * (i % 59), 8 * (i % 31) }' \
    >"$work/long.vsm"
page long "$work/long.vsm" --detail --timing-only --interlock --silence all
"$takt" diff examples/mncore2/optimising/vector.vsm examples/mncore2/optimising/vector-halves.vsm \
    --html "$work/diff.html" >/dev/null
check diff "$work/diff.html" 2
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
