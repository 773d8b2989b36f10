/* points: the designs of a sweep by two quantities with their front, and totals over each parameter. */
document.addEventListener('DOMContentLoaded', () => {
  const data = JSON.parse(document.getElementById('sweep').textContent);
  const { names } = data;
  const short = (v) =>
    v === null
      ? ''
      : Math.abs(v) >= 1e6
        ? v.toExponential(2)
        : v.toLocaleString('en-US', { maximumSignificantDigits: 6 });
  const axis = (side, label) =>
    Object.assign(takt.cycleAxis(side), {
      label,
      labelSize: 20,
      labelFont: '11px system-ui, sans-serif',
      incrs: undefined,
      size: side === 3 ? 62 : 30,
      space: side === 3 ? 30 : 70,
      values: (u, splits) => splits.map(short),
    });
  const follow = (chart, plot, height) => {
    new ResizeObserver(() => {
      if (plot.clientWidth) chart.setSize({ width: plot.clientWidth, height });
    }).observe(plot);
    addEventListener('takt:theme', () => chart.redraw(false));
  };

  /* Rows of x that are shared by all series, ascending, as uPlot takes them. */
  function joined(...lists) {
    const xs = Array.from(new Set(lists.flat().map((p) => p.x))).sort((a, b) => a - b);
    const at = new Map(xs.map((x, i) => [x, i]));
    return lists.map((list) => {
      const ys = new Array(xs.length).fill(null);
      list.forEach((p) => {
        const i = at.get(p.x);
        if (ys[i] === null || p.y < ys[i]) ys[i] = p.y;
      });
      return { xs, ys };
    });
  }

  const box = document.querySelector('.front');
  if (box && data.front.length) {
    const front = data.front.map((p) => ({ ...p, x: p[names.x], y: p[names.y] }));
    const plot = takt.element('div', { className: 'plot' }),
      legend = takt.element('div', { className: 'legend' }, 'Point at a dot of the front for its design; the others are small.');
    box.append(plot, legend);
    /* Of designs with the same x, dots lie above each other: they are drawn by hand. */
    const cloud = (u) => {
      u.ctx.save();
      u.ctx.fillStyle = takt.colour('flight');
      data.cloud.forEach((p) => {
        const x = u.valToPos(p.a, 'x', true),
          y = u.valToPos(p.b, 'y', true);
        u.ctx.fillRect(x - 2, y - 2, 4, 4);
      });
      u.ctx.restore();
    };
    const range = (values) => {
      const low = Math.min(...values),
        high = Math.max(...values),
        side = (high - low || Math.abs(high) || 1) * 0.05;
      return [low - side, high + side];
    };
    const [line] = joined(front);
    const chart = new uPlot(
      {
        width: plot.clientWidth || 600,
        height: 340,
        padding: [8, 30, 0, 0],
        legend: { show: false },
        scales: {
          x: { time: false, range: range(front.concat(data.cloud).map((p) => p.a ?? p.x)) },
          y: { range: range(front.concat(data.cloud).map((p) => p.b ?? p.y)) },
        },
        axes: [axis(2, names.x), axis(3, names.y)],
        series: [
          {},
          {
            stroke: () => takt.colour('line1'),
            width: 1.5,
            paths: uPlot.paths.stepped({ align: 1 }),
            points: { show: true, size: 9, fill: () => takt.colour('line1') },
          },
        ],
        cursor: { drag: { x: false, y: false }, y: false },
        hooks: {
          drawAxes: [cloud],
          setCursor: [
            (u) => {
              const p = u.cursor.idx === null ? null : front.find((f) => f.x === line.xs[u.cursor.idx]);
              if (!p) return;
              legend.textContent = Object.entries(p)
                .filter(([name]) => name !== 'x' && name !== 'y')
                .map(([name, v]) => `${name} ${typeof v === 'number' ? short(v) : v}`)
                .join(', ');
            },
          ],
        },
      },
      [line.xs, line.ys],
      plot,
    );
    follow(chart, plot, 340);
  } else if (box) {
    box.remove();
  }

  /* Least, mean and greatest of each value, in its order. */
  const totals = document.querySelector('.totals');
  const parameters = Array.from(new Set(data.totals.map((t) => t.parameter)));
  parameters.slice(0, 12).forEach((parameter) => {
    const rows = data.totals.filter((t) => t.parameter === parameter);
    const plot = takt.element('div', { className: 'plot' });
    totals.append(
      takt.element(
        'div',
        { className: 'chart' },
        takt.element('h3', { textContent: `${parameter}: ${names.by}, least, mean, greatest` }),
        plot,
      ),
    );
    const place = axis(2, '');
    place.incrs = [1];
    place.labelSize = 0;
    place.size = 26;
    delete place.label;
    place.values = (u, splits) =>
      splits.map((v) => (Number.isInteger(v) && rows[v] ? String(rows[v].value ?? '-') : ''));
    const series = ['least', 'mean', 'greatest'].map((name) => ({
      stroke: () => takt.colour(name === 'mean' ? 'line0' : 'flight'),
      width: name === 'mean' ? 2 : 1,
      points: { show: true, size: 6 },
    }));
    const chart = new uPlot(
      {
        width: plot.clientWidth || 600,
        height: 150,
        padding: [8, 30, 0, 0],
        legend: { show: false },
        scales: { x: { time: false, range: [-0.5, rows.length - 0.5] } },
        axes: [place, axis(3, '')],
        series: [{}, ...series],
        cursor: { show: false },
      },
      [rows.map((_, i) => i), ...['least', 'mean', 'greatest'].map((n) => rows.map((r) => r[n]))],
      plot,
    );
    follow(chart, plot, 150);
  });
});
