#!/usr/bin/env bash
# usage: run.sh TAKT
# A copy of the tree with the toy machine: its folders and one line in config/machines.def. Build it
# there with the Makefile, then ask the toy's takt everything.
set -euo pipefail
takt=$(readlink -f "$1")
built=$(dirname "$takt")
cd "$(dirname "$0")/../.."
root=$PWD
folder=${built#"$root"/}
[ "$folder" != "$built" ] || folder=build # outside of the tree: its objects are not known
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Objects are copied, too, so that only what knows the list of machines is compiled again.
tar cf - --exclude=./.git --exclude='./build*' --exclude=./tests . | tar xf - -C "$scratch"
build=$scratch/$folder
mkdir -p "$build"
[ ! -d "$root/$folder" ] || tar cf - -C "$root/$folder" --exclude=./tests . | tar xf - -C "$build"
for room in functional timing config examples; do
    cp -r "tests/toy/$room/toy" "$scratch/$room/"
done
sed -i 's/^#undef MACHINE/MACHINE(toy)\n&/' "$scratch/config/machines.def"
[ "$(diff config/machines.def "$scratch/config/machines.def" | grep -c '^[<>]')" = 1 ]
cd "$scratch"
make -s BUILD="$folder" build >make.log 2>&1 || { cat make.log; exit 1; }
.ci/layers "$build"
takt=$build/takt
sum=examples/toy/sum.toy

fail() {
    echo "toy: $*"
    exit 1
}
holds() { # text, what it must hold
    grep -qF -- "$2" <<<"$1" || fail "'$2' is not in: $1"
}
is() { # what, expected, found
    [ "$2" = "$3" ] || fail "$1: expected '$2', found '$3'"
}
refused() { # exit code, what it must say, command
    local code=$1 text=$2 answer status=0
    shift 2
    answer=$("$takt" "$@" 2>&1) || status=$?
    is "exit of $*" "$code" "$status"
    holds "$answer" "$text"
}

# --- values and the first screen
is "get" "[16] 3" "$("$takt" run $sum --quiet --dump -)"
is "get without time" "[16] 3" "$("$takt" run $sum --quiet --functional-only --dump -)"
screen=$("$takt" run $sum)
holds "$screen" "18 cycles"
holds "$screen" " cycles"
json=$("$takt" run $sum --json --hash)
for part in '"cycles": 18' '"events": 15' '"unit": "seq"' '"cells": 3' '"copied": 4' '"state"'; do
    holds "$json" "$part"
done
is "run ahead or not" "$json" "$("$takt" run $sum --json --hash --no-run-ahead)"
holds "$("$takt" run $sum --json --documented)" '"cycles": 18'
"$takt" run $sum --quiet --events events
holds "$(cat events)" "copier"
"$takt" run $sum --quiet --events slow --no-run-ahead
cmp -s events slow || fail "a list of events is without run-ahead"
is "stated input" "$("$takt" run $sum --quiet --dump - --init random:5)" "[16] 3"

# --- the trace, and each question about it
"$takt" run $sum --quiet --trace sum.db --detail
is "v_check" 0 "$("$takt" query sum.db 'SELECT count(*) FROM v_check' --csv | tail -n 1 | tr -d '\r')"
ask() { "$takt" query sum.db "$1" --csv | tail -n +2 | tr -d '\r'; }
is "reasons of seq" "busy 9
copying 3
port 1
tag 3
wait-data 2" "$(ask "SELECT y.name || ' ' || t.cycles FROM unit_total t JOIN reason y ON y.id = t.reason
    JOIN unit u ON u.id = t.unit WHERE u.name = 'seq' ORDER BY y.name")"
is "busy cycles" "alu 5
mem 11" "$(ask "SELECT u.name || ' ' || t.cycles FROM unit_total t JOIN unit u ON u.id = t.unit
    WHERE t.state = 0 AND u.name <> 'seq' ORDER BY u.name")"
is "transfers" "2 4 12 0
12 14 17 3" "$(ask "SELECT issued || ' ' || started || ' ' || finished || ' ' || waited FROM transfer
    ORDER BY issued")"
is "critical path" "0 18" "$(ask 'SELECT min(start) || " " || max(start + duration) FROM crit')"
questions=$("$takt" report --list | sed -n 's/^\([a-z]*\) .*/\1/p')
[ "$(wc -w <<<"$questions")" -gt 10 ] || fail "questions: $questions"
for question in $questions; do
    "$takt" report sum.db "$question" >/dev/null || fail "report $question"
done
holds "$("$takt" report sum.db)" "18"
holds "$("$takt" timeline sum.db)" "mem"
holds "$("$takt" why sum.db seq@10)" "sum.toy:4"
holds "$("$takt" why sum.db seq@7)" "sum.toy:4"
"$takt" export sum.db --format html >sum.html
holds "$(cat sum.html)" "copying"
"$takt" export sum.db --format perfetto >sum.json
holds "$(cat sum.json)" "sum.toy"
mv sum.db first.db
"$takt" run $sum --quiet --trace sum.db --detail
cmp sum.db first.db || fail "two runs, two traces"

# --- what the unpublished load_latency is worth: by hand 18 cycles with 1, 28 with 10; 17 with 1 when
# nobody waits for the port
ranged=$("$takt" sensitivity $sum)
holds "$ranged" "uncertain: 17 to 28"
holds "$ranged" "load_latency"

# --- random programs: sound, and the same without run-ahead; cells of copies are waited for
program() { # seed
    awk -v seed="$1" 'BEGIN {
        srand(seed); to = 0
        for (i = 0; i < 60; i++) {
            r = int(rand() * 8); a = int(rand() * 4); b = int(rand() * 4)
            if (r < 2) print "load a" a " [" 100 + int(rand() * 20) "]"
            else if (r < 4) print "store a" a " [" 100 + int(rand() * 20) "]"
            else if (r == 4) print "add a" a " " (rand() < 0.5 ? "a" b : 7)
            else if (r == 5) print "mul a" a " a" b
            else if (r == 6 && to < 90) { n = 1 + int(rand() * 4); print "copy [" to "] [200] " n; to += n }
            else print "wait"
        }
        print "wait\nget [100] 20"
    }'
}
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    program $seed >random.toy
    for mode in "--quiet" "--no-run-ahead"; do
        "$takt" run random.toy "$mode" --dump dump$mode --trace random.db --detail >/dev/null
        is "v_check of seed $seed" "" "$("$takt" query random.db 'SELECT * FROM v_check' --csv | tail -n +2)"
        {
            for table in unit_total stmt_total transfer dep crit stmt_slack bound; do
                "$takt" query random.db "SELECT * FROM $table" --csv
            done
            "$takt" query random.db "SELECT ts, dur, reason, stmt FROM slice ORDER BY track_id, ts" --csv
        } >rows$mode
    done
    [ "$(wc -l <rows--quiet)" -gt 100 ] || fail "seed $seed has too few rows"
    cmp rows--quiet rows--no-run-ahead || fail "seed $seed depends on run-ahead"
    cmp dump--quiet dump--no-run-ahead
done

# --- parameters, text, faults
holds "$("$takt" config toy)" "load_latency = 3 cycles"
holds "$("$takt" config)" "toy accumulator machine"
holds "$("$takt" run $sum --json --set copy_notice=5)" '"cycles": 26'
"$takt" print $sum >printed.toy
is "printed" "$("$takt" print printed.toy)" "$(cat printed.toy)"
is "cycles of what was printed" 1 "$("$takt" run printed.toy --json | grep -c '"cycles": 18')"
printf 'lod a0 [1]\nload a4 [1]\nload a0 [256]\nadd a0 x\nwait now\ncopy [0] [250] 7\n' >bad.toy
for place in 1:1 2:6 3:9 4:8 5:6 6:16; do
    refused 1 "bad.toy:$place: error" check bad.toy
done
printf 'copy [0] [8] 4\nload a0 [3]\nstore a0 [8]\nload a0 [8]\nwait\nload a0 [3]\n' >early.toy
refused 1 "early.toy:2:1: error: touches cells of the copy of line 1" check early.toy
refused 1 "early.toy:3:1: error" check early.toy
refused 1 "2 errors" check early.toy
refused 2 "programs of toy have none" run $sum --packing auto
refused 2 "no place to load or save" run $sum --load m:0=x.bin
refused 2 "another machine" run $sum examples/amx/block.amx
holds "$("$takt" run --help)" "programs of mncore2 only"
echo "toy: everything holds"
