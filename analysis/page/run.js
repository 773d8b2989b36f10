/* run: the data of one run (analysis/page_data.h), decoded.
 *
 *   takt.readRun(element) -> { name, cycles, from, to, units, groups, transfers, critical, ... }
 *
 * A track is exact, { start, end, reason, stmt, count }, or of windows, { step, from, busy, waiting,
 * reason, count }. */
(function () {
  function rowsOf(table) {
    return table.rows.map((row) => {
      const object = {};
      table.columns.forEach((name, i) => {
        object[name] = row[i];
      });
      return object;
    });
  }

  function decodeItems(items) {
    const count = items.length / 4;
    const track = {
      exact: true,
      count,
      start: new Float64Array(count),
      end: new Float64Array(count),
      reason: new Uint8Array(count),
      stmt: new Int32Array(count),
    };
    for (let i = 0, at = 0, stmt = 0; i < count; i++) {
      track.start[i] = at + items[4 * i];
      track.end[i] = at = track.start[i] + items[4 * i + 1];
      track.reason[i] = items[4 * i + 2];
      stmt += items[4 * i + 3];
      track.stmt[i] = stmt - 1;
    }
    return track;
  }

  function decodeTracks(run, tracks) {
    tracks.forEach((t) => {
      const unit = run.unitOf.get(t.unit);
      if (t.items) unit.track = decodeItems(t.items);
      else if (t.same !== undefined) unit.track = run.unitOf.get(t.same).track;
      else
        unit.track = {
          exact: false,
          count: t.busy.length,
          from: t.from,
          step: t.step,
          busy: t.busy,
          waiting: t.waiting,
          reason: t.reason,
        };
    });
  }

  /* Units that do the same under names that differ in numbers alone are one group, as on takt's
   * first screen. Without totals (a run that was killed) a unit is used if it has an interval. */
  function groupUnits(run) {
    const groups = new Map();
    run.units.forEach((u) => {
      const used = u.busy > 0 || (!run.complete && u.track && u.track.exact && u.track.count > 0);
      const key = [
        u.name.replace(/[0-9]+/g, '#'),
        u.kind,
        u.busy,
        u.waiting,
        used ? '' : 'unused',
      ].join(' ');
      if (!groups.has(key)) groups.set(key, { units: [], used });
      groups.get(key).units.push(u);
    });
    return Array.from(groups.values());
  }

  /* Intervals of each statement: numbers of [track, interval] pairs, sorted by statement. */
  function indexStatements(run) {
    const tracks = [];
    run.units.forEach((u) => {
      if (u.track && u.track.exact && !tracks.some((t) => t.track === u.track))
        tracks.push({ unit: u, track: u.track });
    });
    const size = run.statements.length;
    const first = new Int32Array(size + 1);
    const each = (act) =>
      tracks.forEach((t, k) => {
        for (let i = 0; i < t.track.count; i++) {
          const at = run.placeOf(t.track.stmt[i]);
          if (at >= 0) act(at, k, i);
        }
      });
    each((at) => {
      first[at + 1]++;
    });
    for (let i = 0; i < size; i++) first[i + 1] += first[i];
    const fill = first.slice(0, size);
    const track = new Uint16Array(first[size]),
      item = new Int32Array(first[size]);
    each((at, k, i) => {
      track[fill[at]] = k;
      item[fill[at]++] = i;
    });
    const transfers = new Map();
    run.transfers.forEach((t) => {
      const at = run.placeOf(t.stmt);
      if (!transfers.has(at)) transfers.set(at, []);
      transfers.get(at).push(t);
    });
    const from = new Float64Array(size).fill(Infinity),
      to = new Float64Array(size).fill(-Infinity);
    const widen = (at, a, b) => {
      from[at] = Math.min(from[at], a);
      to[at] = Math.max(to[at], b);
    };
    each((at, k, i) => widen(at, tracks[k].track.start[i], tracks[k].track.end[i]));
    run.transfers.forEach((t) => {
      const at = run.placeOf(t.stmt);
      if (at >= 0) widen(at, t.issued, t.finished);
    });
    return { tracks, first, track, item, transfers, from, to };
  }

  takt.readRun = function (element) {
    const data = JSON.parse(element.textContent);
    const run = {
      name: element.dataset.name,
      machine: data.machine,
      cycles: data.cycles,
      from: data.from,
      to: data.to,
      complete: data.complete,
      clock: data.clock_hz || 0,
      intervals: data.intervals,
      reasons: rowsOf(data.reasons).map((r) => {
        const [phrase, text] = (data.words || {})[r.name] || [r.name, r.sentence];
        return { ...r, phrase, text };
      }),
      units: rowsOf(data.units),
      transfers: rowsOf(data.transfers),
      critical: rowsOf(data.critical),
      waits: rowsOf(data.waits),
      roofline: rowsOf(data.roofline),
      statements: rowsOf(data.statements),
      cut: [],
    };
    ['transfers', 'critical', 'waits'].forEach((t) => {
      if (data[t].cut) run.cut.push([t, data[t].rows.length]);
    });
    run.reasonOf = new Map(run.reasons.map((r) => [r.id, r]));
    run.unitOf = new Map(run.units.map((u) => [u.id, u]));
    const places = new Map(run.statements.map((s, i) => [s.id, i]));
    run.placeOf = (stmt) => {
      const at = places.get(stmt);
      return at === undefined ? -1 : at;
    };
    run.statementOf = (stmt) => run.statements[places.get(stmt)];
    const texts = new Map(data.texts.rows);
    const files = new Map(data.files.rows);
    run.statements.forEach((s) => {
      s.text = texts.get(s.text) || '';
      s.place = files.size > 1 ? `${files.get(s.file)}:${s.line}` : `line ${s.line}`;
    });
    run.waitsOf = new Map();
    run.waits.forEach((w) => {
      if (!run.waitsOf.has(w.dst_stmt)) run.waitsOf.set(w.dst_stmt, []);
      run.waitsOf.get(w.dst_stmt).push(w);
    });
    decodeTracks(run, data.tracks);
    run.groups = groupUnits(run);
    run.hasStatements =
      run.transfers.length > 0 ||
      run.units.some((u) => u.track && u.track.exact && u.track.count > 0);
    let index = null;
    run.index = () => {
      index = index || indexStatements(run);
      return index;
    };
    return run;
  };

  /* The first item whose end is behind `cycle`; items do not overlap. */
  takt.firstBehind = function (ends, cycle) {
    let low = 0,
      high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] <= cycle) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  takt.number = (n) => n.toLocaleString('en-US', { maximumFractionDigits: 3 });
})();
