#!/usr/bin/env bash
# Each program of PROGRAMS against its comments and EXPECTATIONS (one a line); reports go to REPORTS.
# Exit: 0 all hold, else that of the first program for which they do not.
set -uo pipefail
takt=${TAKT_COMMAND:-takt} reports=${REPORTS:-takt-reports} code=0
mapfile -t expectations < <(printf '%s\n' "${EXPECTATIONS:-}" | grep -v '^ *$')
mkdir -p "$reports"
for program in ${PROGRAMS:?which programs?}; do
    name=$(basename "$program")
    # takt may be several words: a container's command.
    $takt expect --junit "$reports/$name.xml" --sarif "$reports/$name.sarif" \
        "$program" ${expectations[@]+"${expectations[@]}"}
    one=$?
    [ $code != 0 ] || code=$one
done
exit $code
