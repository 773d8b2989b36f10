/* view: the cycles that are on the screen, which all pictures of a page share, and how mouse, fingers
 * and keys move it.
 *
 *   view.set(from, to) -> every listener; takt.steer(element, view, toCycle) */
(function () {
  const LEAST = 4; /* cycles */

  takt.View = class {
    constructor(min, max) {
      this.min = this.from = min;
      this.max = this.to = max;
      this.listeners = [];
    }
    listen(act) {
      this.listeners.push(act);
    }
    set(from, to) {
      const whole = this.max - this.min;
      const span = Math.min(Math.max(to - from, Math.min(LEAST, whole)), whole);
      const middle = (from + to) / 2;
      let a = to - from < span ? middle - span / 2 : from;
      a = Math.max(this.min, Math.min(a, this.max - span));
      if (a === this.from && a + span === this.to) return;
      this.from = a;
      this.to = a + span;
      this.listeners.forEach((act) => act(this));
    }
    zoom(factor, at) {
      const middle = at === undefined ? (this.from + this.to) / 2 : at;
      this.set(middle - (middle - this.from) * factor, middle + (this.to - middle) * factor);
    }
    pan(share) {
      const by = (this.to - this.from) * share;
      this.set(this.from + by, this.to + by);
    }
    whole() {
      this.set(this.min, this.max);
    }
  };

  const keys = {
    '+': (view) => view.zoom(1 / 1.5),
    '=': (view) => view.zoom(1 / 1.5),
    '-': (view) => view.zoom(1.5),
    0: (view) => view.whole(),
    Home: (view) => view.whole(),
    ArrowLeft: (view) => view.pan(-0.15),
    ArrowRight: (view) => view.pan(0.15),
  };

  function wheel(element, view, toCycle) {
    element.addEventListener(
      'wheel',
      (e) => {
        if (e.ctrlKey || e.metaKey) view.zoom(Math.exp(e.deltaY * 0.003), toCycle(e.clientX));
        else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))
          view.pan((e.deltaX || e.deltaY) / 1000);
        else return;
        e.preventDefault();
      },
      { passive: false },
    );
  }

  /* One finger, or the mouse with Shift, pans; two fingers zoom. The mouse alone marks what to zoom
   * to, which the chart does by itself. */
  function fingers(element, view, toCycle) {
    const down = new Map();
    element.addEventListener(
      'pointerdown',
      (e) => {
        if (e.pointerType === 'mouse' && !e.shiftKey) return;
        down.set(e.pointerId, e.clientX);
        element.setPointerCapture(e.pointerId);
        if (e.pointerType === 'mouse') e.stopPropagation();
      },
      true,
    );
    element.addEventListener('pointermove', (e) => {
      if (!down.has(e.pointerId)) return;
      const before = Array.from(down.values());
      const was = down.get(e.pointerId);
      down.set(e.pointerId, e.clientX);
      const after = Array.from(down.values());
      if (after.length === 1) {
        view.pan((toCycle(was) - toCycle(e.clientX)) / (view.to - view.from));
      } else {
        const gap = (x) => Math.max(10, Math.abs(x[0] - x[1]));
        view.zoom(gap(before) / gap(after), toCycle((after[0] + after[1]) / 2));
      }
      e.preventDefault();
    });
    ['pointerup', 'pointercancel'].forEach((end) =>
      element.addEventListener(end, (e) => down.delete(e.pointerId)),
    );
    element.addEventListener(
      'mousedown',
      (e) => {
        if (e.shiftKey) e.stopImmediatePropagation();
      },
      true,
    );
  }

  takt.steer = function (element, view, toCycle) {
    wheel(element, view, toCycle);
    fingers(element, view, toCycle);
    element.addEventListener('keydown', (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
      keys[e.key](view);
      e.preventDefault();
      e.stopPropagation();
    });
  };

  takt.element = function (name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  takt.colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  /* Options that all charts have: the cycles in the view from left to right. */
  const steps = [];
  for (let ten = 1; ten < 1e16; ten *= 10) steps.push(ten, 2 * ten, 5 * ten);
  takt.cycleAxis = (side) => ({
    side,
    incrs: steps,
    space: 70,
    size: 26,
    stroke: () => takt.colour('soft'),
    font: '11px system-ui, sans-serif',
    grid: { stroke: () => takt.colour('line'), width: 1 },
    ticks: { stroke: () => takt.colour('line'), width: 1, size: 4 },
    values: (u, splits) => splits.map((v) => (Number.isInteger(v) ? takt.number(v) : '')),
  });

  /* What a chart does to its scale moves the view. */
  takt.lead = (view) => (u, scale) => {
    if (scale === 'x' && u.scales.x.min !== null && u.status === 1)
      view.set(u.scales.x.min, u.scales.x.max);
  };
})();
