/* lines: the lines of a Gantt. Each has a label, and items in order of time:
 *
 *   { label, title, height, count, span(i) -> [from, to], find(cycle, reach) -> i or -1,
 *     facts(i) -> [[term, text or element], ...], draw(pen, y, height) }
 *
 * A pen draws in device pixels: pen.x(cycle), pen.rect(x0, x1, y, height, colour). */
(function () {
  const number = takt.number;
  const PALETTE = 12;

  /* Busy, each reason to wait, and the rest. */
  function colours(run) {
    const waiting = run.reasons.filter((r) => r.state === 1);
    return new Map(
      run.reasons.map((r) => [
        r.id,
        r.state === 0 ? 'busy' : r.state === 1 ? `wait${waiting.indexOf(r) % PALETTE}` : 'rest',
      ]),
    );
  }

  takt.reasonColour = function (run, id) {
    run.colours = run.colours || colours(run);
    return run.colours.get(id) || 'rest';
  };

  /* --- facts: what the panel says -------------------------------------------------------------- */

  function statementFact(run, stmt, term) {
    const s = run.statementOf(stmt);
    if (!s) return [];
    const link = takt.element('a', { href: `#L${s.line}`, textContent: s.place });
    return [
      [
        term || 'statement',
        takt.element('span', {}, link, ' ', takt.element('code', { textContent: s.text })),
      ],
    ];
  }

  const cyclesFact = (from, to) => [
    'cycles',
    `${number(from)} to ${number(to)} (${number(to - from)})`,
  ];

  /* A rule as a link to what the page says about it, if it does. */
  function ruleLink(rule) {
    const id = `rule-${rule}`;
    return document.getElementById(id)
      ? takt.element('a', { href: `#${id}`, textContent: rule })
      : rule;
  }

  /* What a statement waited for: edges of this reason; without one, of any. */
  function waitFacts(run, stmt, reason) {
    const waits = (run.waitsOf.get(stmt) || []).filter(
      (w) => reason === undefined || w.reason === reason,
    );
    return waits.slice(0, 3).flatMap((w) => {
      const what = `${number(w.waited)} cycles, ${w.kind}${w.unit ? `, ${w.unit}` : ''}`;
      const holder =
        w.src_stmt === null
          ? [['waited for', 'a fixed latency']]
          : statementFact(run, w.src_stmt, 'waited for');
      const said = w.rule ? takt.element('span', {}, what, ', ', ruleLink(w.rule)) : what;
      return [...holder, ['wait', said]];
    });
  }

  function intervalFacts(run, unit, track, i) {
    const reason = run.reasonOf.get(track.reason[i]);
    return [
      ...statementFact(run, track.stmt[i]),
      cyclesFact(track.start[i], track.end[i]),
      ['unit', unit.name],
      ['state', reason ? `${reason.phrase}: ${reason.text}` : ''],
      ...(reason && reason.state === 1 ? waitFacts(run, track.stmt[i], reason.id) : []),
    ];
  }

  function transferFacts(run, t) {
    return [
      ...statementFact(run, t.stmt),
      ['transfer', `${t.mode}${t.tag ? `, ${t.tag}` : ''}, ${number(t.bytes)} bytes`],
      ['issued', number(t.issued)],
      ['started', number(t.started)],
      ['finished', number(t.finished)],
      ...(t.limited_by ? [['limited by', t.limited_by]] : []),
      ...(t.waited > 0 ? [['stream waited', `${number(t.waited)} cycles`]] : []),
      ...(t.waited > 0 && t.waited_stmt !== null ? statementFact(run, t.waited_stmt, 'at') : []),
      ...waitFacts(run, t.stmt),
    ];
  }

  function pathFacts(run, c) {
    const reason = run.reasonOf.get(c.reason),
      unit = run.unitOf.get(c.unit);
    return [
      ['critical path', `${unit ? unit.name : 'no unit'}, ${reason ? reason.phrase : ''}`],
      cyclesFact(c.start, c.start + c.duration),
      ...statementFact(run, c.first_stmt),
      ...(c.last_stmt !== c.first_stmt ? statementFact(run, c.last_stmt, 'to') : []),
      ...(reason && reason.state === 1 ? waitFacts(run, c.first_stmt, reason.id) : []),
    ];
  }

  /* --- drawing --------------------------------------------------------------------------------- */

  /* Intervals narrower than a pixel: the pixel shows the busy and the waiting share of its cycles. */
  class Column {
    constructor(run, pen, y, height) {
      Object.assign(this, { run, pen, y, height, at: -1, busy: 0, waiting: 0, reason: 0, most: 0 });
    }
    add(x, cycles, reason, state) {
      if (x !== this.at) {
        this.flush();
        this.at = x;
      }
      if (state === 0) this.busy += cycles;
      else if (state === 1) this.waiting += cycles;
      if (state === 1 && cycles > this.most) {
        this.most = cycles;
        this.reason = reason;
      }
    }
    flush() {
      const whole = this.pen.cyclesOfPixel;
      if (this.busy + this.waiting > 0)
        takt.drawShares(this.run, this.pen, {
          x0: this.at,
          x1: this.at + 1,
          y: this.y,
          height: this.height,
          busy: this.busy / whole,
          waiting: this.waiting / whole,
          reason: this.reason,
        });
      this.busy = this.waiting = this.most = 0;
    }
  }

  /* Busy from below, waiting above it; something that is not 0 is seen. */
  takt.drawShares = function (run, pen, s) {
    const least = (share) => (share > 0 ? Math.max(Math.min(share, 1) * s.height, pen.ratio) : 0);
    const busy = least(s.busy),
      waiting = Math.min(least(s.waiting), s.height - busy);
    pen.rect(s.x0, s.x1, s.y + s.height - busy, busy, 'busy');
    if (waiting > 0)
      pen.rect(
        s.x0,
        s.x1,
        s.y + s.height - busy - waiting,
        waiting,
        takt.reasonColour(run, s.reason),
      );
  };

  function drawExact(run, track, pen, y, height) {
    const column = new Column(run, pen, y, height);
    for (
      let i = takt.firstBehind(track.end, pen.from);
      i < track.count && track.start[i] < pen.to;
      i++
    ) {
      const reason = run.reasonOf.get(track.reason[i]);
      const state = reason ? reason.state : 2;
      const x0 = pen.x(track.start[i]),
        x1 = pen.x(track.end[i]);
      if (state === 2) continue;
      if (x1 - x0 < 1.5) {
        column.add(Math.floor(x0), track.end[i] - track.start[i], track.reason[i], state);
        continue;
      }
      const part =
        state === 0 ? height : height * 0.3; /* what waits is seen without colours, too */
      const gap = x1 - x0 >= 5 * pen.ratio ? pen.ratio : 0; /* a gap between neighbours */
      pen.rect(x0, x1 - gap, y + height - part, part, takt.reasonColour(run, track.reason[i]));
    }
    column.flush();
  }

  function drawWindows(run, track, pen, y, height) {
    const first = Math.max(0, Math.floor((pen.from - track.from) / track.step));
    const last = Math.min(track.count, Math.ceil((pen.to - track.from) / track.step));
    for (let i = first; i < last; i++) {
      const from = track.from + i * track.step,
        length = Math.min(track.step, run.cycles - from);
      takt.drawShares(run, pen, {
        x0: pen.x(from),
        x1: pen.x(from + length),
        y,
        height,
        busy: track.busy[i] / length,
        waiting: track.waiting ? track.waiting[i] / length : 0,
        reason: track.reason ? track.reason[i] : 0,
      });
    }
  }

  /* --- kinds of lines -------------------------------------------------------------------------- */

  const within = (from, to, cycle, reach) => cycle >= from - reach && cycle < to + reach;

  /* Of items with [from, to), in order: the one at a cycle, or the nearest within reach. */
  function finder(line) {
    return (cycle, reach) => {
      let low = 0,
        high = line.count;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (line.span(middle)[1] <= cycle) low = middle + 1;
        else high = middle;
      }
      const near = [low, low - 1].filter(
        (i) => i >= 0 && i < line.count && within(...line.span(i), cycle, reach),
      );
      return near.length ? near[0] : -1;
    };
  }

  function finish(line) {
    line.find = finder(line);
    return line;
  }

  takt.pathLine = (run) =>
    finish({
      label: 'critical path',
      height: 18,
      kind: 'path',
      count: run.critical.length,
      span: (i) => [run.critical[i].start, run.critical[i].start + run.critical[i].duration],
      facts: (i) => pathFacts(run, run.critical[i]),
      draw(pen, y, height) {
        let last = -1;
        run.critical.forEach((c) => {
          const x0 = pen.x(c.start),
            x1 = pen.x(c.start + c.duration);
          if (x1 < pen.left || x0 > pen.right || Math.floor(x1) === last) return;
          last = Math.floor(x1);
          pen.rect(x0, x1, y, height, takt.reasonColour(run, c.reason));
          pen.rect(x0, x0 + 1, y, height, 'panel');
        });
        pen.rect(pen.x(run.from), pen.x(run.to), y + height - 2 * pen.ratio, 2 * pen.ratio, 'path');
      },
    });

  /* Transfers in as few lines as it takes for none to cover another. */
  takt.transferLines = function (run) {
    const lanes = [];
    const order = run.transfers.slice().sort((a, b) => a.issued - b.issued);
    order.forEach((t) => {
      let lane = lanes.find((l) => l[l.length - 1].finished <= t.issued);
      if (!lane) {
        lane = [];
        lanes.push(lane);
      }
      lane.push(t);
    });
    const height = Math.max(3, Math.min(14, 150 / lanes.length));
    return lanes.map((lane, k) =>
      finish({
        label: k ? '' : 'transfers',
        kind: 'transfer',
        height,
        count: lane.length,
        title: `${run.transfers.length} transfers, ${lanes.length} at a time`,
        span: (i) => [lane[i].issued, lane[i].finished],
        facts: (i) => transferFacts(run, lane[i]),
        draw(pen, y, h) {
          lane.forEach((t) => takt.drawTransfer(pen, t, y, h, true));
        },
      }),
    );
  };

  /* Issued, then in flight. */
  takt.drawTransfer = function (pen, t, y, height, named) {
    const x0 = pen.x(t.issued),
      x1 = pen.x(t.started),
      x2 = pen.x(t.finished);
    if (x2 < pen.left || x0 > pen.right) return;
    pen.rect(x0, x1, y + height * 0.4, height * 0.2, 'soft');
    pen.rect(x1, x2, y, height, 'flight');
    if (named && x2 - x1 > 46 * pen.ratio && height > 9 * pen.ratio)
      pen.text(`${t.tag || ''} ${t.mode}`, Math.max(x1, pen.left), x2, y, height);
  };

  takt.unitLine = function (run, unit, label) {
    const track = unit.track || { exact: true, count: 0, start: [], end: [] };
    const window = (i) => [
      track.from + i * track.step,
      Math.min(track.from + (i + 1) * track.step, run.cycles),
    ];
    return finish({
      label,
      title: unit.path,
      kind: 'unit',
      unit,
      height: 18,
      count: track.count,
      span: (i) => (track.exact ? [track.start[i], track.end[i]] : window(i)),
      stmt: (i) => (track.exact ? track.stmt[i] : -1),
      facts(i) {
        if (track.exact) return intervalFacts(run, unit, track, i);
        const reason =
          track.reason && track.waiting[i] > 0 ? run.reasonOf.get(track.reason[i]) : null;
        return [
          ['unit', unit.name],
          cyclesFact(...window(i)),
          ['busy', `${number(track.busy[i])} cycles`],
          ...(track.waiting
            ? [
                [
                  'waiting',
                  `${number(track.waiting[i])} cycles${reason ? `, most of it ${reason.phrase}` : ''}`,
                ],
              ]
            : []),
        ];
      },
      draw(pen, y, height) {
        (track.exact ? drawExact : drawWindows)(run, track, pen, y, height);
      },
    });
  };

  /* A statement: what each unit does for it, and its transfers. */
  takt.statementLine = function (run, at) {
    const index = run.index(),
      items = [];
    for (let i = index.first[at]; i < index.first[at + 1]; i++) {
      const { unit, track } = index.tracks[index.track[i]],
        k = index.item[i];
      items.push({
        from: track.start[k],
        to: track.end[k],
        facts: () => intervalFacts(run, unit, track, k),
        reason: track.reason[k],
        rank: unit.kind === 'issue' ? 2 : 1,
      });
    }
    (index.transfers.get(at) || []).forEach((t) =>
      items.push({
        from: t.issued,
        to: t.finished,
        transfer: t,
        facts: () => transferFacts(run, t),
        rank: 0,
      }),
    );
    items.sort((a, b) => a.rank - b.rank || a.from - b.from);
    const s = run.statements[at];
    return {
      label: `${s.line} ${s.text}`,
      title: `${s.place} ${s.text}`,
      kind: 'statement',
      count: items.length,
      at,
      span: (i) => [items[i].from, items[i].to],
      facts: (i) => items[i].facts(),
      find(cycle, reach) {
        for (let i = items.length - 1; i >= 0; i--)
          if (within(items[i].from, items[i].to, cycle, 0)) return i;
        return items.findIndex((x) => within(x.from, x.to, cycle, reach));
      },
      draw(pen, y, height) {
        items.forEach((x) => {
          const x0 = pen.x(x.from),
            x1 = pen.x(x.to);
          if (x1 < pen.left || x0 > pen.right) return;
          if (x.transfer) takt.drawTransfer(pen, x.transfer, y, height);
          else pen.rect(x0, x1, y, height, takt.reasonColour(run, x.reason));
        });
      },
    };
  };
})();
