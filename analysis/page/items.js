/* items: what the lines of a Gantt hold within the view, as a table. */
(function () {
  takt.TABLE_ROWS = 200;

  /* Items of a line that touch the view. Those of a statement have no order. */
  function* shown(line, view) {
    const sorted = line.kind !== 'statement';
    for (let i = sorted ? Math.max(0, line.find(view.from, Infinity)) : 0; i < line.count; i++) {
      const [from, to] = line.span(i);
      if (sorted && from >= view.to) return;
      if (from < view.to && to > view.from) yield i;
    }
  }

  /* The facts of an item as one sentence, without those that have a column. */
  function words(facts) {
    const parts = facts.filter(([term]) => term !== 'cycles' && term !== 'unit');
    const text = (what) => (what.textContent === undefined ? what : what.textContent);
    return parts
      .map(([term, what]) => (term === 'statement' ? '' : `${term} `) + text(what))
      .join('; ');
  }

  function row(label, line, i) {
    const [from, to] = line.span(i);
    const cell = (textContent, className = '') => takt.element('td', { textContent, className });
    const numbers = [from, to, to - from].map((n) => cell(takt.number(n), 'n'));
    return takt.element('tr', {}, cell(label), ...numbers, cell(words(line.facts(i))));
  }

  /* A sentence and the table. */
  takt.itemsTable = function (lines, view) {
    const rows = [];
    let more = false;
    let label = '';
    for (const line of lines) {
      label = line.label ? line.label + (line.times || '') : label;
      for (const i of shown(line, view)) {
        more = rows.length === takt.TABLE_ROWS;
        if (more) break;
        rows.push(row(label, line, i));
      }
      if (more) break;
    }
    const el = takt.element;
    const head = ['line', 'from', 'to', 'cycles', 'what'].map((textContent, i) =>
      el('th', { textContent, className: i > 0 && i < 4 ? 'n' : '' }),
    );
    const table = el('table', {}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...rows));
    const said = more
      ? `The first ${rows.length}; zoom in for the others.`
      : `${takt.number(rows.length)} items.`;
    return [el('p', { textContent: said }), el('div', { className: 'scroll' }, table)];
  };
})();
