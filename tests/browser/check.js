/* Appended to a page: uses it as a reader would, and leaves what went wrong in the title. */
(async function () {
  const faults = [];
  const expect = (fine, what) => {
    if (!fine) faults.push(what);
  };
  addEventListener('error', (e) => faults.push(`script error: ${e.message}`));
  addEventListener('securitypolicyviolation', (e) => faults.push(`refused: ${e.blockedURI}`));
  const pause = () => new Promise((go) => setTimeout(go, 120));
  const key = (on, k) =>
    on.dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true, cancelable: true }));
  const mouse = (on, type, x, y, more) =>
    on.dispatchEvent(
      new MouseEvent(type, {
        bubbles: true,
        cancelable: true,
        clientX: x,
        clientY: y,
        button: 0,
        ...more,
      }),
    );
  const near = (a, b, by) => Math.abs(a - b) <= by;
  const { view, gantts, runs } = takt;

  function tables() {
    const row = () => document.activeElement && document.activeElement.closest('tbody tr');
    const sections = Array.from(document.querySelectorAll('main section'));
    const number = sections.findIndex((s) => s.id === 'units');
    const units = document.querySelector('#units table');
    if (!units || !units.tBodies[0].rows.length || units.tHead.rows[0].cells.length < 4)
      return; /* nothing was busy, or two runs */
    key(document, String(number + 1));
    expect(row() && row().closest('section').id === 'units', 'a digit goes to a section');
    const first = row();
    if (units.tBodies[0].rows.length > 1) {
      key(document, 'j');
      expect(row() === first.nextElementSibling, 'j goes down');
      key(document, 'ArrowUp');
      expect(row() === first, 'up goes up');
    }
    const busy = () => Array.from(units.tBodies[0].rows, (r) => Number(r.cells[3].dataset.v));
    units.tHead.rows[0].cells[3].querySelector('button').click();
    expect(
      busy().every((x, i, all) => i === 0 || all[i - 1] >= x),
      'a head sorts down',
    );
    units.tHead.rows[0].cells[3].querySelector('button').click();
    expect(
      busy().every((x, i, all) => i === 0 || all[i - 1] <= x),
      'and up',
    );
    const go = document.querySelector('#statements tbody tr[data-go]');
    if (go) {
      go.tabIndex = 0;
      go.focus();
      key(document, 'Enter');
      expect(row() && row().id === go.dataset.go, 'Enter goes to the source line');
    }
  }

  async function theme() {
    const canvas = document.querySelector('.gantt canvas');
    const picture = () => (canvas ? canvas.toDataURL() : '');
    const colour = () => getComputedStyle(document.body).backgroundColor;
    const before = [colour(), picture()];
    key(document, 't');
    await pause();
    expect(colour() !== before[0], 't changes light and dark');
    expect(!canvas || picture() !== before[1], 'and the picture');
    document.getElementById('theme').click();
    await pause();
    expect(colour() === before[0] && picture() === before[1], 'the button changes both back');
  }

  async function zoom(gantt) {
    const over = gantt.chart.over;
    over.scrollIntoView({ block: 'center' });
    const box = over.getBoundingClientRect();
    const whole = view.max - view.min;
    if (whole < 20) return;
    const y = box.top + 5;
    const at = (share) => box.left + share * box.width;
    over.dispatchEvent(
      new WheelEvent('wheel', {
        bubbles: true,
        cancelable: true,
        ctrlKey: true,
        deltaY: -200,
        clientX: at(0.5),
        clientY: y,
      }),
    );
    await pause();
    expect(near(view.to - view.from, whole * Math.exp(-0.6), whole / 50), 'Ctrl and wheel zoom');
    expect(near((view.from + view.to) / 2, view.min + whole / 2, whole / 50), 'around the pointer');
    gantt.plot.focus();
    key(gantt.plot, '0');
    await pause();
    expect(view.from === view.min && view.to === view.max, '0 shows all');
    mouse(over, 'mousedown', at(0.25), y);
    mouse(over, 'mousemove', at(0.4), y, { movementX: 9 });
    mouse(over, 'mousemove', at(0.5), y, { movementX: 9 });
    mouse(document, 'mouseup', at(0.5), y);
    await pause();
    expect(
      near(view.from, view.min + whole / 4, whole / 50) &&
        near(view.to, view.min + whole / 2, whole / 50),
      `dragging zooms: ${view.from} ${view.to}`,
    );
    expect(
      gantts.every((g) => !g || g.chart.scales.x.min === view.from),
      'all pictures follow',
    );
    const from = view.from;
    key(gantt.plot, 'ArrowRight');
    await pause();
    expect(view.from > from, 'an arrow pans');
    expect(gantt.range.textContent.includes(' of '), 'the range says that it is a part');
    mouse(over, 'dblclick', at(0.5), y);
    await pause();
    expect(view.from === view.min && view.to === view.max, 'a double click shows all');
  }

  async function fold(gantt, run) {
    const used = run.groups.filter((g) => g.used);
    const lines = () => gantt.lines.filter((l) => l.kind === 'unit').length;
    expect(lines() === used.length, 'equal units are one line');
    const many = used.find((g) => g.units.length > 1);
    if (!many) return;
    const height = gantt.chart.height;
    gantt.labels.querySelector('button').click();
    await pause();
    expect(lines() === used.length + many.units.length - 1, 'a name unfolds its units');
    expect(gantt.chart.height > height, 'and the picture grows');
    gantt.foldAll.click();
    await pause();
    expect(lines() === used.length && gantt.chart.height === height, 'and folds them again');
  }

  async function point(gantt, run) {
    const line = gantt.lines.find((l) => l.kind === 'unit' && l.count);
    if (!line) return;
    const over = gantt.chart.over;
    const box = over.getBoundingClientRect();
    const [a, b] = line.span(line.count >> 1);
    const x = box.left + (((a + b) / 2 - view.from) / (view.to - view.from)) * box.width;
    mouse(over, 'mousemove', x, box.top + line.y + line.height / 2);
    expect(gantt.details.textContent.includes('cycles'), 'pointing describes');
    expect(gantt.details.textContent.includes(line.unit.name), 'the unit');
    mouse(over, 'mouseleave', x, box.top);
    expect(!gantt.details.textContent.includes('unit'), 'leaving does not');
    gantt.plot.focus();
    key(gantt.plot, 'ArrowDown');
    expect(gantt.pinned && gantt.pointed, 'an arrow chooses a line');
    const first = gantt.pointed;
    key(gantt.plot, 'ArrowDown');
    expect(gantt.pointed.line !== first.line || gantt.lines.length === 1, 'the next one');
    if (gantt.pointed.line.count > 1) {
      const i = gantt.pointed.i;
      key(gantt.plot, i + 1 < gantt.pointed.line.count ? ']' : '[');
      expect(gantt.pointed.i !== i, 'brackets choose an item');
    }
    key(gantt.plot, 'Escape');
    expect(!gantt.pointed, 'Escape lets go');
    if (!run.hasStatements) return;
    gantt.modes[1].click();
    await pause();
    expect(gantt.area && gantt.area.places.length > 0, 'statements have lines');
    const places = gantt.area.places;
    expect(
      places.every((p, i) => i === 0 || run.statements[places[i - 1]].id < run.statements[p].id),
      'in the order of the program',
    );
    gantt.modes[0].click();
    await pause();
  }

  /* The table has what its cycles hold. */
  async function table(gantt) {
    gantt.table.open = true;
    await pause();
    const rows = Array.from(gantt.table.querySelectorAll('tbody tr'));
    const all = gantt.lines.reduce((sum, line) => sum + line.count, 0);
    expect(rows.length === Math.min(all, 200), `the table has ${rows.length} of ${all} items`);
    rows.forEach((r) => {
      const [from, to, cycles] = [1, 2, 3].map((i) =>
        Number(r.cells[i].textContent.replace(/,/g, '')),
      );
      expect(
        to - from === cycles && to > view.from && from < view.to,
        `cycles of a row: ${r.textContent}`,
      );
    });
    gantt.table.open = false;
  }

  try {
    tables();
    await theme();
    for (const [i, gantt] of gantts.entries()) {
      if (!gantt) continue;
      await zoom(gantt);
      await fold(gantt, runs[i]);
      await point(gantt, runs[i]);
      await table(gantt);
    }
    expect(gantts.length === EXPECTED_RUNS, 'every run has a picture');
    expect(performance.getEntriesByType('resource').length === 0, 'nothing is fetched');
    expect(document.documentElement.scrollWidth <= innerWidth, 'the page does not scroll sideways');
  } catch (e) {
    faults.push(`thrown: ${e.stack}`);
  }
  document.title = faults.length ? `FAULTS: ${faults.slice(0, 6).join('; ')}` : 'ALL FINE';
})();
