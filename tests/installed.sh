#!/usr/bin/env bash
# usage: installed.sh BUILD
# Install what is built into a folder, then compile and run the C example against that alone: shared,
# static, and as C++ reads the header. Prints what the example printed.
set -euo pipefail
build=$1
cd "$(dirname "$0")/.."
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
make -s BUILD="$build" DESTDIR="$root" PREFIX=/usr install-files >/dev/null
cp examples/c/nops.c "$root/"
cd "$root"
export PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$root/usr/lib/pkgconfig
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
warnings="-std=c11 -Wall -Wextra -Wpedantic -Werror"
# shellcheck disable=SC2046,SC2086
gcc $warnings -o shared nops.c $(pkg-config --cflags --libs takt)
# shellcheck disable=SC2046,SC2086
gcc $warnings -o static nops.c $(pkg-config --cflags takt) usr/lib/libtakt.a \
    $(pkg-config --static --libs takt | sed 's/-ltakt//')
readelf -d usr/lib/libtakt.so | grep -q 'SONAME.*libtakt.so.0' || { echo "no soname"; exit 1; }
readelf -d shared | grep -q 'NEEDED.*libtakt.so.0' || { echo "not linked by soname"; exit 1; }
foreign=$(nm -D --defined-only usr/lib/libtakt.so | awk '$2 != "A" && $3 !~ /^takt_/ { print $3 }')
[ -z "$foreign" ] || { echo "exported: $foreign"; exit 1; }
declared=$(grep -oE 'takt_[a-z_]+\(' usr/include/takt.h | tr -d '(' | sort -u)
exported=$(nm -D --defined-only usr/lib/libtakt.so | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort -u)
[ "$declared" = "$exported" ] || { echo "declared and exported differ"; exit 1; }
first='imm f"1.0" $r0/0010' second='dvadd $lm0v $r0e $ln0v'
LD_LIBRARY_PATH=usr/lib ./shared "$first" "$second" >shared.out
./static "$first" "$second" >static.out
cmp shared.out static.out
cat shared.out

# Pages and completions know every command and option; with man here, it reads the pages without a warning.
takt=$root/usr/bin/takt
for c in $("$takt" --help | sed -n '/^machines:/q; s/^  \([a-z][a-z]*\)  *[^ ].*/\1/p'); do
    page=$root/usr/share/man/man1/takt-$c.1
    [ -s "$page" ] || { echo "no page of $c"; exit 1; }
    for o in $("$takt" "$c" --help | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
        grep -qF -- "\\-\\-${o//-/\\-}" "$page" || { echo "$o is not in the page of $c"; exit 1; }
        words=$(bash -c '. "$1"; COMP_WORDS=(takt "$2" "--$3"); COMP_CWORD=2; _takt; echo " ${COMPREPLY[*]} "' \
            - "$root/usr/share/bash-completion/completions/takt" "$c" "$o")
        [[ $words = *" --$o "* ]] || { echo "bash does not complete takt $c --$o"; exit 1; }
    done
done
if command -v man >/dev/null && command -v groff >/dev/null; then
    for page in "$root"/usr/share/man/man*/*; do
        wrong=$(LC_ALL=C.UTF-8 man --warnings=mac,syntax -l "$page" 2>&1 >/dev/null)
        [ -z "$wrong" ] || { echo "$wrong"; exit 1; }
    done
fi
! command -v zsh >/dev/null || zsh -n "$root/usr/share/zsh/vendor-completions/_takt"
! command -v fish >/dev/null || fish -n "$root/usr/share/fish/vendor_completions.d/takt.fish"
cd - >/dev/null
make -s BUILD="$build" DESTDIR="$root" PREFIX=/usr uninstall >/dev/null
left=$(find "$root/usr" -type f -o -type l)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
