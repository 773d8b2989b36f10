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
