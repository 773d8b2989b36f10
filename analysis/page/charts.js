/* charts: utilisation over time, and the roofline. */
(function () {
  const BINS = 90,
    SERIES = 6;

  /* Busy share of each of BINS parts of the view. */
  function binned(track, view) {
    const width = (view.to - view.from) / BINS,
      busy = new Float64Array(BINS);
    const spread = (from, to, weight) => {
      for (let k = Math.max(0, Math.floor((from - view.from) / width)); k < BINS; k++) {
        const low = view.from + k * width,
          high = low + width;
        if (low >= to) break;
        busy[k] += Math.max(0, Math.min(to, high) - Math.max(from, low)) * weight;
      }
    };
    if (track && track.exact) {
      for (
        let i = takt.firstBehind(track.end, view.from);
        i < track.count && track.start[i] < view.to;
        i++
      )
        if (track.busyReason[track.reason[i]]) spread(track.start[i], track.end[i], 1);
    } else if (track) {
      for (
        let i = Math.max(0, Math.floor((view.from - track.from) / track.step));
        i < track.count && track.from + i * track.step < view.to;
        i++
      )
        spread(
          track.from + i * track.step,
          track.from + (i + 1) * track.step,
          track.busy[i] / track.step,
        );
    }
    return Array.from(busy, (b) => Math.min(1, b / width));
  }

  /* The busiest groups of equal units, one of each. */
  takt.utilisation = function (run, view, box) {
    const groups = run.groups
      .filter((g) => g.units[0].busy > 0 && g.units[0].track)
      .sort((a, b) => b.units[0].busy - a.units[0].busy)
      .slice(0, SERIES);
    if (!groups.length) return;
    groups.forEach((g) => {
      const { track } = g.units[0];
      track.busyReason = [];
      run.reasons.forEach((r) => {
        track.busyReason[r.id] = r.state === 0;
      });
    });
    const x = () =>
      Array.from(
        { length: BINS + 1 },
        (_, k) => view.from + ((view.to - view.from) * k) / BINS,
      );
    groups.forEach((g, i) => multiple(g, i === groups.length - 1, x, view, box));
  };

  /* One of several small charts below each other, with one scale; the last has the cycles. */
  function multiple(group, last, x, view, box) {
    const height = last ? 86 : 56;
    const name = group.units[0].name + (group.units.length > 1 ? ` x${group.units.length}` : '');
    const plot = takt.element('div', { className: 'plot' });
    box.append(
      takt.element(
        'div',
        { className: 'multiple' },
        takt.element('span', { className: 'name', title: name, textContent: name }),
        plot,
      ),
    );
    const data = () => {
      const b = binned(group.units[0].track, view);
      return [x(), [...b, b[BINS - 1]]];
    };
    const chart = new uPlot(
      {
        width: plot.clientWidth || 600,
        height,
        padding: [8, 30, 4, 0],
        legend: { show: false },
        scales: { x: { time: false }, y: { range: [0, 1] } },
        axes: [
          last ? takt.cycleAxis(2) : Object.assign(takt.cycleAxis(2), { size: 0, values: () => [] }),
          Object.assign(takt.cycleAxis(3), {
            size: 44,
            incrs: [0.5, 1],
            space: 12,
            values: (u, s) => s.map((v) => (v === 0.5 ? '' : `${Math.round(100 * v)} %`)),
          }),
        ],
        series: [
          {},
          {
            stroke: () => takt.colour('busy'),
            fill: () => takt.colour('busy') + '40',
            width: 1.5,
            points: { show: false },
            paths: uPlot.paths.stepped({ align: 1 }),
          },
        ],
        cursor: {
          y: false,
          points: { show: false },
          drag: { x: true, y: false, dist: 4 },
          sync: { key: 'takt' },
        },
        hooks: { setScale: [takt.lead(view)] },
      },
      data(),
      plot,
    );
    view.listen(() => {
      chart.setData(data(), false);
      chart.setScale('x', { min: view.from, max: view.to });
    });
    takt.steer(plot, view, (at) => {
      const r = chart.over.getBoundingClientRect();
      return view.from + ((at - r.left) / r.width) * (view.to - view.from);
    });
    new ResizeObserver(() => {
      if (plot.clientWidth) chart.setSize({ width: plot.clientWidth, height });
    }).observe(plot);
    addEventListener('takt:theme', () => chart.redraw(false));
  }

  /* Rate over operations a byte; memory's slope, arithmetic's roof, and where the run is. */
  takt.roofline = function (run, box) {
    /* The table rounds; here the figures are as exact as its sources. */
    const memory = run.units.filter((u) => u.kind === 'dram');
    const slope = memory.reduce((sum, u) => sum + u.width * u.instances * 8, 0) * run.clock * 1e-12;
    const all = run.roofline.reduce((sum, r) => sum + r.flops, 0);
    const rows = run.roofline
      .filter((r) => r.flops > 0 && r.peak_tflops > 0 && r.memory_bytes > 0 && slope > 0)
      .map((r) => ({
        ...r,
        intensity: all / r.memory_bytes,
        tflops: (1e-12 * r.flops * run.clock) / run.cycles,
      }));
    if (!rows.length) return;
    const corners = rows.map((r) => r.peak_tflops / slope);
    const low = Math.min(rows[0].intensity, ...corners) / 10,
      high = Math.max(rows[0].intensity, ...corners) * 10;
    const x = Array.from({ length: 161 }, (_, i) => low * (high / low) ** (i / 160));
    const at = x.findIndex((v) => v >= rows[0].intensity);
    x[at] = rows[0].intensity;
    const roofs = rows.map((r) => x.map((v) => Math.min(v * slope, r.peak_tflops)));
    const points = rows.map((r) => x.map((_, i) => (i === at ? r.tflops : null)));
    const plot = takt.element('div', { className: 'plot' }),
      legend = takt.element('div', { className: 'legend' });
    const figure = takt.element('div', { className: 'chart' }, plot, legend);
    box.insertBefore(figure, box.querySelector('.scroll'));
    const short3 = (v) => Number(v.toPrecision(3));
    const decade = (v) => v !== null && Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-6;
    const decades = (u, splits) => splits.map((v) => (decade(v) ? v : null));
    const short = (v) =>
      v > 1e5 || v < 1e-3 ? v.toExponential(0) : String(Number(v.toPrecision(1)));
    const axis = (side, label) =>
      Object.assign(takt.cycleAxis(side), {
        incrs: undefined,
        label,
        labelSize: 20,
        labelFont: '11px system-ui, sans-serif',
        size: side === 3 ? 52 : 30,
        space: 40,
        grid: { ...takt.cycleAxis(side).grid, filter: decades },
        ticks: { ...takt.cycleAxis(side).ticks, filter: decades },
        values: (u, s) => s.map((v) => (decade(v) ? short(v) : '')),
      });
    const chart = new uPlot(
      {
        width: plot.clientWidth || 600,
        height: 260,
        padding: [8, 30, 0, 0],
        pxAlign: 0,
        legend: { show: false },
        scales: { x: { time: false, distr: 3 }, y: { distr: 3 } },
        axes: [axis(2, 'operations a byte'), axis(3, '10\u00b9\u00b2 operations a second')],
        series: [
          {},
          ...rows.map((_, i) => ({
            stroke: () => takt.colour(`line${i % 6}`),
            width: 1.5,
            pxAlign: 0,
            points: { show: false },
          })),
          ...rows.map((_, i) => ({
            stroke: () => takt.colour(`line${i % 6}`),
            points: { show: true, size: 9, fill: () => takt.colour(`line${i % 6}`) },
          })),
        ],
        cursor: { show: false },
      },
      [x, ...roofs, ...points],
      plot,
    );
    rows.forEach((r, i) => {
      const key = takt.element('i', {});
      key.style.background = `var(--line${i % 6})`;
      legend.append(
        takt.element(
          'span',
          {},
          key,
          `${r.precision}: ${short3(r.tflops)} of ${short3(Math.min(r.peak_tflops, r.intensity * slope))} ` +
            `that the roof allows at ${short3(r.intensity)} operations a byte`,
        ),
      );
    });
    new ResizeObserver(() => {
      if (plot.clientWidth) chart.setSize({ width: plot.clientWidth, height: 260 });
    }).observe(plot);
    addEventListener('takt:theme', () => chart.redraw(false));
  };
})();
