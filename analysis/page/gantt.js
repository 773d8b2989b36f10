/* gantt: one run by cycles, in a canvas that uPlot keeps: the critical path, transfers, and units or
 * statements; what the pointer or the keys point at; and the same as a table. */
(function () {
  const GAP = 3,
    STATEMENTS_HEIGHT = 420,
    ROW_MOST = 16,
    LABEL_LEAST = 11;

  takt.Gantt = class {
    constructor(run, view, box) {
      Object.assign(this, {
        run,
        view,
        box,
        mode: 'units',
        open: new Set(),
        lines: [],
        pointed: null,
        pinned: false,
      });
      this.fixed = [
        ...(run.critical.length ? [takt.pathLine(run)] : []),
        ...takt.transferLines(run),
      ];
      this.build();
      this.layOut();
      this.tell();
      view.listen(() => this.moved());
      new ResizeObserver(() => this.resize()).observe(this.plot);
      addEventListener('takt:theme', () => this.chart.redraw(false));
    }

    /* --- the parts of the page ------------------------------------------------------------------ */

    build() {
      const el = takt.element;
      const button = (text, title, act) => {
        const b = el('button', { type: 'button', textContent: text, title });
        b.addEventListener('click', act);
        return b;
      };
      this.modes = ['units', 'statements'].map((mode) =>
        button(mode, `lines are ${mode}`, () => this.setMode(mode)),
      );
      this.foldAll = button('unfold all', 'every unit by itself', () => this.toggleAll());
      this.range = el('output', { className: 'range' });
      const view = this.view;
      const bar = el(
        'div',
        { className: 'bar' },
        el('span', { className: 'group' }, ...this.modes),
        this.foldAll,
        el(
          'span',
          { className: 'group' },
          button('-', 'zoom out (-)', () => view.zoom(1.5)),
          button('+', 'zoom in (+)', () => view.zoom(1 / 1.5)),
          button('all', 'the whole run (0)', () => view.whole()),
        ),
        this.range,
      );
      this.labels = el('div', { className: 'labels' });
      this.plot = el('div', { className: 'plot', tabIndex: 0 });
      this.plot.setAttribute('role', 'application');
      this.plot.setAttribute(
        'aria-label',
        `Gantt of ${this.run.name}; arrows, plus and minus move in time, up and down choose ` +
          'a line, brackets an item; the table below has the same',
      );
      this.mark = el('div', { className: 'mark', hidden: true });
      this.details = el('div', { className: 'details' });
      this.details.setAttribute('aria-live', 'polite');
      this.table = el(
        'details',
        { className: 'shown' },
        el('summary', { textContent: 'These cycles as a table' }),
      );
      this.table.addEventListener('toggle', () => this.fillTable());
      this.box.append(
        bar,
        el('div', { className: 'frame' }, this.labels, this.plot),
        this.legend(),
        this.details,
        this.table,
        el('p', { className: 'note', textContent: this.note() }),
      );
      this.chart = this.makeChart();
      this.chart.over.append(this.mark);
      this.events();
    }

    legend() {
      const entry = (colour, text, title) => {
        const key = takt.element('i', {});
        key.style.background = `var(--${colour})`;
        return takt.element('span', { title }, key, text);
      };
      const met = new Set(
        this.run.units.flatMap((u) =>
          u.track && u.track.reason ? Array.from(new Set(u.track.reason)) : [],
        ),
      );
      this.run.critical.forEach((c) => met.add(c.reason));
      const waiting = this.run.reasons.filter((r) => r.state === 1 && met.has(r.id));
      return takt.element(
        'div',
        { className: 'legend' },
        entry('busy', 'busy', 'the unit does work'),
        ...waiting.map((r) => entry(takt.reasonColour(this.run, r.id), r.phrase, r.text)),
        ...(this.run.transfers.length
          ? [entry('flight', 'transfer in flight', 'from its start to its completion')]
          : []),
        ...(this.run.critical.length
          ? [entry('path', 'critical path', 'what would have to be shorter for an earlier end')]
          : []),
      );
    }

    /* What is shown, where that is not all. */
    note() {
      const run = this.run,
        said = [];
      const windows = run.units.find((u) => u.track && !u.track.exact);
      if (run.to - run.from < run.cycles)
        said.push(
          `Cycles ${takt.number(run.from)} to ${takt.number(run.to)} of ${takt.number(run.cycles)}.`,
        );
      if (!run.intervals)
        said.push(
          'The trace has no intervals (takt run --detail): units are shown by their busy share, statements by their transfers.',
        );
      else if (windows)
        said.push(
          `More intervals than a page holds: some units are shown by windows of ${takt.number(windows.track.step)} cycles. ` +
            'takt export --format html --window A:B shows fewer cycles exactly.',
        );
      if (run.cycles > Number.MAX_SAFE_INTEGER)
        said.push(
          `Cycles beyond ${takt.number(Number.MAX_SAFE_INTEGER)} are rounded here; takt report has each digit.`,
        );
      const idle = run.groups.filter((g) => !g.used).reduce((sum, g) => sum + g.units.length, 0);
      if (idle)
        said.push(
          `${takt.number(idle)} of ${takt.number(run.units.length)} units are never busy and have no line.`,
        );
      run.cut.forEach(([what, count]) =>
        said.push(
          `The first ${takt.number(count)} ${what === 'critical' ? 'pieces of the critical path' : what}.`,
        ),
      );
      said.push(
        'Drag to zoom, double click for all; Ctrl and wheel zoom, Shift and wheel or drag pan; click keeps what is described.',
      );
      return said.join(' ');
    }

    makeChart() {
      const { run, view } = this;
      return new uPlot(
        {
          width: this.plot.clientWidth || 600,
          height: 100,
          padding: [0, 30, 0, 20],
          legend: { show: false },
          scales: { x: { time: false }, y: { range: [0, 1] } },
          axes: [takt.cycleAxis(0), { show: false }],
          series: [{}, { show: false }],
          cursor: {
            y: false,
            points: { show: false },
            drag: { x: true, y: false, dist: 4 },
            sync: { key: 'takt' },
          },
          hooks: { draw: [() => this.draw()], setScale: [takt.lead(view)] },
        },
        [
          [view.min, view.max],
          [null, null],
        ],
        this.plot,
      );
    }

    /* --- lines ---------------------------------------------------------------------------------- */

    unitLines() {
      return this.run.groups
        .filter((g) => g.used)
        .flatMap((g) => {
          const key = g.units[0].id,
            many = g.units.length > 1;
          if (!many) return [takt.unitLine(this.run, g.units[0], g.units[0].name)];
          if (!this.open.has(key))
            return [
              Object.assign(takt.unitLine(this.run, g.units[0], g.units[0].name), {
                times: ` x${g.units.length}`,
                fold: key,
                members: g.units,
              }),
            ];
          return g.units.map((u, i) =>
            Object.assign(
              takt.unitLine(this.run, u, u.name),
              i ? {} : { fold: key, unfolded: true },
            ),
          );
        });
    }

    /* Statements with something in these cycles, in the order of the program. */
    statementPlaces() {
      const index = this.run.index(),
        places = [];
      for (let i = 0; i < this.run.statements.length; i++)
        if (index.from[i] < this.view.to && index.to[i] > this.view.from) places.push(i);
      return places;
    }

    layOut() {
      let y = 4;
      const place = (line) => {
        line.y = y;
        y += line.height + (line.kind === 'transfer' ? 1 : GAP);
      };
      this.lines = this.fixed.slice();
      this.lines.forEach(place);
      y += this.fixed.length ? 6 : 0;
      this.area = null;
      if (this.mode === 'units') {
        const lines = this.unitLines();
        lines.forEach(place);
        this.lines.push(...lines);
      } else {
        const height = Math.min(STATEMENTS_HEIGHT, ROW_MOST * this.run.statements.length);
        this.area = { y, height };
        y += height;
      }
      this.height = y + 2;
      this.modes.forEach((b, i) => {
        b.hidden = !this.run.hasStatements;
      });
      this.modes.forEach((b, i) =>
        b.setAttribute('aria-pressed', String(this.mode === ['units', 'statements'][i])),
      );
      const folds = this.run.groups.filter((g) => g.used && g.units.length > 1);
      this.foldAll.hidden = this.mode !== 'units' || !folds.length;
      this.foldAll.textContent = this.open.size ? 'fold equal units' : 'unfold all';
      this.labels.classList.toggle('wide', Boolean(this.area));
      this.placeStatements();
      this.resize();
      this.moved();
    }

    /* As many statements as have something to show share the height. */
    placeStatements() {
      if (!this.area) return;
      const places = this.statementPlaces();
      const height = Math.min(ROW_MOST, this.area.height / Math.max(places.length, 1));
      Object.assign(this.area, { places, row: height });
      this.cache = new Map();
    }

    lineOfStatement(k) {
      if (!this.cache.has(k)) {
        const { y, row, places } = this.area;
        this.cache.set(
          k,
          Object.assign(takt.statementLine(this.run, places[k]), {
            y: y + k * row,
            height: Math.max(row - (row > 4 ? 2 : 0), 1),
            row: k,
          }),
        );
      }
      return this.cache.get(k);
    }

    lineAt(y) {
      const line = this.lines.find((l) => y >= l.y - 1 && y < l.y + l.height + 2);
      if (line || !this.area) return line;
      const k = Math.floor((y - this.area.y) / this.area.row);
      return k >= 0 && k < this.area.places.length ? this.lineOfStatement(k) : undefined;
    }

    setMode(mode) {
      this.mode = mode;
      this.point(null);
      this.layOut();
    }

    toggle(key) {
      if (!this.open.delete(key)) this.open.add(key);
      this.point(null);
      this.layOut();
    }

    toggleAll() {
      const folds = this.run.groups
        .filter((g) => g.used && g.units.length > 1)
        .map((g) => g.units[0].id);
      this.open = new Set(this.open.size ? [] : folds);
      this.point(null);
      this.layOut();
    }

    putLabels() {
      const el = takt.element;
      const top = this.chart.over.offsetTop;
      const shown = this.lines
        .filter((l) => l.label)
        .map((l) => {
          const title = [l.label, l.title].filter(Boolean).join('\n');
          const label =
            l.fold === undefined
              ? el('span', { textContent: l.label, title })
              : el(
                  'button',
                  { type: 'button', title },
                  el('span', { textContent: `${l.unfolded ? '\u25be' : '\u25b8'} ${l.label}` }),
                  l.times || '',
                );
          if (l.fold !== undefined) {
            label.setAttribute('aria-expanded', String(Boolean(l.unfolded)));
            label.addEventListener('click', () => this.toggle(l.fold));
          }
          label.style.top = `${top + l.y + l.height / 2}px`;
          return label;
        });
      if (this.area && this.area.row >= LABEL_LEAST) {
        this.area.places.forEach((at, k) => {
          const s = this.run.statements[at];
          const label = el(
            'a',
            { className: 'code', href: `#L${s.line}`, title: `${s.place} ${s.text}` },
            el('b', { textContent: s.line }),
            ` ${s.text}`,
          );
          label.style.top = `${top + this.area.y + (k + 0.5) * this.area.row}px`;
          shown.push(label);
        });
      } else if (this.area) {
        const label = el('span', {
          textContent: `${takt.number(this.area.places.length)} statements`,
        });
        label.style.top = `${top + this.area.y + 8}px`;
        shown.push(label);
      }
      this.labels.replaceChildren(...shown);
    }

    /* --- drawing -------------------------------------------------------------------------------- */

    draw() {
      const u = this.chart;
      if (!u) return;
      const pen = new takt.Pen(u),
        { ratio } = pen,
        top = u.bbox.top;
      u.ctx.save();
      u.ctx.beginPath();
      u.ctx.rect(u.bbox.left, top, u.bbox.width, u.bbox.height);
      u.ctx.clip();
      this.lines.forEach((line) => line.draw(pen, top + line.y * ratio, line.height * ratio));
      if (this.area) this.drawStatements(pen, top);
      this.drawPath(pen, top);
      u.ctx.restore();
    }

    drawStatements(pen, top) {
      const { places, row, y } = this.area;
      const index = this.run.index();
      const height = Math.max((row - (row > 4 ? 2 : 0)) * pen.ratio, 1);
      let last = -1;
      places.forEach((at, k) => {
        const y0 = top + (y + k * row) * pen.ratio;
        if (row * pen.ratio >= 1) {
          this.lineOfStatement(k).draw(pen, y0, height);
          return;
        }
        /* Many statements a pixel: from the first to the last of its cycles. */
        const x0 = Math.floor(pen.x(index.from[at])),
          x1 = Math.max(pen.x(index.to[at]), x0 + 1);
        const spot = Math.floor(y0) * 65536 + x0;
        if (spot === last && x1 - x0 <= 1) return;
        last = spot;
        pen.rect(x0, x1, y0, height, index.transfers.has(at) ? 'flight' : 'busy');
      });
    }

    /* Where the critical path runs: [cycle, cycle, statement or unit] in order of time. Within a run
     * of the path that statements of one unit share, each has its intervals. */
    *pathPieces() {
      for (const c of this.run.critical) {
        const till = c.start + c.duration;
        if (till <= this.view.from || c.start >= this.view.to) continue;
        const unit = this.run.unitOf.get(c.unit),
          track = unit && unit.track;
        if (!this.area) {
          yield [c.start, till, c.unit];
        } else if (!track || !track.exact || c.first_stmt === c.last_stmt) {
          yield [c.start, till, c.first_stmt];
        } else {
          let at = c.start;
          for (
            let i = takt.firstBehind(track.end, c.start);
            i < track.count && track.start[i] < till;
            i++
          ) {
            const end = Math.min(track.end[i], till);
            yield [at, end, track.stmt[i]];
            at = end;
          }
        }
      }
    }

    /* The critical path over the lines that it goes through. */
    drawPath(pen, top) {
      const { ctx, ratio } = pen,
        heights = new Map();
      if (this.area) {
        const { places, row, y } = this.area;
        places.forEach((at, k) =>
          heights.set(this.run.statements[at].id, y + (k + 1) * row - (row > 4 ? 1 : 0)),
        );
      } else {
        this.lines.forEach((l) => {
          if (l.unit) (l.members || [l.unit]).forEach((u) => heights.set(u.id, l.y + l.height + 1));
        });
      }
      ctx.strokeStyle = pen.colour('path');
      const thin = this.area && this.area.row < 6;
      ctx.lineWidth = thin ? ratio : 2 * ratio;
      ctx.globalAlpha = thin ? 0.5 : 1;
      ctx.beginPath();
      let going = false,
        lastX = -1,
        lastY = -1;
      for (const [from, to, on] of this.pathPieces()) {
        const height = heights.get(on);
        if (height === undefined) {
          going = false;
          continue;
        }
        const y = Math.round(top + height * ratio),
          x0 = pen.x(from),
          x1 = pen.x(to);
        if (going && y === lastY && x1 - lastX < 1) continue;
        if (going) ctx.lineTo(x0, y);
        else ctx.moveTo(x0, y);
        ctx.lineTo(x1, y);
        [going, lastX, lastY] = [true, x1, y];
      }
      ctx.stroke();
      ctx.globalAlpha = 1;
    }

    resize() {
      const width = this.plot.clientWidth,
        height = Math.round(this.height + 26);
      if (!this.chart || !width) return;
      if (this.chart.width !== width || this.chart.height !== height)
        this.chart.setSize({ width, height });
      else this.chart.redraw(false);
      this.labels.style.height = `${height}px`;
      this.putLabels();
      this.putMark();
    }

    /* The view has moved. */
    moved() {
      const { from, to, min, max } = this.view,
        n = (x) => takt.number(Math.round(x));
      const all = from === min && to === max;
      this.range.textContent = `cycles ${n(from)} to ${n(to)}${all ? '' : ` of ${n(max)}`}`;
      if (this.area) {
        this.placeStatements();
        this.putLabels();
        this.point(null);
      }
      this.putMark();
      this.chart.setScale('x', { min: from, max: to });
      this.fillTable();
    }

    /* --- pointing ------------------------------------------------------------------------------- */

    events() {
      const over = this.chart.over;
      const cycleAt = (x) =>
        this.view.from +
        ((x - over.getBoundingClientRect().left) / over.clientWidth) *
          (this.view.to - this.view.from);
      takt.steer(this.plot, this.view, cycleAt);
      const at = (e) => {
        const box = over.getBoundingClientRect();
        return this.hit(
          cycleAt(e.clientX),
          e.clientY - box.top,
          (3 / over.clientWidth) * (this.view.to - this.view.from),
        );
      };
      over.addEventListener('mousemove', (e) => {
        if (!this.pinned) this.point(at(e));
      });
      over.addEventListener('mouseleave', () => {
        if (!this.pinned) this.point(null);
      });
      over.addEventListener('click', (e) => {
        const hit = at(e);
        this.point(hit);
        this.pinned = Boolean(hit);
        this.details.classList.toggle('pinned', this.pinned);
      });
      this.plot.addEventListener('keydown', (e) => this.key(e));
    }

    hit(cycle, y, reach) {
      const line = this.lineAt(y);
      const i = line ? line.find(cycle, reach) : -1;
      return i >= 0 ? { line, i } : null;
    }

    key(e) {
      const p = this.pointed,
        all = this.area ? [...this.lines, ...this.area.places.map((_, k) => k)] : this.lines;
      const lineOf = (x) => (typeof x === 'number' ? this.lineOfStatement(x) : x);
      const step = { ArrowUp: -1, ArrowDown: 1 }[e.key],
        next = { '[': -1, ']': 1 }[e.key];
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (step) {
        const now = p ? all.findIndex((x) => lineOf(x) === p.line) : -1;
        let k = p ? now + step : step > 0 ? 0 : all.length - 1;
        while (all[k] !== undefined && lineOf(all[k]).count === 0) k += step;
        if (all[k] === undefined) return void e.preventDefault();
        const line = lineOf(all[k]);
        const cycle = p ? p.line.span(p.i)[0] : this.view.from;
        let i = line.find(cycle, 0);
        for (let t = 0; i < 0 && t < line.count; t++) if (line.span(t)[1] > cycle) i = t;
        this.pin({ line, i: i < 0 ? line.count - 1 : i });
      } else if (next && p && p.i + next >= 0 && p.i + next < p.line.count) {
        this.pin({ line: p.line, i: p.i + next });
      } else if (e.key === 'Escape') {
        this.pinned = false;
        this.point(null);
      } else if (e.key === 'Enter' && p) {
        const link = this.details.querySelector('a');
        if (link) link.click();
      } else if (!next) {
        return;
      }
      e.preventDefault();
      e.stopPropagation();
    }

    pin(hit) {
      const [from, to] = hit.line.span(hit.i),
        { view } = this;
      if (to <= view.from || from >= view.to)
        view.pan(((from + to) / 2 - (view.from + view.to) / 2) / (view.to - view.from));
      this.point(hit);
      this.pinned = true;
      this.details.classList.add('pinned');
    }

    point(hit) {
      if (hit && this.pointed && hit.line === this.pointed.line && hit.i === this.pointed.i) return;
      this.pointed = hit;
      if (!hit) this.pinned = false;
      this.details.classList.toggle('pinned', this.pinned);
      this.tell();
      this.putMark();
    }

    tell() {
      const hit = this.pointed,
        list = takt.element('dl', {});
      (hit ? hit.line.facts(hit.i) : []).forEach(([term, what]) =>
        list.append(
          takt.element(
            'div',
            {},
            takt.element('dt', { textContent: term }),
            takt.element('dd', {}, what),
          ),
        ),
      );
      this.details.replaceChildren(
        hit
          ? list
          : takt.element('p', {
              textContent:
                'Point at something, or choose with the arrow keys, to read about it here.',
            }),
      );
    }

    putMark() {
      const p = this.pointed,
        { from, to } = this.view;
      this.mark.hidden = !p;
      if (!p) return;
      const [a, b] = p.line.span(p.i),
        width = this.chart.over.clientWidth;
      const x = (cycle) =>
        Math.max(-2, Math.min(width + 2, ((cycle - from) / (to - from)) * width));
      Object.assign(this.mark.style, {
        left: `${x(a) - 1}px`,
        width: `${Math.max(x(b) - x(a), 1) + 2}px`,
        top: `${p.line.y - 1}px`,
        height: `${p.line.height + 2}px`,
      });
    }

    /* --- the same as a table -------------------------------------------------------------------- */

    fillTable() {
      if (!this.table.open) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        const places = this.area ? this.area.places.slice(0, takt.TABLE_ROWS) : [];
        const lines = [...this.lines, ...places.map((_, k) => this.lineOfStatement(k))];
        const summary = this.table.querySelector('summary');
        this.table.replaceChildren(summary, ...takt.itemsTable(lines, this.view));
      }, 80);
    }
  };
})();
