-- v_check: what a sound trace can never show. It returns no row, or one row a contradiction.
-- A run that was killed has no totals: then only what was written is checked.

CREATE VIEW v_reached AS
    -- how far the run came; always one row
    -- complete INTEGER: 1 when the program ran to its end
    -- total INTEGER: cycles of the run, or NULL when not complete
    -- cycles INTEGER: cycles of the run, or how far it came
    SELECT (SELECT value FROM meta WHERE key = 'complete') AS complete,
           (SELECT value FROM meta WHERE key = 'total_cycles') AS total,
           coalesce((SELECT value FROM meta WHERE key = 'total_cycles'),
                    (SELECT value FROM meta WHERE key = 'cycles_reached')) AS cycles;

CREATE VIEW v_check AS
    -- one contradiction; a sound trace has none
    -- rule TEXT: what is violated
    -- subject TEXT: where
    -- expected ANY: what a sound trace holds
    -- found ANY: what this one holds
    SELECT 'complete' AS rule, 'meta.complete is 0 or 1' AS subject, '0 or 1' AS expected,
           complete AS found
    FROM v_reached WHERE complete IS NULL OR complete NOT IN (0, 1)
    UNION ALL
    SELECT 'complete', 'total_cycles stands exactly in complete runs', complete,
           CASE WHEN total IS NULL THEN 'none' ELSE total END
    FROM v_reached WHERE (complete = 1) <> (total IS NOT NULL)
    UNION ALL
    SELECT 'cycles', 'documented and assumed cycles add up to total_cycles',
           max(r.total, d.value), d.value + a.value
    FROM v_reached r JOIN meta d ON d.key = 'cycles_documented'
    JOIN meta a ON a.key = 'cycles_assumed'
    WHERE d.value > 0 AND max(r.total, d.value) <> d.value + a.value
    UNION ALL
    SELECT 'stmt', 'statements', value, (SELECT count(*) FROM stmt)
    FROM meta WHERE key = 'statements' AND value <> (SELECT count(*) FROM stmt)
    UNION ALL
    SELECT 'unit_total', 'cycles of unit ' || u.name, r.cycles, coalesce(sum(t.cycles), 0)
    FROM v_reached r CROSS JOIN unit u LEFT JOIN unit_total t ON t.unit = u.id
    WHERE u.kind <> 'node'
    GROUP BY u.id HAVING r.cycles IS NOT NULL AND coalesce(sum(t.cycles), 0) <> r.cycles
    UNION ALL
    SELECT 'unit_total', 'state of a reason of unit ' || t.unit, y.state, t.state
    FROM unit_total t JOIN reason y ON y.id = t.reason WHERE y.state <> t.state OR t.cycles < 0
    UNION ALL
    -- A unit that no statement is charged for (a memory channel, say) has no such sum.
    SELECT 'stmt_total', 'busy cycles of unit ' || u.name || ' over all statements',
           coalesce((SELECT sum(cycles) FROM unit_total WHERE unit = u.id AND state = 0), 0), c.busy
    FROM (SELECT c.unit AS unit, sum(CASE y.state WHEN 0 THEN c.cycles ELSE 0 END) AS busy
          FROM unit_cost c CROSS JOIN reason y ON y.id = c.reason GROUP BY c.unit) c
    JOIN unit u ON u.id = c.unit
    WHERE c.busy <> coalesce((SELECT sum(cycles) FROM unit_total WHERE unit = u.id AND state = 0), 0)
    UNION ALL
    -- Numbers and their sum: counting each set would sort all statements.
    SELECT 'cost_set', 'statements of all sets of cost', s.stmts, c.stmts
    FROM (SELECT count(*) || ', ' || coalesce(sum(cost), 0) AS stmts FROM stmt_cost_set) s,
         (SELECT coalesce(sum(stmts), 0) || ', ' || coalesce(sum(cost * stmts), 0) AS stmts
          FROM cost_set) c
    WHERE c.stmts <> s.stmts
    UNION ALL
    SELECT 'transfer', 'order of times of transfer ' || t.id,
           'issued <= started <= finished <= ' || coalesce(r.cycles, 'end'),
           t.issued || ', ' || t.started || ', ' || t.finished
    FROM transfer t CROSS JOIN v_reached r
    WHERE t.issued < 0 OR t.started < t.issued OR t.finished < t.started
          OR (r.complete = 1 AND t.finished > r.cycles) OR t.waited < 0
          OR t.waited > r.cycles
    UNION ALL
    SELECT 'transfer', 'attributes of transfer ' || t.id, (SELECT count(*) FROM attribute),
           (SELECT count(*) FROM transfer_attribute v WHERE v.transfer = t.id)
    FROM transfer t
    WHERE (SELECT count(*) FROM transfer_attribute v WHERE v.transfer = t.id)
          <> (SELECT count(*) FROM attribute)
    UNION ALL
    SELECT 'counter', c.name || ' by ' || c.idx_name, c.value,
           (SELECT coalesce(sum(value), 0) FROM counter WHERE name = c.name AND idx IS NOT NULL)
    FROM counter c
    WHERE c.idx IS NULL AND c.idx_name IS NOT NULL AND c.value
          <> (SELECT coalesce(sum(value), 0) FROM counter WHERE name = c.name AND idx IS NOT NULL)
    UNION ALL
    SELECT 'dep', 'times of edge ' || d.id, 'released <= at, within ' || coalesce(r.cycles, 'end'),
           d.first_released || ', ' || d.first_at || ', ' || d.last_released || ', ' || d.last_at
    FROM dep d CROSS JOIN v_reached r
    WHERE d.first_released < 0 OR d.first_at < d.first_released OR d.last_at < d.last_released
          OR d.last_at < d.first_at OR d.min_slack < 0 OR d.tight > d.times OR d.times < 1
          OR d.waited < 0 OR (r.cycles IS NOT NULL AND d.last_at > r.cycles)
    UNION ALL
    SELECT 'crit', 'runs of the critical path follow each other', after, start
    FROM (SELECT start, lag(start + duration, 1, 0) OVER (ORDER BY start) AS after FROM crit)
    WHERE start <> after
    UNION ALL
    SELECT 'crit', 'the critical path ends at the total', r.total, max(c.start + c.duration)
    FROM v_reached r CROSS JOIN crit c
    HAVING r.total IS NOT NULL AND max(c.start + c.duration) <> r.total
    UNION ALL
    SELECT 'bound', b.class || ' ' || b.kind, 'at most ' || r.total, b.cycles
    FROM v_reached r CROSS JOIN bound b WHERE b.cycles > r.total
    UNION ALL
    SELECT 'util_window', 'busy cycles of unit ' || u.name || ' over all windows',
           coalesce((SELECT sum(cycles) FROM unit_total WHERE unit = u.id AND state = 0), 0),
           coalesce(sum(p.busy), 0)
    FROM unit u LEFT JOIN util_window p ON p.unit = u.id
    WHERE u.kind <> 'node' AND EXISTS (SELECT 1 FROM util_window)
    GROUP BY u.id
    HAVING coalesce(sum(p.busy), 0) <>
           coalesce((SELECT sum(cycles) FROM unit_total WHERE unit = u.id AND state = 0), 0)
    UNION ALL
    SELECT 'util_window', 'window ' || p.idx || ' of unit ' || p.unit, 'at most ' || m.value, p.busy
    FROM util_window p JOIN meta m ON m.key = 'window' WHERE p.busy > m.value OR p.busy < 0;
