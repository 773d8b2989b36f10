#!/usr/bin/env bash
# The offline page in a headless Chromium: keys, sorting, light and dark, nothing fetched, no script
# error. A tier of its own, since Debian's chromium is large: apt-get install chromium.
#   tests/browser/html.sh [folder for screenshots]
set -euo pipefail
cd "$(dirname "$0")/../.."
takt=${TAKT:-build/takt}
command -v chromium >/dev/null || { echo "skipped: no chromium"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shots=${1:-}
flags=(--headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile")

cat >"$work/check.js" <<'JS'
(function () {
  const faults = [];
  const expect = (fine, what) => { if (!fine) faults.push(what); };
  addEventListener('error', (e) => faults.push('script error: ' + e.message));
  const key = (k) => document.dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true }));
  const row = () => document.activeElement && document.activeElement.closest('tbody tr');
  if (!document.querySelector('#units tbody tr')) {
    document.title = faults.length ? faults.join('; ') : 'ALL FINE';
    return; /* nothing was busy */
  }
  key('1');
  expect(row() && row().closest('section').id === 'units', '1 goes to the units');
  const first = row();
  key('j');
  expect(row() === first.nextElementSibling, 'j goes down');
  key('ArrowUp');
  expect(row() === first, 'up goes up');
  const before = getComputedStyle(document.body).backgroundColor;
  key('t');
  expect(getComputedStyle(document.body).backgroundColor !== before, 't changes light and dark');
  document.getElementById('theme').click();
  expect(getComputedStyle(document.body).backgroundColor === before, 'the button changes it back');
  const units = document.querySelector('#units table');
  const busy = () => Array.from(units.tBodies[0].rows).map((r) => Number(r.cells[3].dataset.v));
  units.tHead.rows[0].cells[3].querySelector('button').click();
  let b = busy();
  expect(b.every((x, i) => i === 0 || b[i - 1] >= x), 'a head sorts down');
  units.tHead.rows[0].cells[3].querySelector('button').click();
  b = busy();
  expect(b.every((x, i) => i === 0 || b[i - 1] <= x), 'and up');
  const go = document.querySelector('#statements tbody tr[data-go]');
  if (go) {
    go.tabIndex = 0;
    go.focus();
    key('Enter');
    expect(row() && row().id === go.dataset.go, 'Enter goes to the source line');
  }
  expect(performance.getEntriesByType('resource').length === 0, 'nothing is fetched');
  expect(document.documentElement.scrollWidth <= innerWidth, 'the page does not scroll sideways');
  document.title = faults.length ? 'FAULTS: ' + faults.join('; ') : 'ALL FINE';
})();
JS

status=0
for program in examples/*/*; do
    case $program in *.vsm | *.amx) ;; *) continue ;; esac
    name=$(basename "$program")
    "$takt" run "$program" --trace "$work/$name.db" --quiet 2>/dev/null || continue
    "$takt" export "$work/$name.db" --format html --output "$work/$name.html"
    size=$(stat -c %s "$work/$name.html")
    { sed 's#</body>#<script>#; s#</html>##' "$work/$name.html"; cat "$work/check.js"
      echo '</script></body></html>'; } >"$work/checked.html"
    title=$(chromium "${flags[@]}" --window-size=1280,900 --dump-dom "file://$work/checked.html" \
            2>/dev/null | sed -n 's#.*<title>\(.*\)</title>.*#\1#p' | head -1)
    echo "$name: $size bytes: $title"
    [ "$title" = "ALL FINE" ] && [ "$size" -lt 2000000 ] || status=1
    if [ -n "$shots" ]; then
        mkdir -p "$shots"
        chromium "${flags[@]}" --window-size=1280,3200 --screenshot="$shots/$name.png" \
            "file://$work/$name.html" 2>/dev/null
    fi
done
exit $status
