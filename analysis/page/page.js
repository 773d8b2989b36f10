/* page: tables that sort, keys, light and dark, and the pictures of the runs in this page. */
(function () {
  const root = document.documentElement;
  const rowsOf = (t) => Array.from(t.tBodies[0].rows);
  function theme() {
    const dark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    dispatchEvent(new Event('takt:theme'));
  }
  document.getElementById('theme').addEventListener('click', theme);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
    dispatchEvent(new Event('takt:theme')),
  );
  /* What this run has nothing of. */
  document.querySelectorAll('nav a').forEach((a) => {
    a.hidden = !document.getElementById(a.hash.slice(1));
  });
  document.querySelectorAll('table').forEach((t) => {
    rowsOf(t).forEach((r) => {
      r.tabIndex = -1;
    });
    if (t.tBodies[0].rows.length) t.tBodies[0].rows[0].tabIndex = 0;
    Array.from(t.tHead.rows[0].cells).forEach((th, i) => {
      const b = document.createElement('button');
      b.textContent = th.textContent;
      b.title = 'sort by ' + th.textContent;
      th.textContent = '';
      th.append(b);
      b.addEventListener('click', () => {
        const down = th.getAttribute('aria-sort') !== 'descending';
        Array.from(t.tHead.rows[0].cells).forEach((x) => x.removeAttribute('aria-sort'));
        th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const key = (r) =>
          r.cells[i].dataset.v === undefined
            ? r.cells[i].textContent
            : Number(r.cells[i].dataset.v);
        const rows = rowsOf(t).sort((a, b2) => {
          const x = key(a),
            y = key(b2);
          const c =
            typeof x === 'number' && typeof y === 'number'
              ? x - y
              : String(x).localeCompare(String(y));
          return down ? -c : c;
        });
        t.tBodies[0].append(...rows);
      });
    });
  });
  const sections = Array.from(document.querySelectorAll('main section'));
  function focusRow(r) {
    if (!r) return;
    rowsOf(r.closest('table')).forEach((x) => {
      x.tabIndex = -1;
    });
    r.tabIndex = 0;
    r.focus();
    r.scrollIntoView({ block: 'nearest' });
  }
  function section(i) {
    const s = sections[i];
    if (!s) return;
    s.scrollIntoView();
    const r = s.querySelector('tbody tr');
    if (r) {
      r.tabIndex = 0;
      r.focus({ preventScroll: true });
    }
  }
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const row = document.activeElement && document.activeElement.closest('tbody tr');
    if (e.key === 'j' || e.key === 'ArrowDown') {
      if (row) focusRow(row.nextElementSibling);
      else section(0);
    } else if (e.key === 'k' || e.key === 'ArrowUp') {
      if (row) focusRow(row.previousElementSibling);
    } else if (e.key === 'Enter' && row && row.dataset.go) {
      focusRow(document.getElementById(row.dataset.go));
    } else if (e.key === 't') {
      theme();
    } else if (e.key >= '1' && e.key <= '9') {
      section(Number(e.key) - 1);
    } else {
      return;
    }
    e.preventDefault();
  });

  /* Runs of one page share the cycles that are shown. */
  const elements = Array.from(document.querySelectorAll('script.run'));
  takt.runs = elements.map(takt.readRun);
  const shown = takt.runs.filter((run) => run.to > run.from);
  takt.view = shown.length
    ? new takt.View(Math.min(...shown.map((r) => r.from)), Math.max(...shown.map((r) => r.to)))
    : null;
  takt.gantts = takt.runs.map((run, i) => {
    const box = takt.element('div', { className: 'gantt' });
    elements[i].after(box);
    if (takt.runs.length > 1) box.append(takt.element('h3', { textContent: run.name }));
    if (!shown.includes(run)) {
      box.append(takt.element('p', { textContent: 'No cycle was recorded.' }));
      return null;
    }
    return new takt.Gantt(run, takt.view, box);
  });
  if (takt.runs.length === 1 && shown.length) {
    const box = takt.element(
      'div',
      { className: 'chart' },
      takt.element('h3', { textContent: 'Busy share' }),
    );
    document.getElementById('time').append(box);
    takt.utilisation(shown[0], takt.view, box);
    const roofline = document.getElementById('roofline');
    if (roofline) takt.roofline(shown[0], roofline);
  }
})();
